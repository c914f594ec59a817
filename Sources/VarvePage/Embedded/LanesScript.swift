// swift-format-ignore-file
// Written by Tools/embed-page.

extension PageFile {
  static let lanesScript = PageFile(name: "lanes.js", text: ##"""
// Which lanes are seen, in which order: folded groups, pins, hidden ones and filters.

const HEADINGS = { __proto__: null, stream: "Streams", scheduler: "Schedulers", thread: "Threads", task: "Tasks" };
const RANKS = { __proto__: null, stream: 0, scheduler: 1, thread: 2, task: 3 };
const MANY = 40; // from here on, groups begin folded
const COLOURS = 8; // as many as a theme has for lanes

export class Lanes {
  constructor(lanes) {
    this.pinned = new Set();
    this.hidden = new Set();
    this.folded = new Set();
    this.foldedKinds = new Set();
    this.colours = new Map(); // a number of a colour for each lane
    this.filter = null;
    this.filterText = "";
    this.focus = 0;
    this.top = 0; // the first row seen, as a fraction of rows
    this.replace(lanes);
    if (lanes.filter(lane => lane.kind === "stream").length > MANY) this.foldAll();
    this.focus = Math.max(0, this.rows.findIndex(row => row.lane));
  }

  /** More lanes have come, of a trace that is being written. */
  replace(lanes) {
    this.all = lanes;
    // Those that came later have later numbers, wherever they belong.
    this.ordered = lanes.some(lane => lane.order !== undefined)
      ? [...lanes].sort((a, b) => (a.order ?? a.lane) - (b.order ?? b.lane)) : lanes;
    // Of several processes, each has its lanes together.
    this.processes = [...new Set(lanes.map(lane => lane.process).filter(Boolean))];
    if (this.processes.length) {
      const place = lane => lane.process ? this.processes.indexOf(lane.process) : this.processes.length;
      this.ordered = [...this.ordered].sort((a, b) => RANKS[a.kind] - RANKS[b.kind] || place(a) - place(b));
    }
    this.members = new Map();
    for (const lane of lanes) {
      if (lane.group === null || lane.group === undefined) continue;
      if (!this.members.has(lane.group)) this.members.set(lane.group, []);
      this.members.get(lane.group).push(lane.lane);
    }
    this.colour();
    this.layOut();
  }

  /** Gives each lane a colour that none near it has, whether groups are folded or not; one that has come keeps
      its own. */
  colour() {
    const seen = this.ordered.filter(lane => !lane.empty), isHead = lane => lane.group === null || lane.group === undefined;
    const choose = (all, most) => all.forEach((lane, index) => {
      if (this.colours.has(lane.lane)) return;
      const near = new Set();
      for (let by = -most; by <= most; by++) if (by) near.add(this.colours.get(all[index + by]?.lane));
      this.colours.set(lane.lane, freeColour(lane.lane % COLOURS, near));
    });
    choose(seen.filter(isHead), 3);
    choose(seen, 3);
  }

  /** Of rows that are neighbours, whatever lies hidden between them, none has the colour of the other. */
  colourRows(rows) {
    const lanes = rows.filter(row => row.lane).map(row => row.lane);
    lanes.forEach((lane, index) => {
      const above = lanes[index - 1]?.colour, below = this.colours.get(lanes[index + 1]?.lane), own = this.colours.get(lane.lane);
      lane.colour = own === above ? freeColour(own, new Set([above, below])) : own;
    });
  }

  foldAll() { for (const group of this.members.keys()) this.folded.add(group); this.layOut(); }
  unfoldAll() { this.folded.clear(); this.foldedKinds.clear(); this.layOut(); }

  isFoldedAway(lane) {
    let group = lane.group;
    for (let steps = 0; group !== null && group !== undefined && steps < 64; steps++) {
      if (this.folded.has(group)) return true;
      group = this.all[group]?.group;
    }
    return false;
  }

  /** The part of the picture that a lane is in, below a heading of its own. */
  part(lane) { return this.processes.length ? `${lane.kind} ${lane.process ?? ""}` : lane.kind; }

  layOut() {
    const pins = [], rows = [];
    let last = this.processes.length ? "" : "stream";
    for (const lane of this.ordered) {
      if (lane.empty) continue;
      if (this.pinned.has(lane.lane)) { pins.push({ lane, pinned: true }); continue; }
      if (this.hidden.has(lane.lane)) continue;
      if (this.filter ? !this.filter(lane) : this.isFoldedAway(lane)) continue;
      const own = this.part(lane);
      if (own !== last && HEADINGS[lane.kind]) rows.push({ heading: HEADINGS[lane.kind] + (lane.process ? ` of ${lane.process}` : ""), kind: own });
      last = own;
      if (!this.filter && this.foldedKinds.has(own)) continue;
      rows.push({ lane });
    }
    this.rows = [...pins, ...rows];
    this.colourRows(this.rows);
    this.rowOf = new Map();
    this.rows.forEach((row, index) => { if (row.lane) this.rowOf.set(row.lane.lane, index); });
    this.focus = Math.min(this.focus, Math.max(0, this.rows.length - 1));
  }

  get focused() { return this.rows[this.focus]?.lane ?? null; }

  toggle(set, lane) {
    if (set.has(lane)) set.delete(lane); else set.add(lane);
    this.layOut();
  }

  fold(row) {
    if (row?.heading) this.toggle(this.foldedKinds, row.kind);
    else if (row?.lane && this.members.has(row.lane.lane)) this.toggle(this.folded, row.lane.lane);
    else if (row?.lane?.group !== null && row?.lane?.group !== undefined) {
      const group = row.lane.group;
      this.toggle(this.folded, group);
      this.focus = this.rowOf.get(group) ?? this.focus;
    }
  }

  /** Makes sure that a lane has a row: unfolds, shows, and drops a filter that is against it. */
  reveal(number) {
    const lane = this.all[number];
    if (!lane) return;
    if (!this.rowOf.has(number)) {
      this.hidden.delete(number);
      this.foldedKinds.delete(this.part(lane));
      for (let group = lane.group; group !== null && group !== undefined; group = this.all[group]?.group)
        if (!this.folded.delete(group) && this.all[group]?.group === group) break;
      this.layOut();
    }
    if (!this.rowOf.has(number)) { this.filter = null; this.filterText = ""; this.layOut(); }
    this.focus = this.rowOf.get(number) ?? this.focus;
  }

  /** Scrolls so that the row in focus is among so many that fit. */
  scrollToFocus(fit) {
    if (this.focus < this.top + 1) this.top = Math.max(0, this.focus - 1);
    if (this.focus > this.top + fit - 2) this.top = this.focus - fit + 2;
    this.keepInside(fit);
  }

  keepInside(fit) { this.top = Math.min(Math.max(0, this.top), Math.max(0, this.rows.length - fit)); }

  /** Lanes by glob (`*` and `?`), by `/regex/`, or by words that the name contains; or, where a condition like
      `?value > 3` was asked about, those that were `found`. */
  setFilter(text, found = null) {
    // A stroke alone is the beginning of an expression.
    const wanted = text.trim() === "/" ? "" : text.trim();
    this.filter = found ? lane => found.has(lane.lane) : wanted.startsWith("?") ? null : wanted ? matcher(wanted) : null;
    this.filterText = wanted;
    this.top = 0;
    this.layOut();
    this.focus = Math.max(0, this.rows.findIndex(row => row.lane));
  }
}

/** A colour that is not among those near it: the one that is wished for, or one of the next. */
function freeColour(wished, near) {
  for (let by = 0; by < COLOURS; by++) if (!near.has((wished + by) % COLOURS)) return (wished + by) % COLOURS;
  return wished;
}

/** Whether code has read a property and nothing else happened in its lane. */
export function isReadAlone(lane) {
  return lane.kind === "stream" && lane.reads > 0 && !(lane.subscriptions || lane.values || lane.failed || lane.completed || lane.interrupted);
}

/** What a filter's text means. Throws what is wrong with a regular expression. */
export function matcher(text) {
  const names = lane => [lane.name, lane.label, lane.place ?? "", lane.process ?? ""];
  // While it is typed, it has no second stroke yet.
  const expression = /^\/(.+?)(?:\/(i?))?$/.exec(text);
  if (expression) {
    const found = new RegExp(expression[1], expression[2]);
    return lane => names(lane).some(name => found.test(name));
  }
  if (/[*?]/.test(text)) {
    const globs = text.split(/\s+/).map(glob => new RegExp(
      "^" + glob.replace(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*").replaceAll("?", ".") + "$"));
    return lane => globs.some(glob => glob.test(lane.name) || glob.test(lane.label));
  }
  const words = text.toLowerCase().split(/\s+/);
  return lane => { const all = names(lane).join(" ").toLowerCase(); return words.every(word => all.includes(word)); };
}
"""##)
}
