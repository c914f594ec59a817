// Where a moment is on the screen. Moments are ticks of the trace's clock since its beginning, because
// tiles are; a clock turns them into nanoseconds for people.

/** Piecewise linear between anchors `[tick, ns]`; without any, a tick is a nanosecond. */
export class Clock {
  constructor(anchors) {
    this.anchors = anchors && anchors.length > 1 ? anchors : [[0, 0], [1e9, 1e9]];
  }

  ns(tick) { return this.convert(tick, 0, 1); }
  tick(ns) { return this.convert(ns, 1, 0); }

  convert(value, from, to) {
    const anchors = this.anchors;
    let low = 0, high = anchors.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (anchors[middle][from] <= value) low = middle; else high = middle - 1;
    }
    const a = anchors[low], b = anchors[low + 1];
    const span = b[from] - a[from];
    return span === 0 ? a[to] : a[to] + (value - a[from]) * (b[to] - a[to]) / span;
  }
}

const CLOSEST = 1 / 64; // ticks a pixel

export class TimeAxis {
  constructor(length) {
    this.length = Math.max(1, length);
    this.start = 0;
    this.width = 1000;
    this.scale = this.length / this.width;
  }

  get end() { return this.start + this.width * this.scale; }
  x(tick) { return (tick - this.start) / this.scale; }
  tick(x) { return this.start + x * this.scale; }
  get isWhole() { return this.scale * this.width >= this.length; }

  /** Another width shows the same beginning at the same scale, or still the whole. */
  resize(width) {
    const whole = this.isWhole;
    this.width = Math.max(1, width);
    if (whole) this.whole(); else this.keepInside();
  }

  /** The part of the whole that is empty at each side of it, so that marbles at its ends are seen whole. */
  get margin() { return Math.min(0.05, Math.max(0.01, 16 / this.width)); }

  whole() { this.fit(0, this.length, this.margin); }

  fit(from, to, margin = 0.1) {
    const span = Math.max(to - from, CLOSEST * this.width);
    this.scale = span * (1 + 2 * margin) / this.width;
    this.start = from - span * margin;
    if (to <= from) this.start = from - span * (0.5 + margin);
    this.keepInside();
  }

  /** Zooms so that what is at x stays there. */
  zoom(factor, x = this.width / 2) {
    const at = this.tick(x);
    this.scale *= factor;
    this.keepInside();
    this.start = at - x * this.scale;
    this.keepInside();
  }

  pan(pixels) {
    this.start += pixels * this.scale;
    this.keepInside();
  }

  /** Moves only as far as it must for the moment to be well inside. */
  reveal(tick) {
    const x = this.x(tick);
    if (x < this.width * 0.05 || x > this.width * 0.95) this.start = tick - this.width * this.scale / 2;
    this.keepInside();
  }

  keepInside() {
    const most = this.length * (1 + 2 * this.margin) / this.width;
    this.scale = Math.min(Math.max(this.scale, CLOSEST), Math.max(most, CLOSEST));
    const margin = Math.max(this.length * 0.01, this.width * this.scale * 0.5);
    this.start = Math.min(Math.max(this.start, -margin), this.length + margin - this.width * this.scale);
    if (this.scale >= most) this.start = -this.length * this.margin;
  }
}

const UNITS = [[1, "ns"], [1e3, "µs"], [1e6, "ms"], [1e9, "s"]];

/** A span of time in three digits, or as many as a step of it needs. */
export function duration(ns, step = 0) {
  const size = Math.abs(ns);
  if (size === 0) return "0 s";
  if (size >= 60e9 && step === 0) {
    const minutes = Math.floor(size / 60e9), seconds = size / 1e9 - minutes * 60;
    return `${ns < 0 ? "−" : ""}${minutes} m ${seconds.toFixed(minutes < 10 ? 1 : 0)} s`;
  }
  let [unit, name] = UNITS[0];
  for (const [size_, name_] of UNITS) if (size >= size_) [unit, name] = [size_, name_];
  const value = ns / unit;
  const digits = step > 0
    ? Math.min(9, Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9)))
    : unit === 1 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return `${value.toFixed(digits).replace("-", "−")} ${name}`;
}

/** A moment: seconds since the beginning, to the microsecond, or finer when asked. */
export function moment(ns, digits = 6) { return `${(ns / 1e9).toFixed(digits)} s`; }

/** What is written along the axis: about every hundred pixels, at 1, 2 or 5 times a power of ten.
 * Far from the beginning and close up, marks count from a base, which `base` tells. */
export function axisMarks(axis, clock, distance = 110) {
  const from = clock.ns(axis.start), to = clock.ns(axis.end);
  const wanted = (to - from) * distance / axis.width;
  let step = 10 ** Math.floor(Math.log10(Math.max(wanted, 1)));
  for (const times of [1, 2, 5, 10]) if (step * times >= wanted) { step *= times; break; }
  step = Math.max(1, step);
  const coarse = 10 ** Math.ceil(Math.log10(Math.max(to - from, 1)) + 0.3);
  const base = step < 1e6 && from > 1e3 * step ? Math.floor(from / coarse) * coarse : 0;
  const marks = [];
  for (let ns = Math.ceil(from / step) * step; ns <= to && marks.length < 200; ns += step) {
    if (ns < 0) continue;
    const tick = clock.tick(ns);
    const label = base ? `+${duration(ns - base, Math.min(step, 1e9))}` : duration(ns, ns === 0 ? 0 : step);
    marks.push({ tick, x: axis.x(tick), label });
  }
  return { marks, base, step };
}
