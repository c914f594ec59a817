// swift-format-ignore-file
// Written by Tools/embed-page.

extension PageFile {
  static let eventSearchScript = PageFile(name: "event-search.js", text: ##"""
// Finds events by text, and steps through what was found.

export class EventSearch {
  constructor(source, changed) {
    this.source = source;
    this.changed = changed;
    this.clear();
  }

  clear() {
    this.stop?.abort();
    Object.assign(this, { text: "", hits: [], at: -1, state: "none", progress: null, problem: null, stop: null });
  }

  /** `/expression/` is a regular expression; `value > 3` and the like a condition, when it begins with `?`. */
  async run(text, lanes) {
    this.clear();
    const query = question(text);
    if (!query) return this.changed();
    this.text = text;
    this.state = "running";
    const stop = this.stop = new AbortController();
    this.changed();
    try {
      for await (const { row, progress } of this.source.search({ ...query, lanes }, stop.signal)) {
        if (this.stop !== stop) return;
        if (row) this.hits.push(row);
        if (progress) this.progress = progress;
        if (this.hits.length >= 5000) { this.state = "capped"; stop.abort(); break; }
        if (row && this.hits.length === 1 || this.hits.length % 200 === 0) this.changed();
      }
      if (this.stop === stop && this.state === "running") this.state = "done";
    } catch (error) {
      if (this.stop !== stop) return;
      if (error.name === "AbortError") this.state = "stopped";
      else { this.state = "failed"; this.problem = error.message; }
    }
    this.hits.sort((a, b) => a.tick - b.tick);
    this.changed();
  }

  /** The next one after a moment, or before it; around the ends. */
  next(direction, tick, current) {
    if (!this.hits.length) return null;
    let index = current ? this.hits.findIndex(hit => hit.event === current) : -1;
    if (index < 0) {
      const after = this.hits.findIndex(hit => hit.tick >= tick);
      index = direction > 0 ? (after < 0 ? 0 : after) : (after < 0 ? this.hits.length : after) - 1;
    } else index += direction;
    this.at = (index + this.hits.length) % this.hits.length;
    return this.hits[this.at];
  }
}

export function question(text) {
  const trimmed = text.trim();
  if (!trimmed) return null;
  if (trimmed.startsWith("?")) return { text: "", where: trimmed.slice(1).trim() };
  const expression = /^\/(.+)\/$/.exec(trimmed);
  return expression ? { text: expression[1], regex: true } : { text: trimmed };
}
"""##)
}
