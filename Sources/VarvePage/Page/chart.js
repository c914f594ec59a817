// The picture: lanes over time, and what lies upon them. Draws at most once a frame, and only what is seen.

import { axisMarks, duration } from "./time-axis.js";
import { brief, count } from "./elements.js";
import { laneColour } from "./colours.js";
import { isReadAlone } from "./lanes.js";
import { levelOf } from "./tiles.js";
import { lowerBound } from "./embedded-source.js";
import { MarblePainter, clusters } from "./marbles.js";
import { SlicePainter } from "./slices.js";
import { TilePainter } from "./tile-painter.js";

export const ROW = 26;
export const AXIS = 30;
const LIT = 36; // pixels behind the moment of the replay in which an event lights its lane

export class Chart {
  constructor(viewer, canvas) {
    this.viewer = viewer;
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.tilePainter = new TilePainter();
    this.marblePainter = new MarblePainter();
    this.slicePainter = new SlicePainter();
    this.hits = [];
    this.frames = { draw: [], gap: [] }; // what frames cost, for measurements
    this.isDirty = true;
    this.last = 0;
    this.resize();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    requestAnimationFrame(time => this.frame(time));
  }

  get gutter() { return Math.min(Math.max(360, this.width * 0.16), Math.max(190, this.width * 0.24)); }
  /** How far a lane's name is moved in: less where there is little room. */
  indent(row) { return row.pinned ? 0 : Math.min(8, row.lane?.depth ?? 0) * Math.min(12, this.gutter / 30); }
  get fit() { return Math.max(1, (this.height - AXIS) / ROW); }

  resize() {
    const box = this.canvas.parentElement.getBoundingClientRect();
    this.ratio = Math.min(3, Math.max(1, devicePixelRatio || 1));
    this.width = Math.max(200, box.width);
    this.height = Math.max(80, box.height);
    const wide = Math.round(this.width * this.ratio), tall = Math.round(this.height * this.ratio);
    if (this.canvas.width !== wide || this.canvas.height !== tall) { this.canvas.width = wide; this.canvas.height = tall; }
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${this.height}px`;
    this.viewer.axis.resize(this.width - this.gutter);
    this.redraw();
  }

  redraw() { this.isDirty = true; }

  frame(time) {
    requestAnimationFrame(next => this.frame(next));
    this.viewer.step?.(time);
    if (this.ratio !== Math.min(3, Math.max(1, devicePixelRatio || 1))) this.resize();
    if (!this.isDirty) { this.last = 0; return; }
    this.isDirty = false;
    const began = performance.now();
    this.draw();
    const { draw, gap } = this.frames;
    draw.push(performance.now() - began);
    if (this.last) gap.push(time - this.last);
    if (draw.length > 2000) { draw.shift(); gap.shift(); }
    this.last = time;
  }

  /** The rows that are seen, and where. */
  seenRows() {
    const { lanes } = this.viewer;
    lanes.keepInside(this.fit);
    const first = Math.floor(lanes.top), offset = (lanes.top - first) * ROW, rows = [];
    for (let index = first; index < lanes.rows.length; index++) {
      const y = AXIS + (index - first) * ROW - offset;
      if (y > this.height) break;
      rows.push({ ...lanes.rows[index], index, y: Math.round(y) });
    }
    return rows;
  }

  yOf(lane) {
    const index = this.viewer.lanes.rowOf.get(lane);
    return index === undefined ? null : AXIS + (index - this.viewer.lanes.top) * ROW + ROW / 2;
  }

  draw() {
    const { context, viewer, width, height, gutter } = this;
    const { axis, colours } = viewer;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = colours.back;
    context.fillRect(0, 0, width, height);
    const rows = this.seenRows();
    this.hits = [];
    this.stripes(rows, colours);
    const marked = axisMarks(axis, viewer.clock);
    this.grid(marked, colours);
    context.save();
    context.beginPath();
    context.rect(gutter, AXIS, width - gutter, height - AXIS);
    context.clip();
    this.damage(colours);
    // Below the events, whose colours it would change.
    this.range(colours);
    this.events(rows, colours);
    this.cursor(colours);
    viewer.causes.paintHeads(context, colours);
    context.restore();
    this.names(rows, colours);
    this.axis(marked, colours);
    viewer.minimap?.draw(rows);
  }

  /** Where events of a chain are drawn that stand among others: arrows lead there. */
  drawnAt(steps) {
    const { events, axis } = this.viewer, drawn = new Map(), wanted = new Set(steps.map(step => step.event));
    for (const lane of new Set(steps.map(step => step.lane)))
      for (const { x, events: all } of clusters(events.byLane.get(lane) ?? [], tick => this.gutter + axis.x(tick)))
        if (all.length > 1) for (const { event } of all) if (wanted.has(event)) drawn.set(event, x);
    return drawn;
  }

  spot(step, x = this.gutter + this.viewer.axis.x(step.tick)) {
    const y = this.yOf(step.lane);
    if (y === null || step.tick === null || step.tick === undefined) return null;
    return { x, y: Math.min(Math.max(y, AXIS - 40), this.height + 40) };
  }

  stripes(rows, colours) {
    for (const row of rows) {
      if (row.heading) { this.context.fillStyle = colours.raised; this.context.fillRect(0, row.y, this.width, ROW); }
      else if (row.index % 2) { this.context.fillStyle = colours.stripe; this.context.fillRect(0, row.y, this.width, ROW); }
    }
  }

  grid({ marks }, colours) {
    this.context.fillStyle = colours.line;
    for (const mark of marks) if (mark.x >= 0) this.context.fillRect(Math.round(this.gutter + mark.x), AXIS, 1, this.height);
  }

  damage(colours) {
    const { axis, trace } = this.viewer;
    for (const damage of trace.damage ?? []) {
      const from = this.gutter + axis.x(damage.from), to = this.gutter + axis.x(damage.to);
      this.context.fillStyle = colours.damage;
      this.context.fillRect(from, AXIS, Math.max(2, to - from), this.height);
    }
    for (const loss of trace.losses ?? []) {
      const from = this.gutter + axis.x(loss.from), to = Math.max(this.gutter + axis.x(loss.to), this.gutter + axis.x(loss.from) + 3);
      this.context.strokeStyle = colours.lost;
      this.context.lineWidth = 1;
      this.context.beginPath();
      for (let x = Math.max(from, this.gutter); x < Math.min(to, this.width); x += 6) { this.context.moveTo(x, AXIS + 6); this.context.lineTo(x + 6, AXIS); }
      this.context.stroke();
      this.lossInLane(loss, from, to, colours);
    }
    // Of what the page has not, nothing is known.
    const { part } = this.viewer.source;
    this.context.fillStyle = colours.raised;
    for (const [from, to] of part ? [[0, part.from], [part.to, trace.ticks]] : []) this.context.fillRect(this.gutter + axis.x(from), AXIS, axis.x(to) - axis.x(from), this.height);
    // After the end there is nothing.
    const end = this.gutter + axis.x(trace.ticks);
    this.context.fillStyle = colours.raised;
    if (end < this.width) this.context.fillRect(end, AXIS, this.width - end, this.height);
    const start = this.gutter + axis.x(0);
    if (start > this.gutter) this.context.fillRect(this.gutter, AXIS, start - this.gutter, this.height);
    if (end < this.width && trace.ended && trace.ended !== "running") {
      this.context.fillStyle = trace.ended === "clean" ? colours.line : colours.failed;
      this.context.fillRect(end, AXIS, 2, this.height);
    }
  }

  /** In the lane of its thread, a loss is hatched, and says how much is missing. */
  lossInLane(loss, from, to, colours) {
    const { context } = this, y = loss.lane === null || loss.lane === undefined ? null : this.yOf(loss.lane);
    const left = Math.max(from, this.gutter), right = Math.min(to, this.width);
    if (y === null || y < AXIS - ROW || y > this.height + ROW || right <= left) return;
    const top = y - ROW / 2 + 2, tall = ROW - 4;
    context.save();
    context.beginPath();
    context.rect(left, top, right - left, tall);
    context.clip();
    context.beginPath();
    for (let x = left - tall; x < right; x += 6) { context.moveTo(x, top + tall); context.lineTo(x + tall, top); }
    context.stroke();
    const text = `${count(loss.count ?? 0)} lost`;
    context.font = "600 11px system-ui, sans-serif";
    const wide = context.measureText(text).width;
    if (wide + 12 < right - left) {
      context.fillStyle = colours.back;
      context.fillRect(left + 3, top + 2, wide + 6, tall - 4);
      context.fillStyle = colours.text;
      context.textAlign = "left";
      context.textBaseline = "middle";
      context.fillText(text, left + 6, y + 0.5);
    }
    context.restore();
  }

  events(rows, colours) {
    const { viewer, context, gutter } = this, { axis } = viewer;
    // Slices overlap their lanes' tiles.
    const workers = rows.filter(row => row.lane && row.lane.kind !== "stream");
    const streams = rows.filter(row => row.lane && row.lane.kind === "stream");
    const numbers = rows.filter(row => row.lane).map(row => row.lane.lane);
    const isDetailed = numbers.length > 0 && viewer.events.want(axis.start, axis.end, numbers);
    this.isDetailed = isDetailed;
    let failed = [];
    if (!isDetailed) {
      const perPixel = axis.scale / this.ratio;
      viewer.tiles.want(levelOf(perPixel), Math.max(0, axis.start), Math.min(axis.end, viewer.trace.ticks), numbers);
      failed = this.tilePainter.paint(context, viewer.tiles, axis, rows, gutter, ROW, this.ratio, colours);
    }
    viewer.slices.want(axis.start, axis.end, workers.map(row => row.lane.lane), viewer.trace.ticks, axis.scale / this.ratio);
    for (const row of workers) {
      const busy = isDetailed ? clusters(viewer.events.byLane.get(row.lane.lane) ?? [], tick => gutter + axis.x(tick)).map(one => one.x) : [];
      this.slicePainter.paint(context, viewer.slices.byLane.get(row.lane.lane) ?? [], axis, gutter, row.y, ROW, colours, this.hits, busy, viewer.lines);
    }
    this.resumptions(workers, axis, colours);
    viewer.steps?.paint(context, streams, axis, gutter, ROW, colours);
    // Over bars and slices, but below single events and their values, so that these can be read.
    const drawnAt = isDetailed ? this.drawnAt(viewer.causes.steps) : new Map();
    viewer.causes.paint(context, step => this.spot(step, drawnAt.get(step.event)), colours);
    if (isDetailed) {
      const isLine = lane => viewer.steps?.isShown && lane.numeric;
      for (const row of [...workers, ...streams])
        this.marblePainter[isLine(row.lane) ? "paintOnLine" : "paint"](context, row.lane, viewer.events.byLane.get(row.lane.lane) ?? [], axis, gutter, row.y, ROW, colours, this.hits, viewer.selection?.event);
    }
    this.tilePainter.paintCrosses(context, failed, axis, gutter, this.ratio, this.marblePainter.pixels("cross", this.ratio, colours));
    for (const hit of viewer.search.hits) {
      const y = this.yOf(hit.lane);
      if (y === null) continue;
      const x = gutter + axis.x(hit.tick);
      if (x < gutter || x > this.width) continue;
      context.fillStyle = colours.accent;
      context.beginPath();
      context.moveTo(x - 4, y - ROW / 2); context.lineTo(x + 4, y - ROW / 2); context.lineTo(x, y - ROW / 2 + 6);
      context.fill();
    }
    if (viewer.selection && !isDetailed) {
      const spot = this.spot(viewer.selection);
      if (spot) this.marblePainter.ringAround(context, spot.x, spot.y, colours);
    }
  }

  /** Who resumed a task: an arrow from the lane of one to that of the other. */
  resumptions(workers, axis, colours) {
    const { viewer, gutter } = this, arrows = [];
    for (const row of workers) for (const slice of viewer.slices.byLane.get(row.lane.lane) ?? []) {
      if (slice.by === undefined) continue;
      const x = gutter + axis.x(slice.from), from = this.yOf(slice.by);
      if (from !== null && x >= gutter && x <= this.width) arrows.push([x, from, row.y + ROW / 2]);
    }
    this.slicePainter.arrows(this.context, arrows, ROW, colours);
  }

  range(colours) {
    const { axis, range } = this.viewer;
    if (!range) return;
    const from = this.gutter + axis.x(range.from), to = this.gutter + axis.x(range.to);
    this.context.fillStyle = colours.range;
    this.context.fillRect(from, AXIS, to - from, this.height);
    this.context.fillStyle = colours.accent;
    this.context.fillRect(from, AXIS, 1, this.height);
    this.context.fillRect(to, AXIS, 1, this.height);
  }

  cursor(colours) {
    const { axis, cursor } = this.viewer;
    if (cursor === null) return;
    this.context.fillStyle = colours.accent;
    this.context.fillRect(this.gutter + axis.x(cursor) - 1, AXIS, 2, this.height);
  }

  /** How brightly a lane is lit at the moment of the replay, from 0 to 1: more, the nearer its last event is. */
  light(lane) {
    const { viewer } = this, { axis, cursor, tiles } = viewer, x = cursor === null ? -1 : axis.x(cursor);
    if (x < 0 || x > axis.width) return 0;
    if (this.isDetailed) {
      const events = viewer.events.byLane.get(lane.lane) ?? [], last = events[lowerBound(events, cursor + 1) - 1];
      return last ? Math.max(0, 1 - (x - axis.x(last.tick)) / LIT) : 0;
    }
    const perPixel = axis.scale / this.ratio, line = new Uint8Array(Math.ceil(LIT / 2));
    tiles.columns(line, lane.lane, levelOf(perPixel), cursor - (line.length - 1) * perPixel, perPixel);
    const at = line.findLastIndex(cell => cell !== 0);
    return at < 0 ? 0 : (at + 1) / line.length;
  }

  names(rows, colours) {
    const { context, gutter, viewer } = this, { lanes } = viewer;
    context.save();
    context.beginPath();
    context.rect(0, AXIS, gutter, this.height);
    context.clip();
    context.fillStyle = colours.raised;
    context.fillRect(0, AXIS, gutter, this.height);
    for (const row of rows) {
      const middle = row.y + ROW / 2 + 0.5;
      if (row.index === lanes.focus) {
        context.fillStyle = colours.range;
        context.fillRect(0, row.y, gutter, ROW);
        context.fillStyle = colours.accent;
        context.fillRect(0, row.y, 3, ROW);
      }
      context.textAlign = "left";
      context.textBaseline = "middle";
      if (row.heading) {
        context.font = "600 11px system-ui, sans-serif";
        context.fillStyle = colours.faint;
        const process = /\[\d+\]$/.exec(row.heading)?.[0] ?? "";
        context.fillText(fitted(context, `${lanes.foldedKinds.has(row.kind) ? "▸" : "▾"} ${row.heading}`, gutter - 22, process), 10, middle);
        continue;
      }
      const lane = row.lane, indent = this.indent(row), light = this.light(lane);
      if (light > 0) {
        context.globalAlpha = 0.12 + 0.36 * light;
        context.fillStyle = laneColour(colours, lane);
        context.fillRect(3, row.y + 1, gutter - 9, ROW - 2);
        context.globalAlpha = 1;
      }
      const hasMembers = lanes.members.has(lane.lane);
      const isFaint = isReadAlone(lane);
      context.fillStyle = context.strokeStyle = laneColour(colours, lane);
      context.lineWidth = 1;
      // What was read alone has a hollow mark.
      if (isFaint) context.strokeRect(12.5 + indent, row.y + 8.5, 3, ROW - 17);
      else context.fillRect(12 + indent, row.y + 8, 4, ROW - 16);
      context.font = `${hasMembers ? "600 " : ""}${isFaint ? "italic " : ""}12.5px system-ui, sans-serif`;
      context.fillStyle = isFaint ? colours.faint : colours.text;
      const mark = row.pinned ? "◆ " : hasMembers ? (lanes.folded.has(lane.lane) ? "▸ " : "▾ ") : "";
      const state = lane.failed ? " ✗" : isFaint ? " only read" : "";
      const room = gutter - 34 - indent;
      context.fillText(fittedName(context, mark + brief(lane.label || lane.name || `#${lane.id ?? lane.lane}`, 60) + state, room), 22 + indent, middle);
    }
    if (!lanes.rows.length) {
      context.font = "12.5px system-ui, sans-serif";
      context.fillStyle = colours.faint;
      context.fillText(lanes.filterText ? "no lane matches" : "no lanes", 12, AXIS + 20);
    }
    context.restore();
    context.fillStyle = colours.line;
    context.fillRect(gutter - 1, 0, 1, this.height);
    // How far down this is.
    const part = this.fit / Math.max(1, lanes.rows.length);
    if (part < 1) {
      context.fillStyle = colours.faint;
      const room = this.height - AXIS;
      context.fillRect(gutter - 5, AXIS + lanes.top / lanes.rows.length * room, 3, Math.max(16, part * room));
    }
  }

  axis({ marks, base }, colours) {
    const { context, gutter, viewer } = this;
    context.fillStyle = colours.raised;
    context.fillRect(0, 0, this.width, AXIS);
    context.fillStyle = colours.line;
    context.fillRect(0, AXIS - 1, this.width, 1);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.textAlign = "left";
    let free = gutter;
    for (const mark of marks) {
      const x = gutter + mark.x;
      if (x < gutter) continue;
      context.fillStyle = colours.line;
      context.fillRect(Math.round(x), AXIS - 8, 1, 8);
      const wide = context.measureText(mark.label).width;
      if (x + 4 < free || x + 4 + wide > this.width) continue;
      context.fillStyle = colours.faint;
      context.fillText(mark.label, x + 4, AXIS / 2);
      free = x + wide + 14;
    }
    const inside = tick => viewer.clock.ns(Math.min(Math.max(0, tick), viewer.trace.ticks));
    const seen = inside(viewer.axis.end) - inside(viewer.axis.start);
    context.fillStyle = colours.text;
    context.font = "600 11.5px system-ui, sans-serif";
    const text = base ? `from ${duration(base, 1e3)}` : `${duration(seen)} in view`;
    context.fillText(fitted(context, text, gutter - 20), 10, AXIS / 2);
  }

  /** What is drawn nearest to a point; null on empty ground. */
  hit(x, y) {
    let best = null, distance = 12;
    for (const hit of this.hits) {
      if (Math.abs(hit.y - y) > ROW / 2) continue;
      if (hit.slice) { if (!best && x >= hit.x - 1 && x <= hit.x2 + 1) best = hit; continue; }
      const away = Math.abs(hit.x - x);
      if (away < distance) { best = hit; distance = away; }
    }
    return best;
  }

  rowAt(y) {
    if (y < AXIS) return null;
    const index = Math.floor(this.viewer.lanes.top + (y - AXIS) / ROW);
    const row = this.viewer.lanes.rows[index];
    return row ? { ...row, index } : null;
  }
}

/** The line, and what follows it, by which names like `property@Session.swift:10.producer` differ. */
const LINE = /(:\d+(\.\w+)?)?( ✗| only read)?$/;

/** A name cut to so many pixels; one that ends in a line keeps it. */
export function fittedName(context, name, room) {
  return fitted(context, name, room, LINE.exec(name)?.[0] ?? "");
}

const fits = new Map();
/** A text cut to so many pixels; its end stays. */
export function fitted(context, text, room, end = "") {
  const key = `${context.font}|${room | 0}|${text}`;
  let shown = fits.get(key);
  if (shown !== undefined) return shown;
  shown = text;
  if (context.measureText(text).width > room) {
    const tail = "…" + end;
    let low = 0, high = text.length - end.length;
    while (low < high) {
      const half = (low + high + 1) >> 1;
      if (context.measureText(text.slice(0, half) + tail).width <= room) low = half; else high = half - 1;
    }
    // A name of dots alone would say nothing.
    shown = (text.slice(0, low).replace(/[\s,.…]+$/, "") || text.slice(0, low)) + tail;
  }
  if (fits.size > 20_000) fits.clear();
  fits.set(key, shown);
  return shown;
}
