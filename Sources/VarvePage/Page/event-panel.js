// The selected event: value, time, thread, place, source, backtrace, and its chain of causes.

import { element, put, legible, brief, breakable, count, counted, signalName } from "./elements.js";
import { duration, moment } from "./time-axis.js";
import { workSection } from "./work.js";

export const KINDS = {
  __proto__: null,
  value: "value", completed: "completed", failed: "failed", interrupted: "interrupted", subscribed: "subscribed",
  ended: "subscription ended", absorbed: "absorbed", skipped: "skipped", sent: "sent into a stream", read: "read",
  hopScheduled: "work scheduled", hopBegan: "work began", hopEnded: "work ended", hopCancelled: "work cancelled",
  taskCreated: "task created", taskCancelled: "task cancelled", taskFailed: "task failed",
  taskFailureRead: "the task's failure was read", hopSampled: "work was still running",
  errorThrown: "error thrown",
  assembled: "stream made", mark: "mark", log: "log", lost: "lost",
};

export function eventPanel(viewer, body) {
  const event = viewer.detail;
  if (!event) {
    return put(body,
      element("h2", {}, "Nothing is selected"),
      element("p", {}, "Click a marble, or press Enter for the next event of the lane. Then [ and ] walk to causes and effects."),
      about(viewer));
  }
  const lane = viewer.laneOf(event.lane), isWork = event.kind.startsWith("hop");
  const facts = [
    ["time", moment(viewer.clock.ns(event.tick), 9)],
    ["thread", event.thread],
    ["process", lane.process],
    ["place", event.place],
    ["type", isWork ? null : event.type],
    ["reason", event.reason],
    ["scheduler", event.scheduler],
    [isWork ? "work" : "subscription", event.subscription],
    ["number", event.event],
  ];
  return put(body,
    element("h2", {}, KINDS[event.kind] ?? event.kind, " ", element("span", { class: "of" }, "of "),
      button(breakable(lane.label || lane.name || `#${lane.id}`), () => { viewer.lanes.reveal(lane.lane); viewer.show("lane"); }, "lane")),
    value(event),
    factList(facts),
    element("div", { class: "row" },
      button("← cause [", () => viewer.walkCause(), "", !(event.causes?.length)),
      button("effect ] →", () => viewer.walkEffect(), "", !(event.effects?.length) && !viewer.causes.trail.length),
      button("close in ⏎", () => { viewer.closeIn(event.tick); viewer.moved(); })),
    found(viewer, event),
    workSection(viewer),
    sourceLines(event.source, event.place),
    telling(viewer),
    chain(viewer, event),
    others("further causes", (event.causes ?? []).slice(1), viewer),
    others(`effects${event.effects?.length >= 50 ? " (the first 50)" : ""}`, event.effects ?? [], viewer),
    backtrace(event.backtrace));
}

function value(event) {
  if (event.value === null || event.value === undefined) return null;
  const cut = event.truncated ? element("p", { class: "note" }, `Cut by the recorder: it had ${counted(event.value_bytes ?? 0, "byte")}.`) : null;
  return [element("pre", { class: "value", tabindex: 0, role: "region", "aria-label": "value" }, legible(event.value)), cut];
}

/** The lines of a report for so many columns. Where some lines of a block are too long, its columns would not
    stand below one another anyway, and so nothing is left free for them. */
export function fittedLines(text, columns) {
  return text.replace(/\n+$/, "").split("\n\n").map(block =>
    block.split("\n").every(line => line.length <= columns) ? block : block.replace(/(?<=\S) {3,}/g, "  ")).join("\n\n").split("\n");
}

/** A report's text, in which the numbers of events lead to them. A line that is too long goes on
    further to the right than it began. */
export function linkedText(viewer, text) {
  const columns = Math.floor(((viewer.panels?.body.clientWidth || 400) - 50) / 7.23);
  return element("pre", { class: "text", tabindex: 0, role: "region", "aria-label": "report" }, fittedLines(legible(text), columns).map(line => {
    const shown = element("span", { class: "line" }, linked(viewer, line), "\n");
    const indent = Math.min(/^ */.exec(line)[0].length + 2, 16);
    shown.style.paddingLeft = `${indent}ch`;
    shown.style.textIndent = `-${indent}ch`;
    return shown;
  }));
}

/** A text with the numbers of events, of several recordings as `#2:4.17`, as links, and with the places in the
    program, whose lines are shown below where the file is there. */
export function linked(viewer, line) {
  const parts = [];
  let from = 0;
  for (const found of line.matchAll(/#((?:\d{1,3}:)?\d{1,10}\.\d{1,20})(?!\d)|(?<![\w@.+-])[\w+-]{1,80}\.swift:\d{1,7}(?![\w.])/g)) {
    parts.push(line.slice(from, found.index), found[1]
      ? button(found[0], () => viewer.select(found[1], { closes: true }), "link")
      : button(found[0], event => showLines(viewer, event.currentTarget, found[0]), "link place"));
    from = found.index + found[0].length;
  }
  return [...parts, line.slice(from)];
}

/** Shows the lines around a place below it, or takes them away again. */
async function showLines(viewer, link, place) {
  if (link.nextElementSibling?.classList.contains("source")) return link.nextElementSibling.remove();
  const source = await viewer.source.source(place).catch(() => null);
  const lines = sourceLines(source, place);
  if (lines) link.after(lines); else viewer.say(`The file of ${place} is not here.`);
}

/** A sentence below a button that leads somewhere: so does a click on it, but events have links of their own,
    which could not be within the button. */
export function told(viewer, text, run) {
  return text ? element("p", { class: "told", onclick: event => { if (!event.target.closest("button")) run(); } }, linked(viewer, legible(text, 600))) : null;
}

export function factList(facts) {
  return element("dl", {}, facts.filter(([, fact]) => fact !== null && fact !== undefined && fact !== "")
    .map(([name, fact]) => [element("dt", {}, name), element("dd", {}, legible(fact, 500))]));
}

export function button(text, run, kind = "", disabled = false) {
  return element("button", { type: "button", class: kind, onclick: run, disabled }, text);
}

/** `lines` are pairs of a number and a text, or `first` counts them. */
export function sourceLines(source, place) {
  if (!source) return null;
  const lines = source.lines?.map((line, index) => Array.isArray(line) ? line : [(source.first ?? 1) + index, line]) ?? [];
  if (!lines.length) return null;
  const at = source.line ?? Number(/:(\d+)$/.exec(place ?? "")?.[1]);
  return element("figure", { class: "source" }, element("figcaption", {}, source.file ?? place ?? ""),
    element("pre", { tabindex: 0, role: "region", "aria-label": `lines of ${source.file ?? place ?? "the program"}` }, lines.map(([number, text]) => element("span", { class: number === at ? "line here" : "line", "aria-current": number === at ? "true" : null },
      element("span", { class: "number" }, String(number)), text))));
}

/** Whether the selected event has the lines of a place above. */
function isShown({ selection }, place) {
  return !!selection?.source && `${selection.source.file}:${selection.source.line}` === place;
}

/** What was found, if that led here, with the line that it marks, which need not be the event's. */
function found(viewer, event) {
  const { finding } = viewer, marked = viewer.causes.telling?.marked;
  if (finding?.event !== event.event) return null;
  return element("section", {}, element("h3", {}, `what was found: ${legible(finding.title, 80)}`), element("p", {}, linked(viewer, legible(finding.text, 600))),
    marked === finding.place || isShown(viewer, finding.place) ? null : sourceLines(finding.source, finding.place));
}

/** The step that `varve why` marks: a click goes there. */
function telling(viewer) {
  const found = viewer.causes.telling;
  if (!found) return null;
  const step = viewer.causes.steps.find(one => one.event === found.event);
  return element("section", {}, element("h3", {}, "look here first"), element("ol", { class: "list findings" }, element("li", { class: "error" },
    element("button", { type: "button", class: "plain telling", disabled: !found.event, onclick: () => viewer.select(found.event) },
      element("b", {}, `▸ ${legible(found.marked ?? (step ? viewer.nameOf(step.lane) : ""), 200)}`)),
    told(viewer, found.evidence, () => found.event && viewer.select(found.event)))),
    isShown(viewer, found.marked) ? null : sourceLines(found.source, found.marked));
}

function chain(viewer, event) {
  const { steps, marked } = viewer.causes;
  if (steps.length < 2) return event.causes?.length ? null : element("p", { class: "note" }, "No cause was recorded: this is where it began.");
  return element("section", {}, element("h3", {}, `why: ${counted(steps.length, "step")} to the root`),
    marked ? element("p", { class: "note" }, "The step to look at is in ", element("b", {}, legible(marked))) : null,
    element("ol", { class: "chain" }, steps.map((step, index) => {
      const before = steps[index + 1];
      const gap = before && Number.isFinite(before.tick) ? viewer.clock.ns(step.tick) - viewer.clock.ns(before.tick) : null;
      return element("li", { class: [step.event === event.event ? "here" : "", step.marked ? "marked" : ""].join(" ") },
        element("button", { type: "button", class: "plain", onclick: () => viewer.select(step.event), "aria-current": step.event === event.event ? "step" : null },
          element("b", {}, brief(viewer.nameOf(step.lane), 40)), " ",
          element("span", { class: "what" }, step.value !== null && step.value !== undefined ? brief(step.value, 60) : KINDS[step.kind] ?? step.kind ?? ""),
          element("small", {}, [step.decision, step.place, gap === null ? null : `${duration(gap)} after`].filter(Boolean).map(one => brief(one, 90)).join(" · "))));
    })));
}

function others(title, list, viewer) {
  if (!list.length) return null;
  return element("section", {}, element("h3", {}, title), element("div", { class: "row" }, list.slice(0, 50).map(one => {
    const id = typeof one === "string" ? one : one.event;
    return button(id, () => viewer.select(id), "chip");
  })));
}

/** Frames as runs: the program's own one by one, those of libraries together, and so those that are only addresses. */
export function frameRuns(frames) {
  const runs = [];
  for (const frame of frames) {
    const last = runs.at(-1), isNameless = !frame.place && /^(0x)?[0-9a-f]{6,16}$/.test(frame.function);
    const own = Boolean(frame.own) && !isNameless;
    if (!own && last && !last.own && last.isNameless === isNameless) last.frames.push(frame);
    else runs.push({ own, isNameless, frames: [frame] });
  }
  return runs;
}

function backtrace(parts) {
  if (!parts?.length) return null;
  const item = frame => element("li", { class: frame.own ? "own" : "" },
    element("code", {}, legible(frame.function, 300)), frame.place ? element("small", {}, legible(frame.place, 300)) : null,
    sourceLines(frame.source, frame.place));
  const all = parts.flatMap(part => frameRuns(part.frames ?? []));
  return element("section", {}, element("h3", {}, "asynchronous backtrace"),
    all.length && all.every(run => run.isNameless) ? element("p", { class: "note" }, "The names of functions were not found: the program's file is not here, or was built again since.") : null,
    parts.map(part => element("details", { open: true },
    element("summary", {}, legible(part.title, 300)),
    element("ol", { class: "frames" }, frameRuns(part.frames ?? []).map(run => run.own || !run.isNameless && run.frames.length < 3 ? run.frames.map(item)
      : element("li", {}, element("details", {}, element("summary", {}, run.isNameless ? `${counted(run.frames.length, "frame")} without a name` : `${run.frames.length} frames of libraries`), element("ol", { class: "frames" }, run.frames.map(item)))))))));
}

function about(viewer) {
  const { trace } = viewer;
  const ended = { clean: "cleanly", crashed: "by a crash", killed: "killed", running: "not yet: it is running" }[trace.ended] ?? trace.ended;
  return [element("h3", {}, "this recording"), factList([
    ["file", trace.files?.join(", ")], ["program", trace.program?.split("/").pop()], ["process", trace.pid || null], ["host", trace.host],
    ["started", trace.started], ["length", duration(viewer.clock.ns(trace.ticks))], ["ended", trace.signal ? `${ended}: ${signalName(trace.signal)}` : ended],
    ["events", (trace.exact ? "" : "about ") + count(trace.events ?? 0)], ["lanes", trace.lanes.length],
  ]), (trace.warnings ?? []).map(text => element("p", { class: "warning" }, legible(text, 500)))];
}
