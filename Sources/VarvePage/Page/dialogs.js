// What opens over the page: a list to choose from, and the table of keys.

import { element, put, brief } from "./elements.js";
import { fuzzyFind } from "./fuzzy.js";
import { shownKey } from "./commands.js";

/** Chooses one of a list by a few letters. */
export function choose(title, list, textOf, noteOf, run) {
  const before = document.activeElement;
  const field = element("input", { type: "text", role: "combobox", "aria-label": title, placeholder: title, "aria-controls": "choices", "aria-expanded": "true", autocomplete: "off", spellcheck: "false" });
  const choices = element("ol", { id: "choices", role: "listbox", class: "choices" });
  const dialog = element("dialog", { class: "chooser", "aria-label": title }, field, choices);
  let found = [], at = 0;
  const close = () => { dialog.close(); dialog.remove(); before?.focus?.(); };
  const take = index => { const one = found[index]?.one; close(); if (one !== undefined) run(one); };
  const show = () => {
    put(choices, found.map(({ one, at: letters }, index) => {
      const text = brief(textOf(one), 100), marked = new Set(letters);
      return element("li", { role: "option", id: `choice-${index}`, "aria-selected": index === at ? "true" : "false", onclick: () => take(index) },
        element("span", {}, [...text].map((letter, position) => marked.has(position) ? element("b", {}, letter) : letter)), element("small", {}, noteOf(one)));
    }), found.length ? null : element("li", { class: "note" }, "nothing like it"));
    field.setAttribute("aria-activedescendant", found.length ? `choice-${at}` : "");
    choices.children[at]?.scrollIntoView({ block: "nearest" });
  };
  const look = () => { found = fuzzyFind(field.value, list, textOf); at = 0; show(); };
  field.addEventListener("input", look);
  dialog.addEventListener("keydown", event => {
    event.stopPropagation();
    if (event.key === "ArrowDown" || event.key === "Tab" && !event.shiftKey || event.ctrlKey && event.key === "n") at = Math.min(found.length - 1, at + 1);
    else if (event.key === "ArrowUp" || event.key === "Tab" || event.ctrlKey && event.key === "p") at = Math.max(0, at - 1);
    else if (event.key === "Enter") { event.preventDefault(); return take(at); }
    else if (event.key === "Escape") { event.preventDefault(); return close(); }
    else return;
    event.preventDefault();
    show();
  });
  dialog.addEventListener("click", event => { if (event.target === dialog) close(); });
  document.body.append(dialog);
  dialog.showModal();
  look();
  field.focus();
}

/** Asks for a line. */
export function ask(title, run) {
  const field = element("input", { type: "text", "aria-label": title, placeholder: title, autocomplete: "off", spellcheck: "false" });
  const dialog = element("dialog", { class: "chooser", "aria-label": title }, field);
  const close = () => { dialog.close(); dialog.remove(); };
  dialog.addEventListener("keydown", event => {
    event.stopPropagation();
    if (event.key === "Enter") { const text = field.value.trim(); close(); if (text) run(text); }
    else if (event.key === "Escape") close();
  });
  document.body.append(dialog);
  dialog.showModal();
  field.focus();
}

export function showKeys(commands) {
  const groups = new Map();
  for (const command of commands) {
    if (!groups.has(command.group)) groups.set(command.group, []);
    groups.get(command.group).push(command);
  }
  const close = () => { dialog.close(); dialog.remove(); };
  const dialog = element("dialog", { class: "keys", "aria-label": "Keys" },
    element("header", {}, element("h2", {}, "Keys"), element("button", { type: "button", onclick: () => close() }, "close")),
    element("div", { class: "columns" }, [...groups].map(([group, list]) => element("section", {}, element("h3", {}, group),
      element("dl", {}, list.map(command => [element("dt", {}, command.keys.slice(0, 2).map((key, index) => [index ? " " : null, element("kbd", {}, shownKey(key))])), element("dd", {}, command.title)])))),
    element("section", {}, element("h3", {}, "Mouse"), element("dl", {}, [["wheel", "zoom about the pointer; with shift, earlier and later; over names, up and down"], ["drag", "earlier and later, up and down"],
      ["shift drag", "select a range; so does dragging on the axis"], ["click", "select an event, or a lane"], ["double click", "close in"]].map(([key, text]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, text)]))),
    element("section", {}, element("h3", {}, "Shapes"), element("dl", {}, [["●", "a value; a number counts several"], ["✗", "failed"], ["|", "completed"], ["⊘", "interrupted or cancelled"], ["├ ┤", "a subscription began, ended"],
      ["○", "a value absorbed on its way"], ["□", "a property was read"], ["△", "a sample of work that takes long"], ["▸", "work scheduled, begun, ended"], ["▨", "events lost, or damage"]].map(([key, text]) => [element("dt", {}, key), element("dd", {}, text)])))));
  dialog.addEventListener("keydown", event => { event.stopPropagation(); if (event.key === "?" || event.key === "q") close(); });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
