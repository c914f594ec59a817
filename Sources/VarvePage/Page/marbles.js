// Draws events one by one: a shape for what each is, its value beside it where there is room, and a number
// where several would overlap.

import { brief } from "./elements.js";
import { laneColour } from "./colours.js";

const LEFT = 8; // pixels that a marble, or a number in its place, takes to the left of its moment

/** What is drawn at which x: events alone, or several as one where they would touch. */
export function clusters(events, xOf) {
  const made = [];
  let last = null;
  for (const event of events) {
    const x = xOf(event.tick);
    if (!last || x - last.x >= reach(last) + LEFT) {
      last = { x, events: [], values: 0, hasEnd: false };
      made.push(last);
    }
    last.events.push(event);
    if (event.kind === "value") last.values += 1;
    else if (STRENGTH.indexOf(event.kind) < STRENGTH.indexOf("value")) last.hasEnd ||= STRENGTH.includes(event.kind);
  }
  return made;
}

/** How far what is drawn for a cluster goes to the right of its moment: see `MarblePainter.paint`. */
function reach({ values, hasEnd }) {
  return (values > 0 && hasEnd ? 11 : 0) + (values > 1 ? Math.max(15, 7 * numeral(values).length + 8) - 7 : 5);
}

function numeral(number) { return number > 9999 ? `${Math.round(number / 1000)}k` : String(number); }

/** What stands for a kind without its colour. */
export function shapeOf(kind) {
  switch (kind) {
    case "value": return "dot";
    case "sent": return "small";
    case "read": return "box";
    case "failed": return "cross";
    case "completed": return "bar";
    case "interrupted": case "hopCancelled": return "slashed";
    case "subscribed": return "start";
    case "ended": return "stop";
    case "absorbed": case "skipped": return "ring";
    case "lost": case "damaged": return "gap";
    case "hopScheduled": case "hopBegan": case "hopEnded": return "triangle";
    default: return "tick";
  }
}

const widths = new Map();
function widthOf(context, text) {
  const key = context.font + text;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size > 20_000) widths.clear();
    widths.set(key, width = context.measureText(text).width);
  }
  return width;
}

export class MarblePainter {
  /** Draws the marbles of one lane; remembers what was drawn where in `hits`. */
  paint(context, lane, events, axis, left, y, height, colours, hits, selected) {
    const middle = y + height / 2, right = left + axis.width;
    const drawn = clusters(events, tick => left + axis.x(tick)).filter(one => one.x > left - 40 && one.x < right + 40);
    const colour = laneColour(colours, lane);
    drawn.forEach((one, index) => {
      const event = strongest(one.events);
      const next = drawn[index + 1]?.x ?? right + 4;
      hits.push({ x: one.x, y: middle, events: one.events, lane: lane.lane });
      let from = one.x + 9;
      const values = one.events.filter(other => other.kind === "value");
      if (values.length > 1) from = this.badge(context, one.x, middle, values.length, colour, colours, one.events);
      else if (values.length === 1 && event.kind !== "value") {
        // A value and what ended with it: both are seen.
        this.shape(context, "dot", one.x, middle, colour, colours);
        this.shape(context, shapeOf(event.kind), one.x + 11, middle, inkOf(event.kind, colour, colours), colours);
        from += 10;
      } else this.shape(context, shapeOf(event.kind), one.x, middle, inkOf(event.kind, colour, colours), colours);
      if (one.events.some(other => other.event === selected)) { this.ringAround(context, one.x, middle, colours); from = Math.max(from, one.x + 13); }
      const room = next - from - 10;
      const text = labelOf(values.length === 1 ? values[0] : event, values.length);
      if (text && room > 14) this.label(context, text, from, middle, room, colours);
    });
  }

  /** The lane of a line of steps: the line shows the values, and this all that began or ended. */
  paintOnLine(context, lane, events, axis, left, y, height, colours, hits, selected) {
    this.paint(context, lane, events.filter(isEnd), axis, left, y, height, colours, hits, selected);
    for (const { x, events: values } of clusters(events.filter(event => event.kind === "value"), tick => left + axis.x(tick))) {
      if (x < left - 40 || x > left + axis.width + 40) continue;
      hits.push({ x, y: y + height / 2, events: values, lane: lane.lane });
      if (values.some(event => event.event === selected)) this.ringAround(context, x, y + height / 2, colours);
    }
  }

  label(context, text, x, y, room, colours) {
    context.font = "12px system-ui, sans-serif";
    let shown = brief(text, Math.max(1, Math.floor(room / 5)));
    if (widthOf(context, shown) > room) {
      let low = 0, high = shown.length;
      while (low < high) {
        const half = (low + high + 1) >> 1;
        if (widthOf(context, shown.slice(0, half) + "…") <= room) low = half; else high = half - 1;
      }
      // A letter or two tell nothing.
      if (low < 3) return;
      shown = shown.slice(0, low) + "…";
    }
    context.fillStyle = colours.text;
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillText(shown, x, y + 0.5);
  }

  badge(context, x, y, number, colour, colours, events) {
    const text = numeral(number);
    context.font = "600 11px system-ui, sans-serif";
    const wide = Math.max(15, widthOf(context, text) + 8);
    context.fillStyle = colours.back;
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.beginPath();
    context.roundRect(x - 7.5, y - 7.5, wide, 15, 7.5);
    context.fill();
    context.stroke();
    context.fillStyle = colours.text;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(text, x - 7.5 + wide / 2, y + 0.5);
    const strong = strongest(events);
    if (strong.kind !== "value" && shapeOf(strong.kind) !== "tick") {
      this.shape(context, shapeOf(strong.kind), x + wide - 1, y, inkOf(strong.kind, colour, colours), colours);
      return x + wide + 8;
    }
    return x + wide - 4;
  }

  ringAround(context, x, y, colours) {
    context.strokeStyle = colours.accent;
    context.lineWidth = 2.5;
    context.beginPath();
    context.arc(x, y, 9.5, 0, 7);
    context.stroke();
  }

  /** The pixels of a shape, of which an image has many. */
  pixels(shape, ratio, colours) {
    const size = 2 * Math.ceil(7 * ratio), key = `${shape}:${colours.name}:${size}`;
    if (this.shapeKey !== key) {
      const into = Object.assign(document.createElement("canvas"), { width: size, height: size }).getContext("2d", { willReadFrequently: true });
      into.setTransform(ratio, 0, 0, ratio, size / 2, size / 2);
      into.lineCap = "round";
      this.shape(into, shape, 0, 0, colours.text, colours);
      [this.shapeKey, this.shapePixels] = [key, into.getImageData(0, 0, size, size)];
    }
    return this.shapePixels;
  }

  shape(context, shape, x, y, ink, colours) {
    context.strokeStyle = context.fillStyle = ink;
    context.lineWidth = 2;
    context.beginPath();
    switch (shape) {
      case "dot": context.arc(x, y, 5, 0, 7); context.fill(); return;
      case "box": context.lineWidth = 1.5; context.rect(x - 3, y - 3, 6, 6); break;
      case "small": context.arc(x, y, 2.5, 0, 7); context.fill(); return;
      case "cross":
        context.lineWidth = 2.5;
        context.moveTo(x - 5, y - 5); context.lineTo(x + 5, y + 5); context.moveTo(x + 5, y - 5); context.lineTo(x - 5, y + 5);
        break;
      case "bar": context.moveTo(x, y - 8); context.lineTo(x, y + 8); break;
      case "slashed":
        context.arc(x, y, 5, 0, 7);
        context.moveTo(x - 5, y + 5); context.lineTo(x + 5, y - 5);
        break;
      case "start": context.moveTo(x, y - 6); context.lineTo(x, y + 6); context.moveTo(x, y); context.lineTo(x + 5, y); break;
      case "stop": context.moveTo(x, y - 6); context.lineTo(x, y + 6); context.moveTo(x, y); context.lineTo(x - 5, y); break;
      case "ring": context.arc(x, y, 4, 0, 7); context.fillStyle = colours.back; context.fill(); break;
      case "triangle": context.moveTo(x - 3, y - 4); context.lineTo(x + 4, y); context.lineTo(x - 3, y + 4); context.closePath(); context.fill(); return;
      case "gap":
        for (let at = -6; at < 6; at += 4) { context.moveTo(x - 4, y + at + 4); context.lineTo(x + 4, y + at); }
        break;
      default: context.moveTo(x, y - 4); context.lineTo(x, y + 4);
    }
    context.stroke();
  }
}

const STRENGTH = ["failed", "lost", "interrupted", "completed", "value", "hopCancelled", "absorbed", "ended", "subscribed"];

/** What began or ended, rather than a value. */
export function isEnd({ kind }) { return kind !== "value" && kind !== "absorbed" && STRENGTH.includes(kind); }

/** The event that a reader must not miss. */
export function strongest(events) {
  for (const kind of STRENGTH) for (const event of events) if (event.kind === kind) return event;
  return events[0];
}

export function inkOf(kind, colour, colours) {
  switch (kind) {
    case "value": return colour;
    case "failed": return colours.failed;
    case "lost": case "absorbed": case "skipped": return colours.lost;
    case "completed": case "interrupted": case "ended": case "subscribed": return colours.ended;
    default: return colours.other;
  }
}

function labelOf(event, values) {
  if (values > 1) return "";
  if (event.kind === "value" || event.kind === "failed" || event.kind === "mark" || event.kind === "log") return event.value ?? event.reason ?? "";
  return "";
}
