// What is looked at, and what can be done about it: the state that the picture and the panels share.

import { TimeAxis, Clock, duration, moment } from "./time-axis.js";
import { Lanes } from "./lanes.js";
import { TileCache } from "./tiles.js";
import { EventWindow } from "./event-window.js";
import { SliceWindow } from "./slices.js";
import { SampledLines } from "./samples.js";
import { Causes } from "./causes.js";
import { EventSearch } from "./event-search.js";
import { ValueSteps } from "./value-steps.js";
import { theme, THEME_NAMES } from "./colours.js";
import { written, readPlace } from "./place.js";
import { brief, counted } from "./elements.js";
import { workOf } from "./work.js";
import { KINDS } from "./event-panel.js";

export class Viewer {
  constructor(source, trace) {
    this.source = source;
    this.trace = withLosses(trace);
    this.clock = new Clock(trace.clock);
    this.axis = new TimeAxis(trace.ticks);
    this.lanes = new Lanes(trace.lanes);
    const arrived = () => this.redraw();
    this.tiles = new TileCache((...asked) => source.tiles(...asked), trace.lanes.length, arrived);
    this.events = new EventWindow(source, arrived);
    this.lines = new SampledLines(source, () => { this.redraw(); this.panelChanged("event"); });
    this.slices = new SliceWindow(source, arrived, this.lines);
    this.causes = new Causes(source, () => this.panelChanged("event"));
    this.search = new EventSearch(source, () => { this.redraw(); this.panelChanged("search"); });
    this.steps = new ValueSteps(this);
    this.selection = null;
    this.detail = null;
    this.work = null; // of the selected event, if it is of a scheduler's work
    this.range = null;
    this.cursor = null;
    this.finding = null; // the one that led to an event, with the lines of its place
    this.asksSilence = null; // the lane and the moment of a silent stretch that was clicked
    this.panel = "event";
    this.themeName = "system";
    this.colours = theme("system");
    this.player = null;
  }

  redraw() { this.chart?.redraw(); }
  panelChanged(name) { this.panels?.changed(name); }
  say(text, options) { this.announce?.(text, options); }

  /** The place has changed: draws, and keeps it in the address. */
  moved() {
    this.redraw();
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => history.replaceState(null, "", `#${this.place()}`), 250);
  }

  place() {
    return written(this.seen());
  }

  /** What is seen, as the address and the command that opens the same view have it. */
  seen() {
    const { axis, lanes } = this;
    return {
      from: axis.isWhole ? null : axis.start, to: axis.end, event: this.selection?.event ?? null, top: lanes.top,
      pinned: lanes.pinned, hidden: lanes.hidden, folded: lanes.folded, filter: lanes.filterText, range: this.range,
      panel: this.panel === "event" ? null : this.panel, search: this.search.text, cursor: this.cursor, steps: this.steps.isShown,
    };
  }

  async restore(fragment) {
    const place = readPlace(fragment);
    if (!fragment) return;
    this.lanes.pinned = place.pinned;
    this.lanes.hidden = place.hidden;
    if (place.folded) this.lanes.folded = place.folded;
    if (place.filter) { try { this.lanes.setFilter(place.filter); } catch { /* no expression any more */ } }
    this.lanes.layOut();
    if (this.lanes.filterText.startsWith("?")) await this.ui?.filterWhere(this.lanes.filterText);
    this.lanes.top = place.top;
    if (place.time) this.axis.fit(place.time.from, place.time.to, 0);
    if (place.cursor !== null) this.cursor = place.cursor;
    this.steps.isShown = place.steps;
    if (place.range) this.range = place.range;
    if (place.panel) this.show(place.panel);
    if (place.search && place.search !== this.search.text) {
      this.ui?.searchShown(place.search);
      if (place.event) await this.search.run(place.search, null);
      else await this.find(place.search);
    }
    if (place.event) await this.select(place.event, { reveals: !place.time });
    if (place.panel) this.show(place.panel);
  }

  laneOf(number) { return this.trace.lanes[number] ?? { lane: number, name: "", label: `lane ${number}`, kind: "stream" }; }
  /** A lane's name; of several processes, with the one that it is of, unless the name says so. */
  nameOf(number) {
    const lane = this.laneOf(number), name = lane.label || lane.name || `#${lane.id}`;
    return lane.process && !name.includes(lane.process) ? `${name} · ${lane.process}` : name;
  }
  time(tick) { return moment(this.clock.ns(tick)); }

  /** Selects an event by its number: shows it, its place and its causes. Goes to `panel`, unless
      somebody went to another one before the answer came. */
  async select(id, { reveals = true, closes = false, panel = "event" } = {}) {
    const shown = this.panel;
    this.wanted = id;
    let event;
    try {
      event = await this.source.event(id);
    } catch (error) {
      if (this.wanted === id) this.wanted = this.selection?.event ?? null;
      this.say(/^([0-9]+:)?[0-9]+\.[0-9]+$/.test(id) ? error.message : `“${brief(id, 40)}” is not the number of an event, such as 4.1749.`);
      return null;
    }
    if (this.wanted !== id) return null;
    this.selection = event;
    this.detail = event;
    this.work = null;
    workOf(this.source, event, this.clock.tick(this.clock.ns(event.tick) + 1e9) - event.tick)
      .then(work => { if (work && this.selection === event) { this.work = work; this.panelChanged("event"); } })
      .catch(() => { /* the event is there all the same */ });
    if (event.lane !== null && event.lane !== undefined) {
      if (reveals || this.lanes.rowOf.has(event.lane)) this.lanes.reveal(event.lane);
      this.lanes.scrollToFocus(this.chart?.fit ?? 20);
    }
    if (reveals) this.axis.reveal(event.tick);
    if (closes) this.closeIn(event.tick);
    if (this.panel === shown) this.show(panel);
    this.moved();
    this.say(this.spoken(event), { isSeen: true });
    await this.causes.follow(id);
    this.redraw();
    this.panelChanged("event");
    return event;
  }

  spoken(event) {
    const value = event.value !== null && event.value !== undefined ? ` ${brief(event.value, 200) || "without text"}` : "";
    return `${KINDS[event.kind] ?? event.kind}${value}, ${this.nameOf(event.lane)}, at ${this.time(event.tick)}, thread ${event.thread ?? "unknown"}` +
      `${event.place ? `, ${event.place}` : ""}${event.causes?.length ? "" : ", without a cause"}`;
  }

  deselect() {
    if (this.search.state === "running") this.search.stop?.abort();
    this.wanted = null;
    this.selection = this.detail = this.range = null;
    this.causes.clear();
    this.cursor = null;
    this.moved();
    this.panelChanged("event");
    this.panelChanged("range");
  }

  /** Zooms until single events are seen around a moment. */
  closeIn(tick) {
    const ns = this.clock.ns(tick);
    const from = this.clock.tick(ns - 50e6), to = this.clock.tick(ns + 50e6);
    if (this.axis.width * this.axis.scale > to - from) this.axis.fit(from, to, 0);
  }

  async walkCause() {
    if (!this.selection) return this.say("Select an event first.");
    const cause = this.causes.causeOf(this.selection);
    if (!cause) return this.say(`${this.spoken(this.selection)}: this is the root.`);
    this.causes.trail.push(this.selection.event);
    await this.select(cause);
  }

  async walkEffect() {
    if (!this.selection) return this.say("Select an event first.");
    const effect = this.causes.trail.pop() ?? this.causes.effectOf(this.selection);
    if (!effect) return this.say("Nothing that was recorded follows from this event.");
    await this.select(effect);
  }

  /** The next or previous event of a lane, at whatever zoom. */
  async stepEvent(direction) {
    // Of the lane in focus, which is the one of the selected event until somebody goes to another.
    const lane = this.lanes.focused?.lane ?? this.selection?.lane;
    if (lane === undefined || lane === null) return;
    const at = this.selection?.tick ?? this.axis.tick(this.axis.width / 2);
    const id = this.selection?.event;
    // Looks further and further.
    for (let span = Math.max(1, this.axis.scale * this.axis.width / 4); ; span *= 8) {
      const from = direction > 0 ? at : Math.max(0, at - span), to = direction > 0 ? at + span : at;
      const { events, more } = await this.source.events({ from, to, lanes: [lane], limit: 2000 });
      const own = events.findIndex(event => event.event === id);
      const next = direction > 0
        ? events[own + 1] ?? null
        : own >= 0 ? events[own - 1] : more ? null : events.filter(event => event.tick <= at).at(-1);
      if (next) return this.select(next.event);
      if (more && direction < 0 && span > 16) { span /= 64; continue; }
      if (from <= 0 && direction < 0 || to >= this.trace.ticks && direction > 0) break;
    }
    this.say(direction > 0 ? "This is the last event of the lane." : "This is the first event of the lane.");
  }

  fitSelection() {
    if (this.range) this.axis.fit(this.range.from, this.range.to, 0.05);
    else if (this.causes.steps.length > 1) {
      const ticks = this.causes.steps.map(step => step.tick).filter(Number.isFinite);
      this.axis.fit(Math.min(...ticks), Math.max(...ticks), 0.1);
    } else if (this.selection) this.closeIn(this.selection.tick);
    else if (this.lanes.focused?.first !== null && this.lanes.focused?.first !== undefined)
      this.axis.fit(this.lanes.focused.first, this.lanes.focused.last, 0.05);
    this.moved();
  }

  whole() { this.axis.whole(); this.moved(); }

  setRange(from, to) {
    this.range = from === to ? null : { from: Math.max(0, Math.min(from, to)), to: Math.min(this.trace.ticks, Math.max(from, to)) };
    this.moved();
  }

  show(panel) {
    this.panel = panel;
    this.panels?.show(panel);
    this.moved();
  }

  async find(text) {
    this.show("search");
    await this.search.run(text, this.lanes.filter ? this.lanes.rows.filter(row => row.lane).map(row => row.lane.lane) : null);
    if (this.search.hits.length) await this.nextHit(1);
    else this.say(this.search.problem ?? `Nothing has “${text}”.`);
    this.panelChanged("search");
  }

  async nextHit(direction) {
    const { search } = this;
    const hit = search.next(direction, this.selection?.tick ?? this.axis.tick(0), this.selection?.event);
    if (!hit) return this.say(search.text ? `Nothing has “${search.text}”.` : "Search first: press /");
    await this.select(hit.event, { panel: this.panel === "search" ? "search" : "event" });
    this.panelChanged("search");
    this.say(`${search.at + 1} of ${search.hits.length}: ${this.spoken(hit)}`, { isSeen: true });
  }

  moveFocus(by) {
    const { lanes } = this;
    lanes.focus = Math.min(Math.max(0, lanes.focus + by), lanes.rows.length - 1);
    lanes.scrollToFocus(this.chart?.fit ?? 20);
    this.sayFocus();
    if (this.panel === "lane") this.panelChanged("lane");
    this.moved();
  }

  /** The lane that has the focus, for who hears the page. */
  sayFocus() {
    const row = this.lanes.rows[this.lanes.focus];
    this.say(row?.heading ?? (row ? `${row.lane.name || row.lane.label}, ${row.lane.operator ?? row.lane.kind}, ${counted(row.lane.values ?? 0, "value")}` : ""), { isSeen: true });
  }

  setTheme(name) {
    this.themeName = THEME_NAMES.includes(name) ? name : "system";
    this.colours = theme(this.themeName);
    document.documentElement.dataset.theme = this.colours.name;
    try { localStorage.setItem("varve-theme", this.themeName); } catch { /* not allowed here */ }
    this.redraw();
  }

  nextTheme() {
    this.setTheme(THEME_NAMES[(THEME_NAMES.indexOf(this.themeName) + 1) % THEME_NAMES.length]);
    this.say(`Colours: ${this.themeName}`);
  }

  /** More of a trace that is being written. */
  grow(trace) {
    const wasWhole = this.axis.isWhole, atEnd = this.axis.end >= this.trace.ticks;
    this.trace = withLosses(trace);
    this.clock = new Clock(trace.clock);
    this.axis.length = Math.max(1, trace.ticks);
    this.lanes.replace(trace.lanes);
    this.tiles.outdate(trace.lanes.length);
    this.tiles.generation = trace.generation;
    this.events.outdate();
    this.slices.outdate();
    if (!this.detail) this.panelChanged("event");
    // With counts that grow.
    for (const name of ["graph", "lane", "state"]) this.panelChanged(name);
    if (!this.isPaused) {
      if (wasWhole) this.axis.whole();
      else if (atEnd) { this.axis.start = trace.ticks - this.axis.width * this.axis.scale * 0.97; this.axis.keepInside(); }
    }
    this.redraw();
  }

  /** Seconds since the beginning as the command takes them. */
  option(tick) { return `+${(this.clock.ns(tick) / 1e9).toFixed(9)}s`; }
  span(from, to) { return duration(this.clock.ns(to) - this.clock.ns(from)); }
}

/** A lane that has nothing else than losses is shown for their sake. */
function withLosses(trace) {
  for (const { lane } of trace.losses ?? []) if (trace.lanes[lane]) trace.lanes[lane].empty = false;
  return trace;
}
