// Quantiles and histograms.

/** Of numbers in any order: smallest, median, …, and how many fall into each power of two. */
export function summary(numbers) {
  const sorted = Float64Array.from(numbers).sort();
  const at = part => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  let sum = 0;
  for (const number of sorted) sum += number;
  return {
    count: sorted.length, min: sorted[0], p50: at(0.5), p90: at(0.9), p99: at(0.99), max: sorted.at(-1),
    mean: sum / sorted.length, histogram: histogram(sorted),
  };
}

/** Pairs of a lower bound and a count: between 1 and 24 equal parts on a scale that fits the numbers. */
export function histogram(sorted, parts = 24) {
  const low = sorted[0], high = sorted.at(-1);
  if (low === high) return [[low, sorted.length]];
  const isWide = low > 0 && high / low > 50;
  const ratio = isWide ? (high / low) ** (1 / parts) : 1, step = (high - low) / parts;
  const bound = part => isWide ? low * ratio ** part : low + step * part;
  const counts = Array.from({ length: parts }, (_, part) => [bound(part), 0]);
  let part = 0;
  for (const number of sorted) {
    while (part < parts - 1 && number >= bound(part + 1)) part++;
    counts[part][1]++;
  }
  return counts;
}

/** A number in four digits. */
export function shown(number) { return Number(number.toPrecision(4)).toString(); }
