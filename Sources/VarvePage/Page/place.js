// What is seen, as the fragment of the page's address: so a reload loses nothing, and a view can be sent.

/** `t=FROM-TO&e=4.17&pin=3,9&hide=4&fold=2&q=glob&r=FROM-TO&s=words&p=findings&c=MOMENT&v=steps` */
export function written(view) {
  const parts = [];
  const put = (name, value) => { if (value !== null && value !== undefined && value !== "") parts.push(`${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`); };
  put("t", view.from !== null ? `${Math.round(view.from)}..${Math.round(view.to)}` : null);
  put("e", view.event);
  put("l", view.top ? Math.round(view.top) : null);
  put("pin", [...view.pinned].join());
  put("hide", [...view.hidden].join());
  put("fold", [...view.folded].join());
  put("q", view.filter);
  put("r", view.range ? `${Math.round(view.range.from)}..${Math.round(view.range.to)}` : null);
  put("s", view.search);
  put("p", view.panel);
  put("c", Number.isFinite(view.cursor) ? Math.round(view.cursor) : null);
  put("v", view.steps ? "steps" : null);
  return parts.join("&");
}

/** Reads what `written` wrote; leaves out what makes no sense. */
export function readPlace(fragment) {
  const fields = new Map();
  for (const part of fragment.replace(/^#/, "").split("&")) {
    const at = part.indexOf("=");
    if (at <= 0) continue;
    try { fields.set(part.slice(0, at), decodeURIComponent(part.slice(at + 1))); } catch { /* not ours */ }
  }
  const span = text => {
    const found = /^(-?\d{1,16})\.\.(-?\d{1,16})$/.exec(text ?? "");
    return found && Number(found[1]) < Number(found[2]) ? { from: Number(found[1]), to: Number(found[2]) } : null;
  };
  const numbers = text => new Set((text ?? "").split(",").filter(one => /^\d{1,7}$/.test(one)).map(Number));
  const event = fields.get("e");
  return {
    time: span(fields.get("t")), range: span(fields.get("r")),
    event: event && /^[\w.:-]{1,40}$/.test(event) ? event : null,
    top: Number(/^\d{1,7}$/.exec(fields.get("l") ?? "")?.[0] ?? 0),
    pinned: numbers(fields.get("pin")), hidden: numbers(fields.get("hide")),
    folded: fields.has("fold") ? numbers(fields.get("fold")) : null,
    cursor: /^\d{1,16}$/.test(fields.get("c") ?? "") ? Number(fields.get("c")) : null, steps: fields.get("v") === "steps",
    filter: (fields.get("q") ?? "").slice(0, 1000), search: (fields.get("s") ?? "").slice(0, 1000), panel: /^[a-z]{1,20}$/.exec(fields.get("p") ?? "")?.[0] ?? null,
  };
}
