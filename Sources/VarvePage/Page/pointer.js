// The mouse and the trackpad over the picture.

import { AXIS, ROW } from "./chart.js";
import { brief, count } from "./elements.js";
import { KINDS } from "./event-panel.js";
import { duration } from "./time-axis.js";

export function listenToPointer(viewer, chart, canvas, tip) {
  const { axis, lanes } = viewer;
  const at = event => { const box = canvas.getBoundingClientRect(); return { x: event.clientX - box.left, y: event.clientY - box.top }; };
  let drag = null;

  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    tip.hidden = true;
    const { x } = at(event), unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    if (x < chart.gutter) { lanes.top += event.deltaY * unit / 40; lanes.keepInside(chart.fit); }
    else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) axis.pan((event.deltaX || event.deltaY) * unit);
    else if (event.altKey) { lanes.top += event.deltaY * unit / 40; lanes.keepInside(chart.fit); }
    else axis.zoom(1.0016 ** (event.deltaY * unit), x - chart.gutter);
    viewer.moved();
  }, { passive: false });

  canvas.addEventListener("pointerdown", event => {
    if (event.button !== 0 && event.button !== 1) return;
    const point = at(event);
    canvas.focus({ preventScroll: true });
    tip.hidden = true;
    if (point.x < chart.gutter) { drag = { kind: "names", ...point }; return; }
    canvas.setPointerCapture(event.pointerId);
    const selects = event.shiftKey || point.y < AXIS;
    drag = { kind: selects ? "range" : "pan", ...point, startX: point.x, startY: point.y, tick: axis.tick(point.x - chart.gutter), isFar: false };
  });

  canvas.addEventListener("pointermove", event => {
    const point = at(event);
    if (drag && drag.kind !== "names") {
      if (Math.abs(point.x - drag.startX) + Math.abs(point.y - drag.startY) > 4) drag.isFar = true;
      if (!drag.isFar) return;
      if (drag.kind === "range") viewer.setRange(drag.tick, axis.tick(point.x - chart.gutter));
      else { axis.pan(drag.x - point.x); lanes.top += (drag.y - point.y) / ROW; lanes.keepInside(chart.fit); viewer.moved(); }
      drag.x = point.x;
      drag.y = point.y;
      tip.hidden = true;
      return;
    }
    hover(point);
  });

  canvas.addEventListener("pointerup", event => {
    const done = drag, point = at(event);
    drag = null;
    if (!done) return;
    if (done.kind === "names") return clickName(point);
    if (done.isFar) { if (done.kind === "range") viewer.show("range"); return; }
    if (done.kind === "range" && point.y < AXIS) { viewer.cursor = done.tick; viewer.show("state"); return; }
    click(point);
  });
  canvas.addEventListener("pointercancel", () => { drag = null; });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  // What keys lead to may lie below it.
  document.addEventListener("keydown", () => { tip.hidden = true; }, true);

  canvas.addEventListener("dblclick", event => {
    const point = at(event);
    if (point.x < chart.gutter) { lanes.fold(chart.rowAt(point.y)); return viewer.moved(); }
    axis.zoom(1 / 8, point.x - chart.gutter);
    viewer.moved();
  });

  function clickName(point) {
    const row = chart.rowAt(point.y);
    if (!row) return;
    lanes.focus = row.index;
    if (row.heading || (lanes.members.has(row.lane.lane) && point.x < 36 + chart.indent(row))) lanes.fold(row);
    else viewer.show("lane");
    viewer.moved();
  }

  async function click(point) {
    const hit = chart.hit(point.x, point.y);
    if (hit?.slice) { if (hit.slice.event) await viewer.select(hit.slice.event, { reveals: false }); return; }
    if (hit) {
      // Several as one: the first, and as close as it takes to see them apart.
      if (hit.events.length > 6) { const ticks = hit.events.map(one => one.tick); axis.fit(Math.min(...ticks), Math.max(...ticks), 0.3); viewer.moved(); return; }
      const current = hit.events.findIndex(one => one.event === viewer.selection?.event);
      const values = hit.events.findIndex(one => one.kind === "value" || one.kind === "failed");
      await viewer.select(hit.events[current >= 0 ? (current + 1) % hit.events.length : Math.max(0, values)].event, { reveals: false });
      return;
    }
    const row = chart.rowAt(point.y);
    if (!row?.lane) return;
    lanes.focus = row.index;
    const tick = axis.tick(point.x - chart.gutter);
    // On bars: the event nearest to the pointer.
    if (!chart.isDetailed) {
      const { events } = await viewer.source.events({ from: Math.max(0, tick - 4 * axis.scale), to: tick + 4 * axis.scale, lanes: [row.lane.lane], limit: 200 });
      if (events.length) {
        const nearest = events.reduce((best, one) => Math.abs(one.tick - tick) < Math.abs(best.tick - tick) ? one : best);
        return viewer.select(nearest.event, { reveals: false });
      }
    }
    viewer.cursor = tick;
    if (row.lane.kind === "stream" && viewer.source.isLive) viewer.asksSilence = { lane: row.lane.lane, at: Math.max(0, tick) };
    viewer.show("lane");
  }

  function hover(point) {
    const hit = point.x > chart.gutter ? chart.hit(point.x, point.y) : null;
    canvas.style.cursor = hit ? "pointer" : point.y < AXIS && point.x > chart.gutter ? "col-resize" : "default";
    if (!hit) {
      const row = point.x < chart.gutter ? chart.rowAt(point.y) : null;
      if (row?.lane && (row.lane.name !== row.lane.label || row.lane.process)) return say(point, [row.lane.name, row.lane.place, row.lane.process].filter(Boolean).join("\n"));
      tip.hidden = true;
      return;
    }
    if (hit.slice) {
      const { slice } = hit, to = slice.to ?? slice.known ?? viewer.trace.ticks;
      return say(point, `${slice.label ? `${brief(slice.label, 100)}\n` : ""}${slice.number > 1 ? `${count(slice.number)} pieces of work: ` : ""}${slice.state}${slice.end ? `, ${slice.end}` : ""}, ${slice.known === undefined ? "" : "at least "}${duration(viewer.clock.ns(to) - viewer.clock.ns(slice.from))}${waiting(slice, point)}`);
    }
    const [event] = hit.events;
    say(point, hit.events.length > 1
      ? `${hit.events.length} events from ${viewer.time(event.tick)}\n${hit.events.slice(0, 4).map(one => brief(one.value ?? KINDS[one.kind] ?? one.kind, 50)).join("\n")}`
      : `${event.kind === "hopSampled" && event.value ? "" : KINDS[event.kind] ?? event.kind} ${brief(event.value ?? event.reason ?? "", 200)}\n${[viewer.time(event.tick), event.thread].filter(Boolean).join(" · ")}`.trim());
  }

  /** What else waits there. */
  function waiting(slice, point) {
    if (slice.state !== "queued") return "";
    const tick = axis.tick(point.x - chart.gutter), isThere = other => other.state === "queued" && other.from <= tick && (other.to ?? Infinity) >= tick;
    const others = (viewer.slices.byLane.get(slice.lane) ?? []).filter(isThere).length;
    return others > 1 ? `\n${others} wait at this moment` : "";
  }

  function say(point, text) {
    tip.textContent = text;
    tip.hidden = false;
    const wide = tip.offsetWidth, tall = tip.offsetHeight;
    tip.style.left = `${Math.max(4, Math.min(point.x + 14, chart.width - wide - 8))}px`;
    tip.style.top = `${point.y + 18 + tall > chart.height ? point.y - tall - 10 : point.y + 18}px`;
  }
}
