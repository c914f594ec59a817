// Draws work on threads and schedulers: waiting in a queue, running, blocked.

import { brief } from "./elements.js";
import { samplesOf, shortPlace } from "./samples.js";

export class SliceWindow {
  constructor(source, arrived, lines) {
    this.source = source;
    this.arrived = arrived;
    this.lines = lines; // where in the program samples of work were taken
    this.forget();
  }

  forget() { this.byLane = new Map(); this.from = this.to = 0; this.key = ""; this.more = this.merged = false; this.pixel = 0; this.asking = null; }

  /** The trace has grown: slices are asked for again, and the old ones are drawn until these come. */
  outdate() { this.key = null; this.isOutdated = true; }

  /** `last` is where the recording ends, `pixel` how long one lasts: what is narrower comes as one. */
  want(from, to, lanes, last = Infinity, pixel = 0) {
    this.last = last;
    const key = lanes.join();
    const isFine = (!this.more || (to - from) * 4 > this.to - this.from) && (!this.merged || pixel * 2 > this.pixel);
    if (!lanes.length || (key === this.key && from >= this.from && to <= this.to && isFine)) return;
    if (!this.asking) this.fetch(from - (to - from) / 2, to + (to - from) / 2, lanes, key, pixel);
  }

  async fetch(from, to, lanes, key, pixel = 0) {
    this.asking = true;
    this.isOutdated = false; // what is on its way may know less than what is asked for later
    try {
      const answer = await this.source.slices({ from: Math.max(0, from), to, lanes, limit: 5000, pixel: Math.floor(pixel) });
      this.byLane = new Map();
      // Of a part of the recording, nobody knows whether what goes on beyond it ever ends.
      const isPart = !answer.isWhole && (to < this.last || answer.more);
      for (const slice of answer.slices) {
        if (isPart && (slice.to === null || slice.to === undefined)) slice.known = Math.min(to, this.last);
        if (!this.byLane.has(slice.lane)) this.byLane.set(slice.lane, []);
        this.byLane.get(slice.lane).push(slice);
      }
      this.lines?.want(answer.slices.flatMap(samplesOf).map(sample => sample.stack));
      Object.assign(this, { from, to, key: this.isOutdated ? null : key, pixel, more: answer.more, merged: answer.merged ?? false });
    } catch {
      await new Promise(done => setTimeout(done, 1000));
      Object.assign(this, { from, to, key });
    }
    this.asking = null;
    this.arrived();
  }
}

const MOST_ARROWS = 120; // more would hide what they are about

const AROUND = 9; // pixels that an event takes at each side of its moment

/** The first part of a slice that no event covers and that has room for a label; null without any. */
export function freeSpan(from, to, busy, least = 52) {
  for (const x of [...busy, Infinity]) {
    if (x + AROUND <= from) continue;
    const end = Math.min(to, x - AROUND);
    if (end - from > least) return { from, to: end };
    if (x >= to) return null;
    from = Math.max(from, x + AROUND - 4);
  }
  return null;
}

/** How many slices of work wait at once: spans `{ from, to, depth }` in order; `xOf` says where a tick is. */
export function depthsOf(slices, xOf) {
  const changes = [];
  for (const { state, from, to } of slices) if (state === "queued") changes.push([xOf(from), 1], [xOf(to), -1]);
  changes.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const spans = [];
  let depth = 0, since = 0;
  for (const [x, by] of changes) {
    if (depth > 0 && x > since) spans.push({ from: since, to: x, depth });
    since = x;
    depth += by;
  }
  return spans;
}

export class SlicePainter {
  /** Upright arrows: where, from which height, to which. */
  arrows(context, arrows, height, colours) {
    if (arrows.length > MOST_ARROWS) return;
    context.strokeStyle = context.fillStyle = colours.chain;
    context.lineWidth = 1;
    for (const [x, from, to] of arrows) {
      const down = to > from ? 1 : -1, tip = to - down * (height / 2 - 7);
      context.beginPath();
      context.moveTo(x + 0.5, from);
      context.lineTo(x + 0.5, tip);
      context.stroke();
      context.beginPath();
      context.moveTo(x + 0.5, tip);
      context.lineTo(x - 3, tip - down * 6);
      context.lineTo(x + 4, tip - down * 6);
      context.fill();
    }
  }

  /** `busy` are the places where events are drawn over the slices, in order: labels keep clear of them. `lines`
      knows where samples were taken. */
  paint(context, slices, axis, left, y, height, colours, hits, busy = [], lines = null) {
    // What is open goes on to the end of the recording.
    const right = left + axis.width, end = Math.min(right, left + axis.x(axis.length)), drawn = [];
    const labels = [];
    this.labels = labels;
    for (const slice of slices) {
      const from = Math.max(left, left + axis.x(slice.from));
      const to = Math.min(right, slice.to === null || slice.to === undefined ? end : left + axis.x(slice.to));
      if (to < left || from > right) continue;
      const wide = Math.max(1, to - from), inset = slice.state === "queued" ? 8 : slice.state === "waits" ? 6 : 4;
      context.fillStyle = slice.state === "queued" ? colours.queued : slice.state === "waits" ? colours.waits : colours.runs;
      context.fillRect(from, y + inset, wide, height - 2 * inset);
      if (slice.known === undefined && (slice.state === "open" || slice.to === null)) {
        // No end: dashes, so that colour alone does not tell.
        context.strokeStyle = colours.faint;
        context.lineWidth = 1;
        context.setLineDash([3, 3]);
        context.strokeRect(from + 0.5, y + inset + 0.5, wide - 1, height - 2 * inset - 1);
        context.setLineDash([]);
      }
      hits.push({ x: from, x2: from + wide, y: y + height / 2, slice, lane: slice.lane });
      if (slice.state !== "queued") drawn.push([slice, from, from + wide]);
    }
    // Over all bars, so that none hides what another one says.
    for (const [slice, from, to] of drawn) {
      if (lines && this.samples(context, slice, axis, left, y, height, colours, hits, busy, lines, from, to)) continue;
      const free = slice.label ? freeSpan(from, to, busy) : null;
      if (free) this.label(context, brief(slice.label, Math.floor((free.to - free.from - 8) / 7)), free.from + 4, y + height / 2 + 0.5, colours);
    }
    this.depths(context, slices, axis, left, y, height, colours, busy);
  }

  /** How much waited at once: a band that is the taller, the more does, and the number where there is room. */
  depths(context, slices, axis, left, y, height, colours, busy) {
    const right = left + axis.width, xOf = tick => Math.min(right, Math.max(left, tick === null || tick === undefined ? left + axis.x(axis.length) : left + axis.x(tick)));
    for (const { from, to, depth } of depthsOf(slices, xOf)) {
      if (depth < 2 || to - from < 1) continue;
      const tall = Math.min(18, 10 + 2 * Math.round(Math.log2(depth)));
      context.fillStyle = colours.queued;
      context.globalAlpha = 0.75;
      context.fillRect(from, y + height - 4 - (tall - 10) / 2 - 3, to - from, 3);
      context.fillRect(from, y + 4 - (tall - 10) / 2 + 4, to - from, 3);
      context.globalAlpha = 1;
      const text = String(depth), wide = 7 * text.length;
      const free = freeSpan(from, to, busy, wide + 8);
      if (!free || this.labels.some(([x, x2]) => x < free.from + wide + 8 && x2 > free.from)) continue;
      this.label(context, text, free.from + 4, y + height / 2 + 0.5, colours);
    }
  }

  label(context, text, x, y, colours) {
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = colours.text;
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillText(text, x, y);
    this.labels?.push([x, x + context.measureText(text).width + 4]);
  }

  /** Where work stood that takes long: a mark at each sample, and above them its line, where there is room, and
      anew where it is another one. Answers whether a line is told. */
  samples(context, slice, axis, left, y, height, colours, hits, busy, lines, from, to) {
    const all = samplesOf(slice).map(sample => ({ sample, x: left + axis.x(sample.tick), line: lines.line(sample.stack) }));
    for (const { sample, x } of all) {
      if (x < left || x > to) continue;
      context.fillStyle = context.strokeStyle = colours.text;
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(x - 3.5, y + height - 3.5);
      context.lineTo(x + 3.5, y + height - 3.5);
      context.lineTo(x, y + height - 9);
      context.closePath();
      if (sample.waits) context.stroke(); else context.fill();
      hits.push({ x, y: y + height / 2, lane: slice.lane, events: [{ event: sample.event, tick: sample.tick, lane: slice.lane, kind: "hopSampled", value: lines.text(sample) }] });
    }
    const told = all.filter(({ line }, index) => line && line.place !== all[index - 1]?.line?.place);
    let isTold = false;
    told.forEach(({ line, x }, index) => {
      const free = freeSpan(index ? Math.max(from, x) : from, Math.min(to, told[index + 1]?.x ?? to), busy);
      if (!free) return;
      isTold = true;
      this.label(context, shortPlace(line.place, Math.floor((free.to - free.from - 8) / 6.2)), free.from + 4, y + height / 2 - 2.5, colours);
    });
    return isTold;
  }
}
