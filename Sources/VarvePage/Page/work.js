// Work of a scheduler: how long it waited, how long it ran, and what was in front of it.

import { element, counted } from "./elements.js";
import { duration } from "./time-axis.js";
import { samplesOf, countedLines } from "./samples.js";

const MOST = 12; // pieces of work that are listed

/** Of an event of work: `{ waited, ran, inFront }`, each a slice or slices; null of any other event. */
export async function workOf(source, event, second) {
  if (!/^hop(Scheduled|Began|Ended)$/.test(event.kind)) return null;
  const slicesOf = async (from, to) => (await source.slices({ from: Math.max(0, from), to, lanes: [event.lane] }))
    .slices.filter(slice => slice.lane === event.lane);
  let began = event.kind === "hopBegan" ? event : null, given = event.kind === "hopScheduled" ? event : null;
  if (event.kind === "hopEnded") {
    const ended = (await slicesOf(event.tick - second, event.tick)).find(slice => slice.state === "runs" && slice.to === event.tick);
    began = ended?.event ? await source.event(ended.event) : null;
  }
  if (began?.causes?.[0]) {
    const cause = await source.event(began.causes[0]);
    if (cause.kind === "hopScheduled") given = cause;
  }
  if (!began && !given) return null;
  const slices = await slicesOf((given ?? began).tick, (began ?? given).tick + second);
  const waited = slices.find(slice => slice.state === "queued" && slice.event === given?.event) ?? null;
  const ran = slices.find(slice => slice.state === "runs" && (began ? slice.event === began.event : Number.isFinite(waited?.to) && slice.from === waited.to)) ?? null;
  const until = waited?.to ?? Infinity;
  const inFront = waited ? slices.filter(slice => slice.state === "runs" && slice !== ran && slice.event !== ran?.event && slice.from < until && (slice.to ?? Infinity) > waited.from) : [];
  return { waited, ran, inFront };
}

/** The part of the event's panel that tells of it. */
export function workSection(viewer) {
  const { work, clock } = viewer;
  if (!work || !work.waited && !work.ran) return null;
  const long = slice => Number.isFinite(slice.to) ? duration(clock.ns(slice.to) - clock.ns(slice.from)) : "not known to have ended";
  const { waited, ran, inFront } = work;
  // What was in front for longest tells most.
  const listed = [...inFront].sort((a, b) => (b.to ?? Infinity) - b.from - ((a.to ?? Infinity) - a.from)).slice(0, MOST);
  return element("section", {}, element("h3", {}, "this work"),
    element("dl", {}, waited ? [element("dt", {}, "waited"), element("dd", {}, long(waited))] : null,
      ran ? [element("dt", {}, "ran"), element("dd", {}, `${long(ran)}${ran.end && ran.end !== "completed" ? `, ${ran.end}` : ""}`)] : null),
    ran ? stoodAt(viewer, samplesOf(ran)) : null,
    !waited ? null : !inFront.length ? element("p", { class: "note" }, "Nothing else of this scheduler ran while it waited.")
      : [element("h3", {}, `in front of it: ${counted(inFront.length, "piece")} of work`), element("ol", { class: "list" }, listed.map(slice => element("li", {},
        element("button", { type: "button", class: "plain", onclick: () => slice.event && viewer.select(slice.event) }, element("b", {}, long(slice)), " ", slice.label || "",
          element("small", {}, `began ${viewer.time(slice.from)}`)))))]);
}

/** Where the work stood when it was looked at, with how often. */
function stoodAt(viewer, samples) {
  if (!samples.length) return null;
  viewer.lines.want(samples.map(sample => sample.stack));
  return [element("h3", {}, `where it stood, ${counted(samples.length, "time")} that it was looked at`), element("ol", { class: "list" },
    countedLines(samples, viewer.lines).slice(0, MOST).map(({ text, number, first }) => element("li", {},
      element("button", { type: "button", class: "plain", onclick: () => viewer.select(first.event) }, element("b", {}, `${number} ×`), " ", text,
        element("small", {}, `first at ${viewer.time(first.tick)}`)))))];
}
