// swift-format-ignore-file
// Written by Tools/embed-page.

extension PageFile {
  static let fuzzyScript = PageFile(name: "fuzzy.js", text: ##"""
// Finds what somebody means by a few of its letters.

/** How well a text has the letters of a query in their order; null when it has not. Beginnings of words,
 * runs of letters and short texts score more. */
export function fuzzyScore(query, text) {
  if (!query) return { score: 0, at: [] };
  const letters = query.toLowerCase(), lower = text.toLowerCase();
  const whole = lower.indexOf(letters);
  if (whole >= 0) {
    const at = Array.from(letters, (_, index) => whole + index);
    const bonus = isStart(text, whole) ? 100 : 0;
    return { score: bonus + letters.length * 3 - whole / 2 - text.length / 10, at };
  }
  const at = [];
  let score = 0, from = 0;
  for (const letter of letters) {
    if (letter === " ") continue;
    const found = lower.indexOf(letter, from);
    if (found < 0) return null;
    score += found === from && at.length ? 5 : isStart(text, found) ? 4 : 1 - Math.min(3, (found - from) / 8);
    at.push(found);
    from = found + 1;
  }
  return { score: score - text.length / 20, at };
}

function isStart(text, index) {
  if (index === 0) return true;
  const before = text[index - 1], here = text[index];
  return /[^A-Za-z0-9]/.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(here));
}

/** The best of a list, best first. */
export function fuzzyFind(query, list, textOf, limit = 50) {
  const found = [];
  for (const one of list) {
    const scored = fuzzyScore(query, textOf(one));
    if (scored) found.push({ one, ...scored });
  }
  return found.sort((a, b) => b.score - a.score).slice(0, limit);
}
"""##)
}
