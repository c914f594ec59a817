// swift-format-ignore-file
// Written by Tools/embed-page.

extension PageFile {
  static let listsPanelsScript = PageFile(name: "lists-panels.js", text: ##"""
// The panels that are lists: what was found, findings, the state at a moment, a lane, latencies, the graph,
// and the page after a crash.

import { element, put, legible, brief, breakable, count, counted, signalName } from "./elements.js";
import { duration, moment } from "./time-axis.js";
import { button, factList, linkedText, told, sourceLines, KINDS } from "./event-panel.js";
import { figures } from "./range-panel.js";

const MOST = 200; // rows of a list

export function searchPanel(viewer, body) {
  const { search } = viewer;
  if (search.state === "none") {
    return put(body, element("h2", {}, "Search"), element("p", {}, "Press / and type: a part of a name or value, a /regular expression/, or a condition after a question mark, as in ?value > 3. n and N go on."));
  }
  const states = { running: "searching …", capped: "the first 5,000", stopped: "stopped", failed: search.problem, done: "" };
  const progress = search.state === "running" && search.progress ? ` ${Math.round(100 * search.progress.done / Math.max(1, search.progress.total))} %` : "";
  const from = Math.max(0, Math.min(search.at - 20, search.hits.length - MOST));
  return put(body,
    search.state === "failed" && !search.hits.length ? element("h2", {}, element("span", { class: "of" }, "cannot be searched for: "), brief(search.text, 40))
      : element("h2", {}, count(search.hits.length), " ", element("span", { class: "of" }, "have "), brief(search.text, 40)),
    element("p", { class: search.state === "failed" ? "warning" : "note", role: "status" }, states[search.state] + progress, search.state === "running" ? [" ", button("stop", () => search.stop.abort())] : null),
    from > 0 ? element("p", { class: "note" }, `${count(from)} before`) : null,
    eventList(viewer, search.hits.slice(from, from + MOST), event => viewer.select(event.event, { panel: "search" })),
    search.hits.length > from + MOST ? element("p", { class: "note" }, `${count(search.hits.length - from - MOST)} more`) : null);
}

export function eventList(viewer, events, run) {
  return element("ol", { class: "list" }, events.map(event => element("li", {}, element("button", {
    type: "button", class: "plain", onclick: () => run(event), "aria-current": viewer.selection?.event === event.event ? "true" : null,
  }, element("b", {}, brief(viewer.nameOf(event.lane), 40)), " ", element("span", { class: "what" }, event.value !== null && event.value !== undefined ? brief(event.value, 80) : KINDS[event.kind] ?? event.kind),
    element("small", {}, viewer.time(event.tick))))));
}

/** A panel whose contents are asked for once a generation of the trace. Who does not want to wait stops it. */
export class AskedPanel {
  constructor(viewer, name, ask, render) { Object.assign(this, { viewer, name, ask, draw: render, key: null, answer: null, problem: null }); }

  render(body) {
    const key = String(this.viewer.trace.generation ?? 0);
    if (this.key !== key) { this.key = key; this.load(); }
    if (this.problem) put(body, element("p", { class: "warning" }, legible(this.problem)), button("ask again", () => this.load()));
    else if (this.answer === null) put(body, element("p", { class: "note", role: "status" }, this.progress ? `reading, ${Math.round(100 * this.progress.done / Math.max(1, this.progress.total))} %` : "asking …",
      " ", button("stop", () => this.stop?.abort())));
    else this.draw(this.viewer, body, this.answer);
  }

  async load() {
    this.stop?.abort();
    const stop = this.stop = new AbortController();
    Object.assign(this, { answer: null, progress: null, problem: null });
    this.viewer.panelChanged(this.name);
    const isOld = () => this.stop !== stop;
    try {
      const asked = this.ask(this.viewer.source, stop.signal);
      if (asked?.[Symbol.asyncIterator]) {
        const rows = [];
        for await (const { row, progress, done } of asked) {
          if (isOld()) return;
          if (row) rows.push(row);
          if (progress) { this.progress = progress; this.viewer.panelChanged(this.name); }
          if (done) this.answer = { ...done, rows: done.rows ?? rows };
        }
        if (isOld()) return;
        if (this.answer === null) throw new Error("the server stopped");
      } else {
        const answer = (await asked) ?? {};
        if (isOld()) return;
        this.answer = answer;
      }
    } catch (error) {
      if (isOld()) return;
      this.problem = error.name === "AbortError" ? "stopped" : error.message;
    }
    this.viewer.panelChanged(this.name);
  }
}

const SIGNS = { __proto__: null, error: "✗", warning: "!", note: "·" };

export function findingsPanel(viewer, body, answer) {
  const findings = answer.findings ?? (Array.isArray(answer) ? answer : []);
  if (answer.note) return put(body, element("h2", {}, "Not searched"), element("p", {}, legible(answer.note, 500)));
  if (!findings.length) return put(body, element("h2", {}, "Nothing was found by itself"), element("p", {}, "No leak, silence, storm, stale result or the like. Ask of a lane why it is silent, or of an event what led to it."));
  return put(body, element("h2", {}, `${findings.length} to look at`), element("ol", { class: "list findings" }, findings.map(finding =>
    element("li", { class: finding.severity ?? "note" }, element("button", { type: "button", class: "plain", onclick: () => toEvidence(viewer, finding) },
      element("b", {}, `${SIGNS[finding.severity] ?? "·"} ${brief(finding.title, 120)}`),
      element("small", {}, [finding.lane !== null && finding.lane !== undefined ? viewer.nameOf(finding.lane) : null, finding.place, Number.isFinite(finding.tick) ? viewer.time(finding.tick) : null].filter(Boolean).join(" · "))),
      told(viewer, finding.text, () => toEvidence(viewer, finding)),
      finding.command ? element("code", {}, legible(finding.command, 300)) : null))));
}

export async function toEvidence(viewer, finding) {
  // What would have come is told by no event: the lane's panel says why it did not.
  const isSilence = finding.title === "silence" && Number.isInteger(finding.lane) && viewer.source.isLive;
  if (isSilence) viewer.asksSilence = { lane: finding.lane, place: finding.place };
  else if (finding.event) {
    viewer.finding = finding.title && finding.text ? { ...finding, source: finding.place ? await viewer.source.source(finding.place).catch(() => null) : null } : null;
    return viewer.select(finding.event, { closes: true });
  }
  if (finding.lane !== null && finding.lane !== undefined) {
    viewer.lanes.reveal(finding.lane);
    viewer.lanes.scrollToFocus(viewer.chart?.fit ?? 20);
    viewer.show("lane");
  }
  if (Number.isFinite(finding.tick)) { viewer.axis.reveal(finding.tick); viewer.closeIn(finding.tick); }
  viewer.moved();
}

/** What was known at the cursor. */
export class StatePanel {
  constructor(viewer) { this.viewer = viewer; this.rows = []; this.tick = null; this.isAsking = false; }

  get at() { return this.viewer.cursor ?? this.viewer.selection?.tick ?? Math.min(this.viewer.trace.ticks, Math.max(0, this.viewer.axis.end)); }

  render(body) {
    const { viewer } = this, { player } = viewer;
    if (this.tick !== this.at && !this.isAsking) this.ask();
    const columns = [["stream", "Its last value is a click away"], ["value", "The last one until then"], ["for", "How long it had been known"]];
    columns.push(["open", "Subscriptions that had not ended"]);
    put(body, element("h2", {}, element("span", { class: "of" }, "known at "), moment(viewer.clock.ns(this.at))),
      element("div", { class: "row" },
        button("◂ (", () => player.step(-1), "", false), button(player.isPlaying ? "pause" : "play", () => player.toggle()), button(") ▸", () => player.step(1)),
        button("slower {", () => player.changeSpeed(-1)), element("span", { class: "note" }, `${player.speed} ×`), button("faster }", () => player.changeSpeed(1))),
      element("table", { class: "state" }, element("thead", {}, element("tr", {}, columns.map(([name, title]) => element("th", { title }, name)))),
        element("tbody", {}, this.rows.slice(0, 500).map(row => {
          const age = viewer.clock.ns(this.tick) - viewer.clock.ns(row.tick);
          return element("tr", { class: age < 3e8 && player.isPlaying ? "lit" : "" },
            element("th", { scope: "row" }, button(breakable(brief(viewer.nameOf(row.lane), 60)), () => row.event ? viewer.select(row.event) : this.toLane(row.lane), "lane")),
            element("td", {}, row.event ? row.value === "" ? element("span", { class: "note" }, "empty text") : brief(row.value ?? "", 60) : element("span", { class: "note" }, "no value yet")), element("td", { class: "number" }, Number.isFinite(age) ? duration(Math.max(0, age)) : ""),
            element("td", { class: "number" }, row.open === undefined ? "" : count(row.open))); }))),
      this.isPart ? element("p", { class: "note" }, "This is not all: there was too much to look through.") : null,
      this.rows.length > 500 ? element("p", { class: "note" }, `The first 500 of ${count(this.rows.length)} streams.`) : null,
      this.rows.length ? null : element("p", { class: "note" }, "No stream had a value yet, or was observed."));
  }

  toLane(lane) {
    this.viewer.lanes.reveal(lane);
    this.viewer.lanes.scrollToFocus(this.viewer.chart?.fit ?? 20);
    this.viewer.moved();
  }

  async ask() {
    this.isAsking = true;
    const tick = this.at;
    try { const answer = await this.viewer.source.state(tick); this.rows = answer.rows; this.isPart = answer.more; this.tick = tick; } catch (error) { this.tick = tick; this.viewer.say(error.message); }
    this.isAsking = false;
    this.viewer.panelChanged("state");
  }
}

/** A lane: what it is, who feeds it, its subscriptions, why it is silent. */
export class LanePanel {
  constructor(viewer) { this.viewer = viewer; this.lane = null; }

  render(body) {
    const { viewer } = this, lane = viewer.lanes.focused;
    if (!lane) return put(body, element("h2", {}, "No lane is in focus"), element("p", {}, "Up and down go from lane to lane, or click the name of one."));
    if (this.lane !== lane.lane) { this.lane = lane.lane; this.silence = this.subscriptions = this.source = this.problem = null; this.isAsking = false; this.stop?.abort(); this.ask(lane); }
    // A click on a stretch asks about that one, in place of any other.
    const asked = viewer.asksSilence;
    viewer.asksSilence = null;
    if (asked?.lane === lane.lane) this.askSilence(lane, asked.at, asked.place);
    const silence = lane.kind === "stream" && viewer.source.isLive ? element("section", {}, element("h3", {}, "why is it silent?"), this.silence ? [linkedText(viewer, this.silence), sourceLines(this.marked?.source, this.marked?.place), this.isAsking ? button("stop", () => this.stop?.abort()) : null] : button("ask", () => this.askSilence(lane)),
      this.problem ? element("p", { class: "warning" }, legible(this.problem)) : null) : null;
    const ns = tick => tick === null || tick === undefined ? null : moment(viewer.clock.ns(tick));
    const fed = (lane.parents ?? []).map(one => viewer.laneOf(one));
    const feeds = viewer.trace.lanes.filter(other => other.parents?.includes(lane.lane));
    const link = other => button(brief(other.label || other.name, 40), () => { viewer.lanes.reveal(other.lane); viewer.lanes.scrollToFocus(viewer.chart?.fit ?? 20); viewer.show("lane"); }, "chip");
    put(body, element("h2", {}, brief(lane.name || lane.label, 80)),
      factList([["kind", lane.kind === "stream" || lane.kind === "task" ? lane.operator : lane.kind], ["process", lane.process], ["at the end", lane.phase], ["place", lane.place], ["type", lane.type], ["values", lane.values !== undefined ? count(lane.values ?? 0) : null],
        ["read", lane.reads ? counted(lane.reads, "time") : null], ["failed", lane.failed ? count(lane.failed) : null], ["completed", lane.completed ? count(lane.completed) : null], ["interrupted", lane.interrupted ? count(lane.interrupted) : null],
        ["subscriptions", lane.subscriptions ? `${count(lane.subscriptions)}${lane.open ? `, ${count(lane.open)} open` : ""}` : null], [lane.kind === "task" ? "made" : "first", ns(lane.first)], [lane.kind === "task" ? "since" : "last", ns(lane.last)]]),
      this.silence ? silence : null,
      sourceLines(this.source, lane.place),
      fed.length ? element("section", {}, element("h3", {}, lane.kind === "task" ? "made by" : "fed by"), element("div", { class: "row" }, fed.map(link))) : null,
      feeds.length ? element("section", {}, element("h3", {}, lane.kind === "task" ? "made" : "feeds"), element("div", { class: "row" }, feeds.slice(0, 40).map(link))) : null,
      this.silence ? null : silence,
      this.subscriptions?.length ? element("section", {}, element("h3", {}, "subscriptions"), element("ol", { class: "list" }, this.subscriptions.slice(0, MOST).map(one => element("li", {}, element("button", {
        type: "button", class: "plain", onclick: () => one.event ? viewer.select(one.event) : null }, `#${one.subscription ?? one.id} `,
        element("small", {}, `${ns(one.from) ?? "before"} – ${ns(one.to) ?? "open"}${one.reason ? ` · ${brief(one.reason, 60)}` : ""}`)))))) : null);
  }

  async ask(lane) {
    const { viewer } = this;
    const own = lane.lane;
    const answers = await Promise.allSettled([lane.kind === "stream" ? viewer.source.subscriptions(own) : null, lane.place ? viewer.source.source(lane.place) : null]);
    if (this.lane !== own) return;
    this.subscriptions = answers[0].value?.subscriptions ?? null;
    this.source = answers[1].value ?? null;
    viewer.panelChanged("lane");
  }

  /** Shows the lines of `place` below the answer, or of the one that it marks. */
  async askSilence(lane, at, place) {
    this.stop?.abort();
    const { viewer } = this, stop = this.stop = new AbortController(), rows = [];
    this.silence = "asking …";
    this.problem = this.marked = null;
    this.isAsking = true;
    viewer.panelChanged("lane");
    try {
      for await (const { row, done, progress } of viewer.source.silence({ lane: lane.lane, at }, stop.signal)) {
        if (this.stop !== stop || this.lane !== lane.lane) return;
        if (row) rows.push(row.text ?? Object.values(row).filter(one => one !== null).join("  "));
        if (progress) this.silence = `asking … ${Math.round(100 * progress.done / Math.max(1, progress.total))} %`;
        if (done) this.isAsking = false;
        if (done) this.silence = done.text ?? (rows.join("\n") || "nothing was found");
        viewer.panelChanged("lane");
      }
      place ??= /^▸ (\S+\.swift:\d+)/m.exec(this.silence)?.[1];
      const source = place ? await viewer.source.source(place).catch(() => null) : null;
      if (this.stop === stop && this.lane === lane.lane) this.marked = { place, source };
    } catch (error) {
      if (this.stop !== stop || this.lane !== lane.lane) return;
      this.silence = null;
      this.isAsking = false;
      this.problem = error.name === "AbortError" ? "stopped" : error.message;
    }
    viewer.panelChanged("lane");
  }
}

export function latencyPanel(viewer, body, answer) {
  const rows = answer.rows ?? answer.schedulers ?? [];
  if (!rows.length) return put(body, element("h2", {}, "No work was scheduled"), element("p", {}, "Nothing hopped between threads in this recording."));
  return put(body, element("h2", {}, "How long work waited and ran"),
    element("p", { class: "note" }, "It waits from being given to beginning, a delay that was asked for included."), rows.map(row => element("section", { class: "statistics" },
    element("h3", {}, brief(row.scheduler ?? row.name ?? (row.lane !== undefined ? viewer.nameOf(row.lane) : ""), 60), row.count ? ` ${counted(row.count, "time")}` : ""),
    row.waits ?? row.wait ? figures("waited", row.waits ?? row.wait, duration) : null,
    row.runs ?? row.run ? figures("ran", row.runs ?? row.run, duration) : null)));
}

/** Streams by who feeds whom, with what each delivered. */
export function graphPanel(viewer, body) {
  const streams = viewer.trace.lanes.filter(lane => lane.kind === "stream");
  const shown = new Set();
  const children = new Map();
  for (const lane of streams) for (const parent of lane.parents ?? []) {
    if (!children.has(parent)) children.set(parent, []);
    children.get(parent).push(lane);
  }
  let rows = 0;
  const node = (lane, depth) => {
    if (++rows > 1000 || depth > 40) return null;
    const again = shown.has(lane.lane);
    shown.add(lane.lane);
    const below = again ? [] : children.get(lane.lane) ?? [];
    return element("li", {}, element("div", { class: "node" }, button(breakable(brief(lane.label || lane.name || `#${lane.id}`, 44)), () => { viewer.lanes.reveal(lane.lane); viewer.lanes.scrollToFocus(viewer.chart?.fit ?? 20); viewer.moved(); }, "lane"),
      element("small", {}, `${count(lane.values ?? 0)}${lane.failed ? ` ✗${count(lane.failed)}` : ""}${lane.open ? ` · ${count(lane.open)} open` : ""}${again ? " · above" : ""}`)),
      below.length ? element("ul", {}, below.map(other => node(other, depth + 1))) : null);
  };
  const roots = streams.filter(lane => !(lane.parents ?? []).length);
  return put(body, element("h2", {}, `${counted(streams.length, "stream")}, as values flow`), element("ul", { class: "graph" }, roots.map(lane => node(lane, 0))),
    rows > 1000 ? element("p", { class: "note" }, "The first 1,000 are shown; Ctrl-P finds any.") : null);
}

/** What came before the end, with the end at the right, and the lane of what came last. */
export async function toLastMoment(viewer) {
  const { axis, clock, trace } = viewer, before = ns => Math.max(0, clock.tick(clock.ns(trace.ticks) - ns));
  axis.fit(before(100e6), trace.ticks, 0.04);
  viewer.moved();
  for (const ns of [1e5, 1e6, 1e7, 1e8]) {
    const { events } = await viewer.source.events({ from: before(ns), to: trace.ticks, limit: 2000 });
    if (!events.length) continue;
    viewer.lanes.reveal(events.at(-1).lane);
    viewer.lanes.scrollToFocus(viewer.chart?.fit ?? 20);
    return viewer.moved();
  }
}

/** The first screen after a crash, or of a program that was killed. Sections are `{ title, text }` or `{ title, rows: [...] }`. */
export function postmortemPanel(viewer, body, answer) {
  const { trace } = viewer;
  const sections = answer.sections ?? (answer.text ? [{ title: "", text: answer.text }] : []);
  return put(body, element("h2", { class: "failed" }, answer.title ?? `✗ ${trace.ended}${trace.signal ? `: ${signalName(trace.signal)}` : ""}`),
    button("to the last moment", () => toLastMoment(viewer).catch(error => viewer.say(error.message))),
    sections.map(section => element("section", {}, section.title ? element("h3", {}, legible(section.title, 200)) : null,
      section.text ? linkedText(viewer, section.text) : null,
      section.rows ? element("ol", { class: "list" }, section.rows.slice(0, MOST).map(row => element("li", {}, row.event || row.lane !== undefined
        ? element("button", { type: "button", class: "plain", onclick: () => toEvidence(viewer, row) }, element("span", { class: "what wraps" }, legible(row.text ?? "", 600)), row.place ? element("small", {}, legible(row.place, 200)) : null)
        : element("span", { class: "wraps" }, legible(row.text ?? row, 600))))) : null)));
}

/** Where two recordings differ, stream by stream, the first difference on top and lit. */
export function diffPanel(viewer, body, answer) {
  const rows = answer.rows ?? [], differing = rows.filter(row => row.kind === "differs"), [own, other] = (answer.files ?? ["this", "the other"]).map(name => name.split("/").pop());
  const side = (row, name) => element("td", {}, row[`${name}_value`] === null ? element("span", { class: "note" }, "nothing more") : brief(row[`${name}_value`], 200),
    element("small", {}, `${count(row[`${name}_count`] ?? 0)} in all`));
  const show = row => row.left ? viewer.select(row.left, { closes: true, panel: "diff" }) : viewer.say("This recording has no such event.");
  return put(body,
    rows.length ? element("h2", {}, rows.length === 1 ? "1 stream differs" : `${count(rows.length)} streams differ`, element("span", { class: "of" }, `, ${answer.same === 1 ? "1 does" : `${count(answer.same ?? 0)} do`} not`))
      : [element("h2", {}, "They do not differ"), element("p", {}, `${counted(answer.same ?? 0, "stream")} delivered the same in both.`)],
    answer.isWhole === false ? element("p", { class: "warning" }, "Not all of it was compared: there are too many streams.") : null,
    differing.length ? element("table", { class: "state diff" }, element("thead", {}, element("tr", {}, element("th", {}, "stream"), element("th", {}, brief(own, 60)), element("th", {}, brief(other, 60)))),
      element("tbody", {}, differing.slice(0, MOST).map((row, index) => element("tr", { class: index === 0 ? "lit" : "" },
        element("th", { scope: "row" }, button(breakable(brief(row.name, 40)), () => show(row), "lane"), element("small", {}, `from value ${count(row.ordinal)} on`)), side(row, "left"), side(row, "right"))))) : null,
    ["left", "right"].map((name, index) => {
      const only = rows.filter(row => row.kind === "only" && row.side === name);
      return only.length ? element("section", {}, element("h3", {}, `only in ${brief([own, other][index], 60)}`), element("ul", { class: "list" }, only.slice(0, MOST).map(row => element("li", {}, brief(row.name, 80))))) : null;
    }));
}
"""##)
}
