// swift-format-ignore-file
// Written by Tools/embed-page.

extension PageFile {
  static let serverSourceScript = PageFile(name: "server-source.js", text: ##"""
// Asks the server that the page came from.

export const SILENT = "varve view does not answer: is it still running?";

export class ServerSource {
  /** `root` is where the page is: the token's folder. */
  constructor(root) {
    this.root = root;
    this.omitted = null;
    this.pending = 0;
    /** Whether there was an answer the last time; `noticed` is called when that changes. */
    this.answers = true;
    this.noticed = null;
  }

  get isLive() { return true; }

  address(path, parameters = {}) {
    const address = new URL(`api/${path}`, this.root);
    for (const [name, value] of Object.entries(parameters)) {
      if (value === null || value === undefined || value === "") continue;
      address.searchParams.set(name, Array.isArray(value) ? ranges(value) : value);
    }
    return address;
  }

  async get(path, parameters, signal) {
    let answer;
    try {
      answer = await fetch(this.address(path, parameters), { signal, credentials: "omit" });
    } catch (error) {
      // The browser's own words for a server that is gone tell nobody what to do.
      if (error.name === "AbortError") throw error;
      this.notice(false);
      throw new Error(SILENT);
    }
    this.notice(true);
    if (!answer.ok) throw new Error(await reason(answer));
    return answer;
  }

  notice(answers) {
    if (this.answers === answers) return;
    this.answers = answers;
    this.noticed?.();
  }

  async json(path, parameters, signal) { return (await this.get(path, parameters, signal)).json(); }

  trace() { return this.json("trace"); }

  async tiles(level, first, count, lanes, signal) {
    const octets = await (await this.get("tiles", { level, first, count, lanes: lanes.length ? lanes : null }, signal)).arrayBuffer();
    const head = new DataView(octets), flags = head.getUint32(8, true);
    const cells = new Uint8Array(octets, 12);
    if (cells.length !== lanes.length * count * 256) throw new Error("tiles of another size than asked for");
    // Lanes come in the order of their numbers.
    const sorted = [...lanes].sort((a, b) => a - b);
    if (sorted.some((lane, index) => lane !== lanes[index])) {
      const ordered = new Uint8Array(cells.length), size = count * 256;
      lanes.forEach((lane, row) => ordered.set(cells.subarray(sorted.indexOf(lane) * size, (sorted.indexOf(lane) + 1) * size), row * size));
      return { estimate: (flags & 1) !== 0, unknown: (flags & 2) !== 0, cells: ordered };
    }
    return { estimate: (flags & 1) !== 0, unknown: (flags & 2) !== 0, cells };
  }

  /** `draws` asks for a soon answer, which may be a part without events. */
  events({ from, to, lanes, after, limit = 2000, draws = false }, signal) {
    return this.json("events", { from: Math.floor(from), to: Math.ceil(to), lanes, after, limit, draws: draws ? 1 : null }, signal);
  }
  event(event) { return this.json("event", { event }); }
  why(event) { return this.json("why", { event }); }
  slices({ from, to, lanes, limit = 5000, pixel = null }, signal) {
    return this.json("slices", { from: Math.floor(from), to: Math.ceil(to), lanes, limit, pixel }, signal);
  }
  values({ lane, from, to, limit = 2000 }) {
    return this.json("values", { lane, from: Math.floor(from), to: Math.ceil(to), limit });
  }
  lines(stacks) { return this.json("lines", { stacks: stacks.join() }); }
  state(tick) { return this.json("state", { at: Math.floor(tick) }); }
  source(place) { return this.json("source", { place }); }
  graph() { return this.json("graph"); }
  subscriptions(lane) { return this.json("subscriptions", { lane }); }

  search({ text, regex, where, lanes, from, to }, signal) {
    return this.stream("search", { text, regex: regex ? 1 : null, where, lanes, from, to }, signal);
  }
  statistics({ from, to, lanes }, signal) {
    return this.stream("statistics", { from: Math.floor(from), to: Math.ceil(to), lanes }, signal);
  }
  findings(signal) { return this.stream("findings", {}, signal); }
  postmortem(signal) { return this.stream("postmortem", {}, signal); }
  diff(signal) { return this.stream("diff", {}, signal); }
  latency(_, signal) { return this.stream("latency", {}, signal); }
  silence({ lane, at }, signal) { return this.stream("silence", { lane, at: at === undefined ? null : Math.floor(at) }, signal); }
  telling(event, signal) { return this.stream("telling", { event }, signal); }
  pyramid(signal) { return this.stream("pyramid", {}, signal); }
  live(signal) { return this.stream("live", {}, signal); }

  /** Server-sent events as `{ progress }`, `{ row }` and `{ done }`. Leaving the loop closes the
   * connection, which stops the work. */
  async *stream(path, parameters, signal) {
    const own = new AbortController();
    signal?.addEventListener("abort", () => own.abort());
    const answer = await this.get(path, parameters, own.signal);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        text += value;
        for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) {
          const message = parsed(text.slice(0, end));
          if (!message) continue;
          if (message.name === "failure") throw new Error(message.data?.message ?? "the server stopped");
          yield { [message.name]: message.data };
          if (message.name === "done") return;
        }
      }
    } finally {
      own.abort();
    }
  }
}

/** One server-sent event. */
export function parsed(block) {
  let name = "row", data = "";
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data += (data ? "\n" : "") + line.slice(5).replace(/^ /, "");
  }
  return data ? { name, data: JSON.parse(data) } : null;
}

/** Numbers as ranges: `0-49,60`. */
export function ranges(numbers) {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b), parts = [];
  for (let index = 0; index < sorted.length;) {
    let end = index;
    while (sorted[end + 1] === sorted[end] + 1) end++;
    parts.push(end === index ? `${sorted[index]}` : `${sorted[index]}-${sorted[end]}`);
    index = end + 1;
  }
  return parts.join(",");
}

async function reason(answer) {
  const text = await answer.text();
  try { return JSON.parse(text).message ?? text; } catch { return text || `${answer.status} ${answer.statusText}`; }
}
"""##)
}
