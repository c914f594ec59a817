// swift-format-ignore-file
// Written by Tools/embed-page.

extension PageFile {
  static let panelsScript = PageFile(name: "panels.js", text: ##"""
// The panels at the side: one at a time, drawn anew at most once a frame.

import { element, put } from "./elements.js";
import { eventPanel } from "./event-panel.js";
import { RangePanel } from "./range-panel.js";
import { AskedPanel, StatePanel, LanePanel, searchPanel, findingsPanel, latencyPanel, graphPanel, postmortemPanel, diffPanel } from "./lists-panels.js";

export class Panels {
  constructor(viewer) {
    this.viewer = viewer;
    const asked = (name, ask, render) => new AskedPanel(viewer, name, ask, render);
    const drawn = render => ({ render: body => render(viewer, body) });
    this.list = [
      { name: "event", title: "Event", panel: drawn(eventPanel) },
      { name: "range", title: "Range", panel: new RangePanel(viewer) },
      { name: "findings", title: "Findings", panel: asked("findings", (source, signal) => source.findings(signal), findingsPanel) },
      { name: "search", title: "Search", panel: drawn(searchPanel) },
      { name: "lane", title: "Lane", panel: new LanePanel(viewer) },
      { name: "state", title: "State", panel: new StatePanel(viewer) },
      { name: "latency", title: "Latency", panel: asked("latency", (source, signal) => source.latency({}, signal), latencyPanel) },
      { name: "graph", title: "Graph", panel: drawn(graphPanel) },
    ];
    const { ended, diff } = viewer.trace;
    if (ended === "crashed" || ended === "killed") this.list.push({ name: "crash", title: ended === "killed" ? "Killed" : "Crash", panel: asked("crash", (source, signal) => source.postmortem(signal), postmortemPanel) });
    if (diff) this.list.push({ name: "diff", title: "Diff", panel: asked("diff", (source, signal) => source.diff(signal), diffPanel) });
    this.tabs = element("div", { role: "tablist", class: "tabs", "aria-label": "Panels" }, this.list.map(one =>
      element("button", { type: "button", role: "tab", id: `tab-${one.name}`, "aria-controls": "panel", onclick: () => viewer.show(one.name) }, one.title)));
    this.tabs.addEventListener("keydown", event => {
      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!by) return;
      event.stopPropagation();
      const index = this.list.findIndex(one => one.name === viewer.panel);
      viewer.show(this.list[(index + by + this.list.length) % this.list.length].name);
      this.tabs.querySelector("[aria-selected=true]").focus();
    });
    this.body = element("div", { id: "panel", role: "tabpanel", class: "panel", tabindex: 0 });
    this.body.addEventListener("click", () => { this.isWalked = true; });
    this.show("event");
  }

  show(name) {
    const chosen = this.list.find(one => one.name === name) ?? this.list[0];
    const isOther = this.shown !== chosen;
    this.shown = chosen;
    this.viewer.panel = chosen.name;
    for (const one of this.list) {
      const tab = this.tabs.querySelector(`#tab-${one.name}`), isSelected = one === chosen;
      tab.setAttribute("aria-selected", String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
    }
    this.body.setAttribute("aria-labelledby", `tab-${chosen.name}`);
    if (isOther) this.body.scrollTop = 0;
    this.changed(chosen.name);
  }

  /** Another event is shown from its beginning, unless it was chosen in the panel itself: then the list stays in sight. */
  follow() {
    const event = this.viewer.detail?.event, isOther = this.event !== event;
    if (this.shown.name === "event" && isOther) {
      this.isChosenHere = this.isWalked;
      if (!this.isWalked) this.body.scrollTop = 0;
    }
    this.event = event;
    if (isOther) this.isWalked = false;
    if (this.shown.name !== "event" || this.isChosenHere) this.body.querySelector("[aria-current=step], [aria-current=true]")?.scrollIntoView({ block: "nearest" });
  }

  changed(name) {
    if (this.shown?.name !== name || this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      const within = this.body.contains(document.activeElement) ? [...this.body.querySelectorAll("button")].indexOf(document.activeElement) : -1;
      try { this.shown.panel.render(this.body); } catch (error) { put(this.body, element("p", { class: "warning" }, `This panel could not be drawn: ${error.message}`)); console.error(error); }
      if (within >= 0) this.body.querySelectorAll("button")[within]?.focus({ preventScroll: true });
      this.follow();
    });
  }
}
"""##)
}
