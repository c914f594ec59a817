// Samples of work that takes long: where in the program it stood.

/** The samples of a slice: when, which event, with which stack, and whether the thread waited. */
export function samplesOf(slice) {
  return (slice.samples ?? []).map(([tick, event, stack, waits]) => ({ tick, event, stack, waits }));
}

/** The lines of stacks, which are asked for when samples come into view. */
export class SampledLines {
  constructor(source, arrived) {
    this.source = source;
    this.arrived = arrived;
    this.known = new Map(); // by the number of a stack: its line; null if there is none
  }

  /** The line of a stack; nothing before the answer has come. */
  line(stack) { return this.known.get(stack) ?? null; }

  /** `waited at Shop.swift:12 in buy()`. */
  text(sample) {
    const line = this.line(sample.stack), where = line ? ` at ${line.place} in ${line.function}` : "";
    return `${sample.waits ? "waited" : "ran"}${where}`;
  }

  async want(stacks) {
    const missing = [...new Set(stacks)].filter(stack => stack && !this.known.has(stack)).slice(0, 200);
    if (!missing.length) return;
    for (const stack of missing) this.known.set(stack, null);
    try {
      const lines = await this.source.lines(missing);
      for (const stack of missing) this.known.set(stack, lines?.[stack] ?? null);
      this.arrived();
    } catch {
      for (const stack of missing) this.known.delete(stack);
    }
  }
}

/** A place in so many characters: of one that is too long, the number of the line stays. */
export function shortPlace(place, most) {
  const line = /:\d+$/.exec(place)?.[0] ?? "";
  return place.length <= most ? place : place.slice(0, Math.max(0, most - line.length - 1)) + "…" + line;
}

/** The lines of samples, the most frequent first: `{ text, number, first }`, where `first` is a sample. */
export function countedLines(samples, lines) {
  const counts = new Map();
  for (const sample of samples) {
    const text = lines.text(sample);
    if (!counts.has(text)) counts.set(text, { text, number: 0, first: sample });
    counts.get(text).number += 1;
  }
  return [...counts.values()].sort((a, b) => b.number - a.number);
}
