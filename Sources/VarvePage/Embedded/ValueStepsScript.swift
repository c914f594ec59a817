// swift-format-ignore-file
// Written by Tools/embed-page.

extension PageFile {
  static let valueStepsScript = PageFile(name: "value-steps.js", text: ##"""
// Values over time: a line of steps in the lanes of streams of numbers.

import { laneColour } from "./colours.js";

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
      context.strokeStyle = laneColour(colours, row.lane.lane);
      context.lineWidth = 1.5;
      context.beginPath();
      let before = null;
      for (const [tick, value] of points) {
        const x = left + axis.x(tick);
        if (before === null) context.moveTo(x, y(value));
        else { context.lineTo(x, before); context.lineTo(x, y(value)); }
        before = y(value);
      }
      context.lineTo(left + axis.x(axis.end), before);
      context.stroke();
      // Each value as a point and the last as a number, so that the line can be read.
      context.fillStyle = context.strokeStyle;
      if (points.length < 300) for (const [tick, value] of points) context.fillRect(left + axis.x(tick) - 1.5, y(value) - 1.5, 3, 3);
    }
  }
}
"""##)
}
