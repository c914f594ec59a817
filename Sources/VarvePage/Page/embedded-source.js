// Answers out of the page itself, for pages that were written with `--format html`. It has the same
// methods as ServerSource.

import { BUCKETS } from "./tiles.js";
import { summary } from "./numbers.js";
import { Clock } from "./time-axis.js";

export const FLAGS = { failed: 0x10, ended: 0x20, lost: 0x40, other: 0x80 };

/** What an event is in a tile. */
export function flagOf(kind) {
  switch (kind) {
    case "value": return 0;
    case "failed": return FLAGS.failed;
    case "completed": case "interrupted": case "ended": return FLAGS.ended;
    case "absorbed": case "skipped": case "lost": return FLAGS.lost;
    default: return FLAGS.other;
  }
}

export class EmbeddedSource {
  constructor(data) {
    this.data = data;
    this.all = data.events;
    this.omitted = data.omitted ?? null;
    this.byLane = new Map();
    this.byId = new Map();
    this.effectsOf = new Map();
    for (const event of this.all) {
      this.byId.set(event.event, event);
      if (!this.byLane.has(event.lane)) this.byLane.set(event.lane, []);
      this.byLane.get(event.lane).push(event);
      for (const cause of event.causes ?? []) {
        if (!this.effectsOf.has(cause)) this.effectsOf.set(cause, []);
        this.effectsOf.get(cause).push(event.event);
      }
    }
    for (const lane of data.trace.lanes) lane.reads ??= (this.byLane.get(lane.lane) ?? []).filter(event => event.kind === "read").length;
  }

  get isLive() { return false; }
  /** The period of which the page has events, if it has not all of them. */
  get part() { return this.omitted && this.all.length ? { from: this.all[0].tick, to: this.all.at(-1).tick } : null; }
  async trace() { return this.data.trace; }

  async tiles(level, first, number, lanes) {
    const width = 4 ** level, cells = new Uint8Array(lanes.length * number * BUCKETS);
    const counts = new Uint32Array(number * BUCKETS);
    lanes.forEach((lane, row) => {
      counts.fill(0);
      const at = row * number * BUCKETS, events = this.byLane.get(lane) ?? [];
      const from = first * BUCKETS * width, to = (first + number) * BUCKETS * width;
      for (let index = lowerBound(events, from); index < events.length && events[index].tick < to; index++) {
        const bucket = Math.floor(events[index].tick / width) - first * BUCKETS;
        counts[bucket]++;
        cells[at + bucket] |= flagOf(events[index].kind);
      }
      for (let bucket = 0; bucket < counts.length; bucket++)
        if (counts[bucket]) cells[at + bucket] |= Math.min(15, 32 - Math.clz32(counts[bucket]));
    });
    return { estimate: false, unknown: false, cells };
  }

  /** Events of a range in their order, at most so many. */
  async events({ from, to, lanes, limit = 2000 }) {
    const found = [], wanted = lanes ? new Set(lanes) : null;
    for (let index = lowerBound(this.all, from); index < this.all.length && this.all[index].tick <= to; index++) {
      if (wanted && !wanted.has(this.all[index].lane)) continue;
      if (found.length === limit) return { events: found, more: true };
      found.push(this.all[index]);
    }
    return { events: found, more: false };
  }

  async event(id) {
    const event = this.byId.get(id);
    if (!event) throw new Error(`this page has no event ${id}`);
    const lane = this.data.trace.lanes[event.lane];
    return {
      ...event, place: event.place ?? lane?.place ?? null, source: this.lines(event.place ?? lane?.place),
      effects: (this.effectsOf.get(id) ?? []).slice(0, 50), backtrace: event.backtrace ?? [],
    };
  }

  lines(place) { return this.data.sources?.[place] ?? null; }
  async source(place) { return this.lines(place); }

  /** The first causes, one after the other: what a page without the engine can know. */
  async why(id) {
    if (this.data.why?.[id]) return this.data.why[id];
    const steps = [], seen = new Set();
    for (let next = id; next && !seen.has(next) && steps.length < 200;) {
      seen.add(next);
      const event = this.byId.get(next);
      if (!event) break;
      steps.push({ ...event, place: event.place ?? this.data.trace.lanes[event.lane]?.place ?? null });
      next = event.causes?.[0];
    }
    return { steps, marked: null };
  }

  async lines() { return this.data.lines ?? {}; }

  async slices() { return { slices: this.data.slices ?? [], more: false, isWhole: true }; }

  async values({ lane, from, to, limit = 2000 }) {
    let points = [];
    for (const event of this.byLane.get(lane) ?? []) {
      if (event.kind !== "value" || event.tick < from || event.tick > to) continue;
      const number = Number(event.value);
      if (Number.isFinite(number)) points.push([event.tick, number]);
    }
    if (points.length > limit) points = points.filter((_, index) => index % Math.ceil(points.length / limit) === 0);
    const numbers = points.map(point => point[1]);
    return { points, min: Math.min(...numbers), max: Math.max(...numbers) };
  }

  async state(tick) {
    const rows = [];
    for (const [lane, events] of this.byLane) {
      let event = null, running = 0;
      for (let index = 0; index < events.length && events[index].tick <= tick; index++) {
        if (events[index].kind === "value") event = events[index];
        if (events[index].kind === "subscribed") running++;
        if (events[index].kind === "ended") running--;
      }
      if (event || running > 0) rows.push({ lane, event: event?.event ?? null, tick: event?.tick, value: event?.value ?? null, open: Math.max(0, running) });
    }
    return { rows: rows.sort((a, b) => a.lane - b.lane) };
  }

  async *search({ text, regex, lanes, from = 0, to = Infinity }) {
    const wanted = lanes ? new Set(lanes) : null;
    const expression = regex ? new RegExp(text) : null;
    const lower = text.toLowerCase();
    const names = this.data.trace.lanes.map(lane => lane.name);
    const hit = one => one !== null && one !== undefined && (expression ? expression.test(one) : String(one).toLowerCase().includes(lower));
    let looked = 0;
    for (const event of this.all) {
      if (++looked % 20_000 === 0) { yield { progress: { done: looked, total: this.all.length } }; await pause(); }
      if (event.tick < from || event.tick > to || (wanted && !wanted.has(event.lane))) continue;
      if (event.kind !== "assembled" && (hit(event.value) || hit(event.reason) || hit(names[event.lane]))) yield { row: event };
    }
    yield { done: {} };
  }

  async *statistics({ from, to, lanes }) {
    const clock = this.data.trace.clock;
    const rate = clock?.length > 1 ? (clock.at(-1)[1] - clock[0][1]) / (clock.at(-1)[0] - clock[0][0]) : 1;
    let total = 0;
    const rows = [];
    for (const lane of lanes ?? this.byLane.keys()) {
      const events = (this.byLane.get(lane) ?? []).filter(event => event.tick >= from && event.tick <= to);
      if (!events.length) continue;
      total += events.length;
      const values = events.filter(event => event.kind === "value");
      const gaps = values.slice(1).map((event, index) => (event.tick - values[index].tick) * rate);
      // How long subscriptions lasted, or work ran, that began and ended here.
      const begun = new Map(), durations = [];
      for (const { kind, tick, subscription: one } of events) {
        if (kind === "subscribed" || kind === "hopBegan") begun.set(one, tick);
        else if ((kind === "ended" || kind === "hopEnded") && begun.has(one)) { durations.push((tick - begun.get(one)) * rate); begun.delete(one); }
      }
      const numbers = values.map(event => Number(event.value)).filter(Number.isFinite);
      rows.push({
        lane, count: events.length, values: values.length, failed: events.filter(event => event.kind === "failed").length,
        gaps: gaps.length ? summary(gaps) : null, durations: durations.length ? summary(durations) : null, numbers: numbers.length ? summary(numbers) : null,
      });
    }
    yield { done: { count: total, rows } };
  }

  /** How long work waited and ran, of each scheduler, out of the slices. */
  async *latency() {
    const clock = new Clock(this.data.trace.clock), rows = new Map();
    for (const { lane, from, to, state, end } of this.data.slices ?? []) {
      if (to === null || this.data.trace.lanes[lane]?.kind !== "scheduler" || end === "cancelled") continue;
      if (!rows.has(lane)) rows.set(lane, { queued: [], runs: [] });
      rows.get(lane)[state]?.push(clock.ns(to) - clock.ns(from));
    }
    const figures = durations => durations.length ? summary(durations) : null;
    const found = [...rows].map(([lane, { queued, runs }]) =>
      ({ lane, scheduler: this.data.trace.lanes[lane].name, count: Math.max(queued.length, runs.length), waits: figures(queued), runs: figures(runs) }));
    yield { done: { rows: found.sort((a, b) => (b.waits?.max ?? 0) - (a.waits?.max ?? 0)) } };
  }
  async *silence() { yield { done: { text: this.data.trace.command ? `Ask the command: varve why-silent.` : "" } }; }
  async findings() { return { findings: this.data.findings ?? [] }; }
  async postmortem() { return this.data.postmortem ?? null; }
  async graph() { return null; }
  async diff() { return this.data.diff ?? null; }
  async subscriptions(lane) {
    const events = (this.byLane.get(lane) ?? []).filter(event => event.kind === "subscribed" || event.kind === "ended");
    const bySubscription = new Map();
    for (const event of events) {
      const key = event.subscription;
      if (event.kind === "subscribed") bySubscription.set(key, { subscription: key, from: event.tick, event: event.event, to: null });
      else if (bySubscription.has(key)) bySubscription.get(key).to = event.tick;
    }
    return { subscriptions: [...bySubscription.values()] };
  }
}

function pause() { return new Promise(done => setTimeout(done)); }

/** The first of events that are in order by time which is not before a moment. */
export function lowerBound(events, tick) {
  let low = 0, high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle].tick < tick) low = middle + 1; else high = middle;
  }
  return low;
}
