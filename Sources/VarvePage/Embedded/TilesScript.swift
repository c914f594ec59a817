// swift-format-ignore-file
// Written by Tools/embed-page.

extension PageFile {
  static let tilesScript = PageFile(name: "tiles.js", text: ##"""
// What the server counted: cells of one octet, in tiles of 256 buckets of 4^level ticks.

export const BUCKETS = 256;
const MOST_TILES = 60_000;
const NONE = { cells: null, times: 1, offset: 0 };

/** The level whose buckets are just not wider than a pixel. */
export function levelOf(ticksPerPixel) {
  return Math.max(0, Math.floor(Math.log2(Math.max(ticksPerPixel, 1)) / 2));
}

export class TileCache {
  /** `ask(level, first, count, lanes, signal)` answers `{ estimate, unknown, cells }`. */
  constructor(ask, laneCount, arrived) {
    this.ask = ask;
    this.laneCount = Math.max(1, laneCount);
    this.arrived = arrived;
    this.levels = new Map();
    this.size = 0;
    this.asking = null;
    this.isEstimate = false;
    this.failures = 0;
    this.outdated = null;
    this.outdatedWidth = 0;
  }

  tile(level, index, lane) { return this.levels.get(level)?.get(index * this.laneCount + lane); }

  clear(laneCount = this.laneCount) {
    this.levels.clear();
    this.outdated = null;
    this.size = 0;
    this.laneCount = Math.max(1, laneCount);
    this.asking?.abort();
    this.asking = null;
  }

  /** The trace has grown: all is asked for again, and the old tiles are drawn until these come. */
  outdate(laneCount) {
    const before = this.levels.size ? this.levels : this.outdated, width = this.laneCount;
    this.levels = new Map();
    this.clear(laneCount);
    [this.outdated, this.outdatedWidth] = [before, before === this.outdated ? this.outdatedWidth : width];
  }

  /** Asks for what of a part of the picture is not there yet; one question at a time. */
  want(level, from, to, lanes) {
    const width = 4 ** level * BUCKETS;
    const first = Math.max(0, Math.floor(from / width)), last = Math.max(first, Math.floor(to / width));
    const missing = [];
    for (const lane of lanes)
      for (let index = first; index <= last; index++)
        if (!this.tile(level, index, lane)) { missing.push(lane); break; }
    if (!missing.length || last - first > 64) return true;
    if (this.asking) {
      if (this.asking.level === level || Date.now() < this.asking.until) return false;
      this.asking.abort();
    }
    this.fetch(level, first, last - first + 1, missing.slice(0, 256));
    return false;
  }

  async fetch(level, first, number, lanes) {
    const asking = new AbortController();
    asking.level = level;
    asking.until = Date.now() + 1500;
    this.asking = asking;
    try {
      const answer = await this.ask(level, first, number, lanes, asking.signal);
      if (this.asking !== asking) return;
      this.failures = 0;
      if (this.size > MOST_TILES) { this.levels.clear(); this.size = 0; }
      this.isEstimate = answer.estimate;
      if (!this.levels.has(level)) this.levels.set(level, new Map());
      const tiles = this.levels.get(level);
      lanes.forEach((lane, row) => {
        for (let index = 0; index < number; index++) {
          const at = (row * number + index) * BUCKETS;
          tiles.set((first + index) * this.laneCount + lane, answer.cells.subarray(at, at + BUCKETS));
        }
      });
      this.size += lanes.length * number;
    } catch (error) {
      if (error.name !== "AbortError") {
        this.failures++;
        await new Promise(done => setTimeout(done, Math.min(5000, 200 * 2 ** this.failures)));
      }
    }
    if (this.asking === asking) { this.asking = null; this.arrived(); }
  }

  /** The tile, or what a coarser one says of the same time, while the tile is on its way. */
  nearest(level, index, lane) {
    for (let coarser = 0; coarser < 10; coarser++) {
      const times = 4 ** coarser;
      const cells = this.tile(level + coarser, Math.floor(index / times), lane);
      if (cells) return { cells, times, offset: (index % times) * BUCKETS };
    }
    const cells = lane < this.outdatedWidth && this.outdated?.get(level)?.get(index * this.outdatedWidth + lane);
    return cells ? { cells, times: 1, offset: 0 } : null;
  }

  /** One octet a pixel of a lane: the highest count of its buckets, and the flags of all. */
  columns(into, lane, level, start, ticksPerPixel) {
    const width = 4 ** level, perPixel = ticksPerPixel / width;
    // Buckets count from the first that is seen: small numbers, with which this loop takes half as long.
    const first = Math.floor(start / width), least = Math.max(0, -first);
    let at = start / width - first, begins = 0, ends = 0, cells = null, times = 1, offset = 0;
    for (let x = 0; x < into.length; x++, at += perPixel) {
      const from = Math.floor(at) | 0, to = Math.max(from + 1, Math.floor(at + perPixel)) | 0;
      let most = 0, flags = 0;
      for (let bucket = Math.max(least, from) | 0; bucket < to; bucket++) {
        if (bucket >= ends || bucket < begins) {
          const tile = Math.floor((first + bucket) / BUCKETS);
          begins = tile * BUCKETS - first;
          ends = begins + BUCKETS;
          ({ cells, times, offset } = this.nearest(level, tile, lane) ?? NONE);
        }
        if (cells === null) continue;
        const inside = bucket - begins, cell = cells[times === 1 ? inside : Math.floor((offset + inside) / times)];
        if ((cell & 15) > most) most = cell & 15;
        flags |= cell & 0xf0;
      }
      into[x] = most | flags;
    }
  }
}
"""##)
}
