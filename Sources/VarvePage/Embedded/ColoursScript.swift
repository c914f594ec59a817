// swift-format-ignore-file
// Written by Tools/embed-page.

extension PageFile {
  static let coloursScript = PageFile(name: "colours.js", text: ##"""
// Colours of lanes and of what is drawn. Those of lanes are Okabe and Ito's, which people of all kinds of
// colour vision tell apart, lightened or darkened for the background; neighbours never share one.

const LIGHT = ["#0072b2", "#9a6a00", "#00785a", "#b04a86", "#2f7fb8", "#a34700", "#5b5fa8", "#5d6b00"];
const DARK = ["#56b4e9", "#e69f00", "#2bc79a", "#e08bbd", "#8fb8ff", "#f0884a", "#b6a5f0", "#d6cf4a"];

const THEMES = {
  __proto__: null,
  light: {
    lanes: LIGHT, back: "#ffffff", raised: "#f4f5f7", stripe: "#f8f9fb", line: "#d9dce1", text: "#1b1f24", faint: "#5c6470",
    failed: "#c4320a", ended: "#4a5260", lost: "#7a5b00", other: "#8a93a0", accent: "#0b57d0", range: "#0b57d022",
    chain: "#1b1f24", halo: "#ffffff", runs: "#7fb6dc", waits: "#e9c98a", queued: "#dfe3e8", damage: "#c4320a26",
  },
  dark: {
    lanes: DARK, back: "#14171c", raised: "#1c2027", stripe: "#181c22", line: "#333a45", text: "#e8ebf0", faint: "#a0a9b6",
    failed: "#ff7a59", ended: "#b9c1cc", lost: "#e3c04f", other: "#7d8794", accent: "#8ab4ff", range: "#8ab4ff2e",
    chain: "#ffffff", halo: "#14171c", runs: "#2f6f9e", waits: "#8a6a24", queued: "#39414d", damage: "#ff7a5940",
  },
  "high-contrast": {
    lanes: ["#6cc8ff", "#ffb400", "#3dffb9", "#ff9ede", "#a9c7ff", "#ff9a5c", "#d1c2ff", "#fff36b"],
    back: "#000000", raised: "#000000", stripe: "#0a0a0a", line: "#9a9a9a", text: "#ffffff", faint: "#e6e6e6",
    failed: "#ff8a70", ended: "#ffffff", lost: "#ffe14d", other: "#cfcfcf", accent: "#ffff00", range: "#ffff0040",
    chain: "#ffff00", halo: "#000000", runs: "#1f7fc2", waits: "#a87a00", queued: "#555555", damage: "#ff8a7066",
  },
};

export const THEME_NAMES = ["system", "light", "dark", "high-contrast"];

/** What of the system's settings the theme `system` depends on. */
export const SYSTEM = ["(prefers-contrast: more)", "(forced-colors: active)", "(prefers-color-scheme: dark)"];

/** The colours of a theme; `system` follows the system's setting. Where it forces colours, the picture has as
 * much contrast as the page: upon black, or the dark inks of `light` upon white. */
export function theme(name) {
  if (name !== "system" && THEMES[name]) return { name, ...THEMES[name] };
  const [contrast, forced, dark] = SYSTEM.map(question => globalThis.matchMedia?.(question).matches);
  const chosen = forced ? (dark ? "high-contrast" : "light") : contrast ? "high-contrast" : dark ? "dark" : "light";
  return { name: chosen, ...THEMES[chosen] };
}

export function laneColour(colours, lane) { return colours.lanes[(lane.colour ?? lane.lane) % colours.lanes.length]; }

/** `#rrggbb` as the number that a pixel is in memory, mixed with what is behind it. */
export function pixel(colour, behind = colour, part = 1) {
  const of = (text, at) => parseInt(text.slice(at, at + 2), 16);
  const mix = at => Math.round(of(colour, at) * part + of(behind, at) * (1 - part));
  return (255 << 24 | mix(5) << 16 | mix(3) << 8 | mix(1)) >>> 0;
}
"""##)
}
