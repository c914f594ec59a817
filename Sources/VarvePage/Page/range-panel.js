// A range of time: how much happened, how often, how far apart, and the values.

import { element, put, count, counted, quoted, legible } from "./elements.js";
import { duration } from "./time-axis.js";
import { shown } from "./numbers.js";
import { button, factList } from "./event-panel.js";

const MOST = 100; // lanes

export class RangePanel {
  constructor(viewer) {
    this.viewer = viewer;
    this.key = "";
    this.result = null;
  }

  render(body) {
    const { viewer } = this, { range } = viewer;
    if (!range) {
      this.stop?.abort();
      this.key = "";
      return put(body, element("h2", {}, "No range is selected"),
        element("p", {}, "Drag along the time axis, or with shift over the lanes. r takes what is seen."));
    }
    const lanes = viewer.lanes.filter ? viewer.lanes.rows.filter(row => row.lane).map(row => row.lane.lane) : null;
    const key = `${range.from},${range.to},${lanes?.join() ?? ""},${viewer.trace.generation ?? 0}`;
    if (key !== this.key) { this.key = key; this.ask(range, lanes); }
    const ns = viewer.clock.ns(range.to) - viewer.clock.ns(range.from);
    const result = this.result;
    put(body, element("h2", {}, duration(ns), " ", element("span", { class: "of" }, "from "), viewer.time(range.from)),
      this.problem ? element("p", { class: "warning" }, legible(this.problem)) : null,
      !result && !this.problem ? element("p", { class: "note", role: "status" }, this.progress ? `counting, ${Math.round(100 * this.progress.done / Math.max(1, this.progress.total))} %` : "counting …",
        " ", button("stop", () => this.stop?.abort())) : null,
      result ? factList([["events", count(result.count)], ["rate", `${count(result.count / Math.max(1e-9, ns / 1e9))} a second`]]) : null,
      element("div", { class: "row" },
        button("copy as NDJSON (c)", () => viewer.ui.copyEvents()), button("copy the command (C)", () => viewer.ui.copyCommand()),
        button("fit (f)", () => viewer.fitSelection())),
      result ? this.rows(result.rows ?? []) : null,
      result && (result.lanes ?? result.rows?.length) > MOST ? element("p", { class: "note" }, `The ${MOST} busiest of ${count(result.lanes ?? result.rows.length)} lanes. Filter lanes for the others.`) : null);
  }

  async ask(range, lanes) {
    this.stop?.abort();
    const stop = this.stop = new AbortController();
    Object.assign(this, { result: null, progress: null, problem: null });
    const rows = [];
    try {
      for await (const { progress, row, done } of this.viewer.source.statistics({ ...range, lanes }, stop.signal)) {
        if (this.stop !== stop) return;
        if (row) rows.push(row);
        if (progress) { this.progress = progress; this.viewer.panelChanged("range"); }
        if (done) this.result = { ...done, rows: done.rows ?? rows };
      }
    } catch (error) {
      if (this.stop !== stop) return;
      this.problem = error.name === "AbortError" ? "stopped" : error.message;
    }
    if (this.result) this.viewer.say(`${counted(this.result.count, "event")} in the range`, { isSeen: this.viewer.panel === "range" });
    this.viewer.panelChanged("range");
  }

  rows(rows) {
    const { viewer } = this;
    return [...rows].sort((a, b) => b.count - a.count).slice(0, MOST).map(row => element("section", { class: "statistics" },
      element("h3", {}, button(viewer.nameOf(row.lane), () => { viewer.lanes.reveal(row.lane); viewer.show("lane"); }, "lane"),
        ` ${counted(row.count, "event")}`, row.failed ? element("span", { class: "failed" }, ` ✗ ${count(row.failed)}`) : null),
      row.gaps ? figures("gaps", row.gaps, duration) : null,
      row.durations ? figures(viewer.laneOf(row.lane).kind === "stream" ? "lasted" : "ran", row.durations, duration) : null,
      row.numbers ? figures("values", row.numbers, shown) : null));
  }
}

/** Quantiles in a line and a histogram below it. */
export function figures(title, summary, text) {
  return element("div", { class: "figures" },
    element("span", { class: "title" }, title),
    ...["p50", "p90", "p99", "max"].map(name => element("span", {}, element("small", {}, name), " ", text(summary[name]))),
    summary.histogram?.length > 1 ? bars(summary.histogram, text, summary.max) : null);
}

/** `greatest` is where the last bar ends: the bars themselves say where they begin. */
export function bars(histogram, text, greatest = histogram.at(-1)[0]) {
  const most = Math.max(...histogram.map(([, number]) => number));
  const drawing = element("div", { class: "bars", role: "img", "aria-label": histogram.filter(([, number]) => number)
    .map(([low, number]) => `from ${text(low)}: ${number}`).join(", ") });
  for (const [low, number] of histogram) {
    const bar = element("span", { title: `from ${text(low)}: ${count(number)}` });
    bar.style.height = `${number ? Math.max(6, 100 * Math.sqrt(number / most)) : 0}%`;
    drawing.append(bar);
  }
  return element("div", { class: "histogram" }, drawing, element("div", { class: "ends" }, element("small", {}, text(histogram[0][0])), element("small", {}, text(Math.max(greatest, histogram.at(-1)[0])))));
}

/** The names of the streams that a filter leaves, or, where these are too many to be written, the filter itself. */
function patterns(lanes) {
  const names = [...new Set(lanes.rows.filter(row => row.lane?.kind === "stream").map(row => row.lane.name))];
  // Of lanes with certain events, there is no shorter way to name them.
  if (names.length <= 24 || lanes.filterText.startsWith("?")) return names;
  return /^\/|[*?]/.test(lanes.filterText) ? [lanes.filterText] : lanes.filterText.split(/\s+/).map(one => `*${one}*`);
}

/** `varve replay` for the same events. */
export function replayCommand(viewer) {
  const { trace, range, lanes } = viewer;
  const words = ["varve", "replay", ...(trace.files ?? ["FILE"])];
  const [from, to] = range ? [range.from, range.to] : [viewer.axis.start, viewer.axis.end];
  if (range || !viewer.axis.isWhole) words.push("--since", viewer.option(Math.max(0, from)), "--until", viewer.option(Math.min(trace.ticks, to)));
  if (lanes.filterText) for (const one of patterns(lanes)) words.push("-n", one);
  return words.map(quoted).join(" ");
}
