// swift-format-ignore-file
// Written by Tools/embed-page.

extension PageFile {
  static let minimapScript = PageFile(name: "minimap.js", text: ##"""
// The whole trace above the lanes: how much happened when, and which part is seen.

import { levelOf } from "./tiles.js";

export class Minimap {
  constructor(viewer, canvas) {
    this.viewer = viewer;
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.key = "";
    let from = null;
    const seek = event => {
      const tick = event.offsetX / canvas.clientWidth * viewer.axis.length;
      if (from === null) return;
      if (Math.abs(event.offsetX - from) < 4) viewer.axis.start = tick - viewer.axis.width * viewer.axis.scale / 2;
      else viewer.axis.fit(Math.min(tick, this.tick(from)), Math.max(tick, this.tick(from)), 0);
      viewer.axis.keepInside();
      viewer.moved();
    };
    canvas.addEventListener("pointerdown", event => { from = event.offsetX; canvas.setPointerCapture(event.pointerId); seek(event); });
    canvas.addEventListener("pointermove", seek);
    canvas.addEventListener("pointerup", () => { from = null; });
  }

  tick(x) { return x / this.canvas.clientWidth * this.viewer.axis.length; }

  draw() {
    const { viewer, canvas, context } = this, { axis, colours } = viewer;
    const ratio = Math.min(3, devicePixelRatio || 1), width = canvas.clientWidth, height = canvas.clientHeight;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colours.raised;
    context.fillRect(0, 0, width, height);
    this.density(ratio, width, height);
    const from = axis.start / axis.length * width, to = axis.end / axis.length * width;
    context.fillStyle = colours.range;
    context.fillRect(from, 0, Math.max(2, to - from), height);
    context.fillStyle = colours.accent;
    context.fillRect(from, 0, 1.5, height);
    context.fillRect(Math.max(from + 2, to - 1.5), 0, 1.5, height);
    for (const hit of viewer.search.hits.slice(0, 2000)) context.fillRect(hit.tick / axis.length * width, 0, 1, 5);
    if (viewer.selection) context.fillRect(viewer.selection.tick / axis.length * width - 1, height - 7, 3, 7);
  }

  /** How much happened when: drawn once for what is known, since it is some thousand bars. */
  density(ratio, width, height) {
    const { viewer, context, canvas } = this, { axis, colours, tiles, trace } = viewer;
    if (this.trace !== trace) {
      // Mostly streams, but a program may have none. Tasks have no events of their own.
      const streams = trace.lanes.filter(lane => lane.kind === "stream"), others = trace.lanes.filter(lane => lane.kind === "scheduler" || lane.kind === "thread");
      this.lanes = [...streams.slice(0, Math.max(48, 64 - others.length)), ...others.slice(0, Math.max(16, 64 - streams.length))].map(lane => lane.lane);
      this.trace = trace;
    }
    const level = levelOf(axis.length / width);
    tiles.want(level, 0, axis.length - 1, this.lanes);
    const key = `${canvas.width}:${canvas.height}:${ratio}:${axis.length}:${tiles.size}:${tiles.isEstimate}:${tiles.generation ?? 0}:${colours.name}`;
    if (key !== this.key) {
      this.key = key;
      this.drawn ??= document.createElement("canvas");
      [this.drawn.width, this.drawn.height] = [canvas.width, canvas.height];
      const into = this.drawn.getContext("2d");
      into.scale(ratio, ratio);
      this.bars(into, level, width, height);
    }
    context.drawImage(this.drawn, 0, 0, width, height);
  }

  bars(context, level, width, height) {
    const { axis, colours, tiles } = this.viewer, columns = Math.max(1, Math.floor(width));
    const line = new Uint8Array(columns), sums = new Float64Array(columns), failed = new Uint8Array(columns);
    for (const lane of this.lanes) {
      tiles.columns(line, lane, level, 0, axis.length / width);
      for (let x = 0; x < columns; x++) {
        if (line[x] & 15) sums[x] += 2 ** ((line[x] & 15) - 1);
        if (line[x] & 0x10) failed[x] = 1;
      }
    }
    const most = sums.reduce((a, b) => Math.max(a, b), 1);
    for (let x = 0; x < columns; x++) {
      if (!sums[x]) continue;
      const tall = Math.max(2, Math.sqrt(sums[x] / most) * (height - 8));
      context.fillStyle = failed[x] ? colours.failed : colours.other;
      context.fillRect(x, height - tall, 1, tall);
    }
  }
}
"""##)
}
