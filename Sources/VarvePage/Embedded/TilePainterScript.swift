// swift-format-ignore-file
// Written by Tools/embed-page.

extension PageFile {
  static let tilePainterScript = PageFile(name: "tile-painter.js", text: ##"""
// Draws how many events there were: for each lane, bars whose height is the logarithm of a count. They are
// written into an image of a few pixels a lane, which `drawImage` enlarges: with software rendering that is
// eight times as fast as rectangles.

import { laneColour, pixel } from "./colours.js";
import { levelOf } from "./tiles.js";

const PARTS = 8; // pixels a lane

/** From which part on a cell of a tile is drawn: none of an empty one. */
function firstPart(cell) {
  if (cell === 0) return PARTS;
  return (cell & 0x10) !== 0 ? 1 : PARTS - Math.min(PARTS - 1, 2 + Math.ceil((cell & 15) * 5 / 8));
}

export class TilePainter {
  constructor() {
    this.small = document.createElement("canvas");
    this.inks = new Map();
    this.themeName = null;
  }

  /** For each part, the pixel of each cell: looked up, since there are a million of them in a frame. */
  inksOf(colours, lane) {
    if (this.themeName !== colours.name) { this.inks.clear(); this.themeName = colours.name; }
    const colour = laneColour(colours, lane);
    if (!this.inks.has(colour)) {
      const value = pixel(colour), other = pixel(colour, colours.back, 0.45), failed = pixel(colours.failed), lost = pixel(colours.lost);
      this.inks.set(colour, Array.from({ length: PARTS }, (_, part) => Uint32Array.from({ length: 256 }, (_, cell) => {
        if (part < firstPart(cell)) return 0;
        return (cell & 0x10) !== 0 ? failed : (cell & 0x40) !== 0 ? lost : (cell & 0xf0) === 0x80 ? other : value;
      })));
    }
    return this.inks.get(colour);
  }

  /** Draws rows `{ lane, y }` of a height; answers where failures are, in device pixels `at`, for each row. */
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
    const perPixel = axis.scale / ratio, level = levelOf(perPixel), failed = [];
    rows.forEach((row, index) => {
      const base = index * PARTS * width;
      if (!row.lane) return pixels.fill(0, base, base + PARTS * width);
      tiles.columns(line, row.lane.lane, level, axis.start, perPixel);
      this.inksOf(colours, row.lane).forEach((inks, part) => {
        const first = base + part * width;
        for (let x = 0; x < width; x++) pixels[first + x] = inks[line[x]];
      });
      let lastFailure = -Infinity;
      for (let x = 0; x < width; x++)
        if ((line[x] & 0x10) !== 0 && x - lastFailure > 14 * ratio) {
          if (lastFailure < 0) failed.push({ y: row.y, at: [] });
          failed.at(-1).at.push(lastFailure = x);
        }
    });
    this.into.putImageData(this.image, 0, 0);
    context.imageSmoothingEnabled = false;
    // Rows stand without gaps, in blocks: the whole at once.
    if (rows.length) context.drawImage(this.small, 0, 0, width, height, left, rows[0].y, axis.width, rows.length * rowHeight);
    return failed;
  }

  /** Marks failures: copies of one cross, in an image as well, since there may be thousands. */
  paintCrosses(context, failed, axis, left, ratio, cross) {
    const size = cross.width, width = Math.round(axis.width * ratio), height = failed.length * size;
    if (!height) return;
    if (!this.marks || this.marks.width !== width || this.marks.height < height) {
      this.marks = new ImageData(width, height);
      this.marked = document.createElement("canvas");
      [this.marked.width, this.marked.height] = [width, height];
    }
    const pixels = new Uint32Array(this.marks.data.buffer), mark = new Uint32Array(cross.data.buffer), into = this.marked.getContext("2d");
    pixels.fill(0, 0, width * height);
    failed.forEach(({ at }, index) => {
      for (const x of at) {
        const first = x - size / 2;
        for (let down = 0; down < size; down++)
          for (let across = Math.max(0, -first); across < size && first + across < width; across++)
            pixels[(index * size + down) * width + first + across] = mark[down * size + across];
      }
    });
    into.putImageData(this.marks, 0, 0, 0, 0, width, height);
    failed.forEach(({ y }, index) => context.drawImage(this.marked, 0, index * size, width, size, left, y + 7 - size / ratio / 2, axis.width, size / ratio));
  }
}
"""##)
}
