// swift-format-ignore-file
// Written by Tools/embed-page.

extension PageFile {
  static let valueStepsScript = PageFile(name: "value-steps.js", text: ##"""
// Values over time: a line of steps in the lanes of streams of numbers.

import { laneColour } from "./colours.js";
import { isEnd } from "./marbles.js";
import { shown } from "./numbers.js";

export class ValueSteps {
  constructor(viewer) {
    this.viewer = viewer;
    this.isShown = false;
    this.byLane = new Map();
  }

  want(lane, axis) {
    const known = this.byLane.get(lane);
    if (known?.asking) return known;
    if (known && axis.start >= known.from && axis.end <= known.to && axis.scale * 3 > known.scale) return known;
    const span = axis.end - axis.start, from = Math.max(0, axis.start - span), to = axis.end + span;
    const next = { ...(known ?? { points: [] }), asking: true };
    this.byLane.set(lane, next);
    this.viewer.source.values({ lane, from, to }).then(answer => {
      this.byLane.set(lane, { ...answer, from, to, scale: axis.scale, asking: false });
      this.viewer.redraw();
    }).catch(() => this.byLane.set(lane, { points: [], from, to, scale: axis.scale, asking: false }));
    return next;
  }

  paint(context, rows, axis, left, height, colours) {
    if (!this.isShown) return;
    for (const row of rows) {
      if (!row.lane.numeric) continue;
      const { points, min, max } = this.want(row.lane.lane, axis);
      if (!points?.length) continue;
      const y = value => row.y + height - 4 - (max === min ? 0.5 : (value - min) / (max - min)) * (height - 8);
      context.strokeStyle = laneColour(colours, row.lane);
      context.lineWidth = 1.5;
      context.beginPath();
      let before = null;
      for (const [tick, value] of points) {
        const x = left + axis.x(tick);
        if (before === null) context.moveTo(x, y(value));
        else { context.lineTo(x, before); context.lineTo(x, y(value)); }
        before = y(value);
      }
      const end = left + axis.x(Math.min(axis.end, this.viewer.trace.ticks));
      if (end > left + axis.x(points.at(-1)[0])) context.lineTo(end, before);
      context.stroke();
      // Each value as a point, and as a number where there is room, so that the line can be read.
      context.fillStyle = context.strokeStyle;
      if (points.length < 300) for (const [tick, value] of points) context.fillRect(left + axis.x(tick) - 1.5, y(value) - 1.5, 3, 3);
      context.font = "10.5px system-ui, sans-serif";
      context.textAlign = "left";
      context.textBaseline = "middle";
      context.fillStyle = colours.text;
      const ends = (this.viewer.events.byLane.get(row.lane.lane) ?? []).filter(isEnd).map(event => left + axis.x(event.tick) - 6);
      const widthOf = text => context.measureText(text).width;
      for (const { x, text, value } of labelled(points, tick => left + axis.x(tick), ends, end, widthOf))
        if (x > left - 4) context.fillText(text, x, y(value) + (y(value) < row.y + height / 2 ? 8 : -7.5));
    }
  }
}

/** Those points of a line that have room for their number, up to the next point or the next end. */
export function labelled(points, xOf, ends, last, widthOf) {
  const found = [];
  if (points.length >= 300) return found;
  points.forEach(([tick, value], index) => {
    const next = index + 1 < points.length ? xOf(points[index + 1][0]) : last, text = shown(value);
    let x = xOf(tick) + 4;
    // The last one stands behind what ended with it.
    if (index + 1 === points.length) for (const end of ends) if (end > x - 10 && end < x + 40) x = Math.max(x, end + 12);
    const limit = Math.min(next, ...ends.filter(end => end > x - 10));
    if (limit - x > 10 && x + widthOf(text) + 3 <= limit) found.push({ x, text, value });
  });
  return found;
}
"""##)
}
