// Puts the page together and listens to it.

import { element, put, quoted, brief, count, counted } from "./elements.js";
import { Chart } from "./chart.js";
import { Minimap } from "./minimap.js";
import { Panels } from "./panels.js";
import { Player } from "./player.js";
import { Viewer } from "./viewer.js";
import { commandsOf, keyOf, shownKey } from "./commands.js";
import { choose, ask, showKeys } from "./dialogs.js";
import { listenToPointer } from "./pointer.js";
import { replayCommand } from "./range-panel.js";
import { duration } from "./time-axis.js";
import { written } from "./place.js";
import { SILENT } from "./server-source.js";
import { SYSTEM } from "./colours.js";

export class Page {
  constructor(source, trace) {
    const viewer = this.viewer = new Viewer(source, trace);
    viewer.ui = this;
    viewer.player = new Player(viewer);
    viewer.step = time => viewer.player.advance(time);
    let kept = "system";
    try { kept = localStorage.getItem("varve-theme") ?? "system"; } catch { /* not allowed here */ }
    viewer.setTheme(kept);
    for (const asked of SYSTEM) matchMedia(asked).addEventListener("change", () => viewer.setTheme(viewer.themeName));

    this.spoken = element("div", { class: "spoken", role: "status", "aria-live": "polite" });
    this.toast = element("div", { class: "toast", "aria-hidden": "true", hidden: true });
    viewer.announce = (text, options) => this.say(text, options);
    this.searchField = this.field("Search (/)", "search", text => viewer.find(text));
    // A condition is asked about when it is written to its end.
    this.filterField = this.field("Filter lanes (l)", "filter", text => this.filter(text), text => text.trim().startsWith("?") || this.filter(text));
    this.status = element("span", { class: "status" });
    const tip = element("div", { class: "tip", hidden: true });
    const canvas = element("canvas", { class: "chart", tabindex: 0, role: "application", "aria-label": "Lanes of events over time. Arrow keys move, full stop and comma step through events, brackets walk to causes and effects, question mark lists all keys." });
    const map = element("canvas", { class: "minimap", "aria-hidden": "true" });
    viewer.panels = new Panels(viewer);
    this.panelList = viewer.panels.list;
    this.side = element("aside", { class: "side", "aria-label": "Details" }, viewer.panels.tabs, viewer.panels.body);
    const room = element("div", { class: "room" }, canvas, tip);
    this.live = trace.ended === "running" ? element("button", { type: "button", onclick: () => this.pauseLive() }, "pause") : null;
    put(document.body,
      element("header", { class: "bar" },
        element("strong", { class: "file", title: (trace.files ?? []).join("\n") }, brief((trace.files ?? []).map(name => name.split("/").pop()).join(", ") || "varve", 60)), this.status, this.live,
        element("span", { class: "spring" }), this.filterField, this.searchField,
        element("button", { type: "button", title: "Copy the command that opens this view (y)", onclick: () => this.copyView() }, "copy view"),
        element("button", { type: "button", title: "Colours (t)", "aria-label": "Colours", onclick: () => viewer.nextTheme() }, "◐"),
        element("button", { type: "button", title: "Run a command (Ctrl-K)", "aria-label": "Run a command", onclick: () => this.palette() }, "⌘"),
        element("button", { type: "button", title: "All keys (?)", "aria-label": "All keys", onclick: () => this.help() }, "?")),
      source.omitted ? element("p", { class: "omitted" }, source.omitted) : null,
      element("main", {}, element("div", { class: "picture" }, map, room), this.side),
      this.spoken, this.toast);
    viewer.chart = this.chart = new Chart(viewer, canvas);
    viewer.minimap = new Minimap(viewer, map);
    this.commands = commandsOf(viewer, this);
    this.byKey = new Map(this.commands.flatMap(command => command.keys.map(key => [key, command])));
    listenToPointer(viewer, this.chart, canvas, tip);
    addEventListener("keydown", event => this.key(event));
    // Who clicks goes on by keys where the picture is: space plays, rather than press the button again.
    addEventListener("click", event => { if (event.detail > 0 && event.target.closest?.("button") && !document.querySelector("dialog[open]")) canvas.focus({ preventScroll: true }); });
    addEventListener("hashchange", () => { if (location.hash.slice(1) !== viewer.place()) viewer.restore(location.hash.slice(1)); });
    // Without a word, empty lanes would look as if nothing had happened there.
    viewer.source.noticed = () => {
      this.showStatus();
      if (!viewer.source.answers) this.say(SILENT);
    };
    this.showStatus();
    canvas.focus({ preventScroll: true });
    this.ready = this.begin();
  }

  async begin() {
    const { viewer } = this;
    const { part } = viewer.source;
    if (part) viewer.axis.fit(part.from, part.to, viewer.axis.margin); else viewer.axis.whole();
    const fragment = location.hash.slice(1);
    if (fragment) await viewer.restore(fragment);
    else if (this.panelList.some(one => one.name === "crash")) viewer.show("crash");
    else if (this.panelList.some(one => one.name === "diff")) viewer.show("diff");
    this.filterShown();
  }

  showStatus(progress) {
    const { trace, clock } = this.viewer;
    const ended = { crashed: "✗ crashed", killed: "✗ killed", running: "● running" }[trace.ended];
    const text = [`${trace.exact === false ? "about " : ""}${counted(trace.events ?? 0, "event")}`, duration(clock.ns(trace.ticks)), ended,
      trace.losses?.length ? `${count(trace.losses.reduce((sum, loss) => sum + (loss.count ?? 0), 0))} lost` : null, trace.damage?.length ? "damaged" : null, progress, this.viewer.source.answers === false ? SILENT : null].filter(Boolean).join(" · ");
    this.status.textContent = text;
    if (this.live) this.live.hidden = trace.ended !== "running";
  }

  field(label, name, run, typed) {
    const field = element("input", { type: "search", name, placeholder: label, "aria-label": label, autocomplete: "off", spellcheck: "false" });
    field.addEventListener("keydown", event => {
      event.stopPropagation();
      if (event.key === "Enter") { run(field.value); this.chart.canvas.focus(); }
      else if (event.key === "Escape") { if (typed) { field.value = ""; typed(""); } this.chart.canvas.focus(); }
    });
    if (typed) field.addEventListener("input", () => typed(field.value));
    return field;
  }

  /** Lanes by name; or, after a question mark, those with events for which a condition holds. */
  filter(text) {
    this.filtering?.abort();
    if (text.trim().startsWith("?")) return this.filterWhere(text);
    try {
      this.viewer.lanes.setFilter(text);
      this.filterField.setCustomValidity("");
    } catch (error) { this.filterField.setCustomValidity(error.message); }
    this.filterField.reportValidity();
    this.viewer.moved();
    this.viewer.panelChanged("range");
  }

  async filterWhere(text) {
    const { viewer } = this, stop = this.filtering = new AbortController(), where = text.trim().slice(1).trim(), found = new Set();
    if (!where) return;
    try {
      for await (const { row } of viewer.source.search({ text: "", where }, stop.signal)) if (row && row.lane !== null) found.add(row.lane);
      if (this.filtering !== stop) return;
      viewer.lanes.setFilter(text, found);
      viewer.say(`${counted(found.size, "lane")} with such events`);
    } catch (error) {
      if (this.filtering !== stop || error.name === "AbortError") return;
      viewer.say(error.message);
    }
    viewer.moved();
    viewer.panelChanged("range");
  }

  filterShown() { this.filterField.value = this.viewer.lanes.filterText; }
  searchShown(text) { this.searchField.value = text; }
  focusSearch() { this.searchField.focus(); this.searchField.select(); }
  focusFilter() { this.filterField.focus(); this.filterField.select(); }
  togglePanels() { this.side.hidden = !this.side.hidden; }
  help() { showKeys(this.commands); }

  palette() {
    choose("Run a command", this.commands, command => command.title, command => command.keys.map(shownKey).join("  "), command => command.run());
  }

  findLane() {
    const { viewer } = this;
    choose("Find a lane", viewer.trace.lanes, lane => lane.name || lane.label, lane => [lane.process, lane.operator ?? lane.kind, lane.place].filter(Boolean).join(" · "), lane => {
      viewer.lanes.reveal(lane.lane);
      viewer.lanes.scrollToFocus(this.chart.fit);
      viewer.show("lane");
      this.filterShown();
      viewer.sayFocus();
    });
  }

  goToEvent() { ask("The number of an event, as 4.1749", id => this.viewer.select(id.replace(/^#/, ""))); }

  key(event) {
    if (event.defaultPrevented || event.target.closest?.("dialog, input")) return;
    const isButton = event.target.closest?.("button, summary");
    if (isButton && (event.key === "Enter" || event.key === " ")) return;
    const command = this.byKey.get(keyOf(event));
    if (!command) return;
    event.preventDefault();
    Promise.resolve(command.run()).catch(error => this.say(error.message));
  }

  /** For ears, and for eyes unless they see it anyway. */
  say(text, { isSeen = false } = {}) {
    this.spoken.textContent = text;
    if (isSeen) return;
    this.toast.textContent = brief(text, 160);
    this.toast.hidden = false;
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => { this.toast.hidden = true; }, 3000);
  }

  async copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Where the clipboard is not allowed, a selection still can be copied.
      const area = element("textarea", { class: "spoken" });
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    this.copied = text;
    this.say(`Copied: ${what}`);
  }

  async copyEvents() {
    const { viewer } = this, { axis } = viewer;
    const range = viewer.range ?? { from: Math.max(0, axis.start), to: axis.end };
    const lanes = viewer.lanes.filter ? viewer.lanes.rows.filter(row => row.lane).map(row => row.lane.lane) : null;
    const lines = [];
    let after = null, more = true, from = range.from;
    while (more && lines.length < 100_000) {
      const answer = await viewer.source.events({ ...range, from, lanes, after });
      for (const event of answer.events) lines.push(JSON.stringify({
        event: event.event, time_ns: Math.round(viewer.clock.ns(event.tick)), thread: event.thread, name: viewer.laneOf(event.lane).name, kind: event.kind, value: event.value, cause: event.causes?.[0] ?? null }));
      more = answer.more && answer.events.length > 0;
      if (more) { after = answer.events.at(-1).event; if (!viewer.source.isLive) { from = answer.events.at(-1).tick + 1; after = null; } }
    }
    await this.copy(lines.join("\n") + "\n", `${counted(lines.length, "event")}${more ? " (the command has all)" : ""}`);
  }

  copyCommand() {
    const { lanes } = this.viewer, command = replayCommand(this.viewer);
    const isMore = lanes.filter && lanes.rows.some(row => row.lane && row.lane.kind !== "stream");
    return this.copy(command, `${command}${isMore ? " (of these lanes, it can choose streams alone)" : ""}`);
  }

  copyView() {
    const { viewer } = this, { axis } = viewer;
    const place = written({ ...viewer.seen(), from: axis.start, to: axis.end, panel: viewer.panel });
    const command = ["varve", "view", ...(viewer.trace.files ?? ["FILE"]), "--at", place].map(quoted).join(" ");
    return this.copy(command, command);
  }

  pauseLive() {
    const { viewer } = this;
    viewer.isPaused = !viewer.isPaused;
    this.live.textContent = viewer.isPaused ? "follow" : "pause";
    if (!viewer.isPaused) { viewer.axis.start = viewer.trace.ticks - viewer.axis.width * viewer.axis.scale * 0.97; viewer.axis.keepInside(); viewer.redraw(); }
  }
}
