// swift-format-ignore-file
// Written by Tools/embed-page.

extension PageFile {
  static let elementsScript = PageFile(name: "elements.js", text: ##"""
// Elements of the page. Text only ever becomes text: what a trace says cannot become markup.

/** `element("button", { class: "x", onclick: f }, "text", child)`. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  put(made, ...children);
  return made;
}

/** Replaces what is in an element. */
export function put(parent, ...children) {
  parent.replaceChildren(...children.flat(3).filter(child => child !== null && child !== undefined && child !== false)
    .map(child => child instanceof Node ? child : document.createTextNode(legible(child))));
  return parent;
}

/** What is left of a character that was cut in two. */
const HALF = /[\ud800-\udbff]$/;
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A text with what would be invisible or turn the line around made visible; at most so long. */
export function legible(text, most = 20_000) {
  let shown = String(text ?? "");
  if (shown.length > most) shown = shown.slice(0, most).replace(HALF, "") + `… (${count(shown.length - most)} more)`;
  return shown.replace(INVISIBLE, one => `\\u{${one.codePointAt(0).toString(16)}}`);
}

/** The same, in one line, cut to a length. */
export function brief(text, most = 80) {
  const shown = legible(text, most * 2).replace(/\s+/g, " ");
  return shown.length > most ? shown.slice(0, most - 1).replace(HALF, "") + "…" : shown;
}

export function count(number) { return Math.round(number).toLocaleString("en-US"); }

/** A name that breaks, where it is too long for a line, before what is readable in itself. */
export function breakable(name) { return name.split(/(?<=[@(,])|(?=\.)(?<!^|\.|…)/).map((part, index) => [index ? element("wbr") : null, part]); }

/** A number of things: `1 event`, `2,000 events`. */
export function counted(number, one, many = `${one}s`) { return `${count(number)} ${Math.round(number) === 1 ? one : many}`; }

/** A word of a shell: quoted where it has to be. */
export function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${String(word).replaceAll("'", "'\\''")}'`;
}

/** A signal by the name that it has on all systems, or by its number. */
export function signalName(number) {
  return { 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 15: "SIGTERM" }[number] ?? `signal ${number}`;
}
"""##)
}
