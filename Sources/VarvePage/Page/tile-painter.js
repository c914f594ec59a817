// Draws how many events there were: for each lane, bars whose height is the logarithm of a count. They are
// written into an image of a few pixels a lane, which `drawImage` enlarges: with software rendering that is
// eight times as fast as rectangles.

import { laneColour, pixel } from "./colours.js";
import { levelOf } from "./tiles.js";

const PARTS = 8; // pixels a lane

export class TilePainter {
  constructor() {
    this.small = document.createElement("canvas");
    this.inks = new Map();
    this.themeName = null;
  }

  inksOf(colours, lane) {
    if (this.themeName !== colours.name) { this.inks.clear(); this.themeName = colours.name; }
    const colour = laneColour(colours, lane);
    if (!this.inks.has(colour)) this.inks.set(colour, {
      value: pixel(colour), other: pixel(colour, colours.back, 0.45), failed: pixel(colours.failed), lost: pixel(colours.lost),
    });
    return this.inks.get(colour);
  }

  /** Draws rows `{ lane, y }` of a height; answers where failures are, as `[x, y]` in CSS pixels. */
  paint(context, tiles, axis, rows, left, rowHeight, ratio, colours) {
    const width = Math.max(1, Math.round(axis.width * ratio)), height = Math.max(1, rows.length * PARTS);
    if (this.small.width !== width || this.small.height !== height || !this.image) {
      this.small.width = width;
      this.small.height = height;
      this.into = this.small.getContext("2d");
      this.image = this.into.createImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.line = new Uint8Array(width);
    }
    const { pixels, line } = this;
    pixels.fill(0);
    const perPixel = axis.scale / ratio, level = levelOf(perPixel), failures = [];
    rows.forEach((row, index) => {
      if (!row.lane) return;
      tiles.columns(line, row.lane.lane, level, axis.start, perPixel);
      const inks = this.inksOf(colours, row.lane), base = index * PARTS * width;
      let lastFailure = -Infinity;
      for (let x = 0; x < width; x++) {
        const cell = line[x];
        if (cell === 0) continue;
        const tall = Math.min(PARTS - 1, 2 + Math.ceil((cell & 15) * 5 / 8)), first = PARTS - tall;
        const isFailed = (cell & 0x10) !== 0, isOnlyOther = (cell & 0xf0) === 0x80;
        const ink = isFailed ? inks.failed : (cell & 0x40) !== 0 ? inks.lost : isOnlyOther ? inks.other : inks.value;
        for (let part = isFailed ? 1 : first; part < PARTS; part++) pixels[base + part * width + x] = ink;
        if (isFailed && x - lastFailure > 14 * ratio) { failures.push([left + x / ratio, row.y]); lastFailure = x; }
      }
    });
    this.into.putImageData(this.image, 0, 0);
    context.imageSmoothingEnabled = false;
    // Rows stand without gaps, in blocks: the whole at once.
    if (rows.length) context.drawImage(this.small, 0, 0, width, height, left, rows[0].y, axis.width, rows.length * rowHeight);
    return failures;
  }
}
