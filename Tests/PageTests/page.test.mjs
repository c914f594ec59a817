// The modules of the viewer's page, without a browser: `node --test Tests/PageTests`.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { TimeAxis, Clock, axisMarks, duration } from "../../Sources/VarvePage/Page/time-axis.js";
import { Lanes, matcher } from "../../Sources/VarvePage/Page/lanes.js";
import { TileCache, levelOf, BUCKETS } from "../../Sources/VarvePage/Page/tiles.js";
import { fuzzyFind, fuzzyScore } from "../../Sources/VarvePage/Page/fuzzy.js";
import { written, readPlace } from "../../Sources/VarvePage/Page/place.js";
import { legible, brief, counted, quoted, signalName } from "../../Sources/VarvePage/Page/elements.js";
import { EmbeddedSource, flagOf } from "../../Sources/VarvePage/Page/embedded-source.js";
import { parsed, ranges } from "../../Sources/VarvePage/Page/server-source.js";
import { summary } from "../../Sources/VarvePage/Page/numbers.js";
import { fittedName } from "../../Sources/VarvePage/Page/chart.js";
import { clusters, shapeOf } from "../../Sources/VarvePage/Page/marbles.js";
import { Causes } from "../../Sources/VarvePage/Page/causes.js";
import { EventSearch, question } from "../../Sources/VarvePage/Page/event-search.js";
import { SliceWindow, SlicePainter } from "../../Sources/VarvePage/Page/slices.js";
import { fittedLines, frameRuns } from "../../Sources/VarvePage/Page/event-panel.js";
import { theme } from "../../Sources/VarvePage/Page/colours.js";

const lane = (number, more = {}) => ({ lane: number, kind: "stream", name: `lane ${number}`, label: `lane ${number}`, group: null, parents: [], ...more });
const event = (id, tick, more = {}) => ({ event: id, tick, lane: 0, kind: "value", value: "1", causes: [], ...more });
const sourceOf = (events, lanes = [lane(0), lane(1)]) => new EmbeddedSource({ trace: { lanes, ticks: 1e6, clock: [] }, events });

test("zooming keeps the moment under the pointer, at any scale", () => {
  const axis = new TimeAxis(1e12);
  axis.resize(1000);
  axis.whole();
  const at = axis.tick(300);
  for (let step = 0; step < 40; step++) {
    axis.zoom(0.7, 300);
    assert.ok(Math.abs(axis.tick(300) - at) <= Math.max(1e-3, axis.scale * 1e-3), `step ${step}`);
  }
});

test("the axis never leaves the recording", () => {
  const axis = new TimeAxis(1e9);
  axis.resize(800);
  axis.fit(4e8, 5e8);
  for (const pixels of [-1e9, 1e9]) {
    axis.pan(pixels);
    assert.ok(axis.end > 0 && axis.start < 1e9);
  }
  axis.zoom(1e9);
  assert.ok(axis.isWhole);
});

test("a clock of several anchors goes both ways", () => {
  const clock = new Clock([[0, 0], [100, 1000], [200, 1100]]);
  for (const [tick, ns] of [[50, 500], [100, 1000], [150, 1050], [300, 1200]]) {
    assert.equal(clock.ns(tick), ns);
    assert.equal(clock.tick(ns), tick);
  }
});

test("marks of the axis stand at round times, in order, and are different from one another", () => {
  const axis = new TimeAxis(1e13), clock = new Clock([]);
  axis.resize(1200);
  for (const [from, to] of [[0, 1e13], [3e9, 3.1e9], [5e12, 5e12 + 2000], [7e12, 7e12 + 50]]) {
    axis.fit(from, to, 0);
    const { marks } = axisMarks(axis, clock);
    assert.ok(marks.length >= 2, `${from}`);
    assert.equal(new Set(marks.map(mark => mark.label)).size, marks.length, marks.map(mark => mark.label).join());
    for (let index = 1; index < marks.length; index++) assert.ok(marks[index].x > marks[index - 1].x + 20);
  }
});

test("spans of time have three digits and a unit", () => {
  for (const [ns, text] of [[0, "0 s"], [950, "950 ns"], [12_340, "12.3 µs"], [1.5e6, "1.50 ms"], [2e9, "2.00 s"], [90e9, "1 m 30.0 s"], [-5000, "−5.00 µs"]])
    assert.equal(duration(ns), text);
});

test("folding a group hides its members, and revealing one unfolds it", () => {
  const lanes = new Lanes([lane(0), lane(1, { group: 0 }), lane(2, { group: 1 }), lane(3)]);
  const seen = () => lanes.rows.map(row => row.lane.lane);
  lanes.fold(lanes.rows[0]);
  assert.deepEqual(seen(), [0, 3]);
  lanes.reveal(2);
  assert.deepEqual(seen(), [0, 1, 2, 3]);
  assert.equal(lanes.focused.lane, 2);
});

test("lanes that came later have their places by order, and those with nothing to show have none", () => {
  const lanes = new Lanes([lane(0), lane(1, { order: 2 }), lane(2, { order: 1 }), lane(3, { empty: true })]);
  assert.deepEqual(lanes.rows.map(row => row.lane.lane), [0, 2, 1]);
});

test("pins come first, hidden lanes go, a filter finds what is folded away", () => {
  const lanes = new Lanes([lane(0), lane(1), lane(2, { group: 0, name: "search" })]);
  lanes.toggle(lanes.pinned, 1);
  lanes.toggle(lanes.hidden, 0);
  assert.deepEqual(lanes.rows.map(row => row.lane.lane), [1, 2]);
  lanes.toggle(lanes.folded, 0);
  lanes.setFilter("sear*");
  assert.deepEqual(lanes.rows.map(row => row.lane.lane), [1, 2]);
});

test("lanes are filtered by words, globs and expressions", () => {
  const named = name => lane(0, { name, label: name });
  for (const [filter, name, matches] of [
    ["ear", "search", true], ["SEARCH", "search", true], ["a b", "bay", true], ["s*h", "search", true], ["s*", "research", false],
    ["?ook", "look", true], ["/^s.*h$/", "search", true], ["/^S/", "search", false], ["/^S/i", "search", true], ["a.b*", "axb", false],
  ]) assert.equal(matcher(filter)(named(name)), matches, `${filter} ${name}`);
  assert.throws(() => matcher("/(/"));
});

test("cells of embedded events equal a count, bucket by bucket", async () => {
  let seed = 7;
  const random = most => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed % most; };
  const kinds = ["value", "failed", "completed", "absorbed", "subscribed"];
  const events = Array.from({ length: 5000 }, (_, index) => event(`1.${index}`, random(100_000), { lane: random(3), kind: kinds[random(5)] })).sort((a, b) => a.tick - b.tick);
  const source = sourceOf(events, [lane(0), lane(1), lane(2)]);
  for (const level of [0, 2, 4, 7]) {
    const width = 4 ** level, { cells } = await source.tiles(level, 0, 2, [2, 0]);
    [2, 0].forEach((number, row) => {
      for (let bucket = 0; bucket < 2 * BUCKETS; bucket++) {
        const inside = events.filter(one => one.lane === number && Math.floor(one.tick / width) === bucket);
        const expected = Math.min(15, inside.length.toString(2).length * (inside.length ? 1 : 0)) | inside.reduce((flags, one) => flags | flagOf(one.kind), 0);
        assert.equal(cells[row * 2 * BUCKETS + bucket], expected, `level ${level}, bucket ${bucket}`);
      }
    });
  }
});

test("columns take the highest count and all flags of a pixel's buckets", () => {
  const tiles = new TileCache(() => {}, 1, () => {});
  const cells = new Uint8Array(BUCKETS);
  cells.set([1, 0x13, 2, 0x24]);
  tiles.levels.set(1, new Map([[0, cells]]));
  const line = new Uint8Array(3);
  tiles.columns(line, 0, 1, 0, 8);
  assert.deepEqual([...line], [0x13, 0x24, 0]);
});

test("columns are those of a plain count, wherever the picture begins", () => {
  let seed = 11;
  const random = most => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed % most; };
  const tiles = new TileCache(() => {}, 2, () => {}), numbers = [0, 1, 4, 5, 4_000_000_000];
  tiles.levels.set(3, new Map(numbers.map(number => [number * 2 + 1, Uint8Array.from({ length: BUCKETS }, () => random(256))])));
  for (const start of [-9000, -64, 0, 1234.5, 4 * BUCKETS * 64 - 700, 4_000_000_000 * BUCKETS * 64 - 333]) for (const perPixel of [64, 101.25, 255.9]) {
    const line = new Uint8Array(500), expected = [...line];
    tiles.columns(line, 1, 3, start, perPixel);
    const first = Math.floor(start / 64);
    for (let x = 0, at = start / 64 - first; x < line.length; x++, at += perPixel / 64)
      for (let bucket = first + Math.floor(at); bucket < first + Math.max(Math.floor(at) + 1, Math.floor(at + perPixel / 64)); bucket++) {
        const cell = bucket < 0 ? 0 : tiles.tile(3, Math.floor(bucket / BUCKETS), 1)?.[bucket % BUCKETS] ?? 0;
        expected[x] = Math.max(expected[x] & 15, cell & 15) | (expected[x] | cell) & 0xf0;
      }
    assert.deepEqual([...line], expected, `${start}, ${perPixel}`);
  }
});

test("a coarser tile stands in for one that is on its way", () => {
  const tiles = new TileCache(() => {}, 1, () => {});
  tiles.levels.set(2, new Map([[0, new Uint8Array(BUCKETS).fill(3, 4, 8)]]));
  const line = new Uint8Array(40);
  tiles.columns(line, 0, 1, 0, 4);
  assert.equal(line[15], 0);
  assert.equal(line[16], 3);
  assert.equal(line[31], 3);
  assert.equal(line[32], 0);
});

test("tiles that are missing are asked for once, and come into the picture", async () => {
  let asked = 0, arrived;
  const here = new Promise(done => { arrived = done; });
  const tiles = new TileCache(async (level, first, count, lanes) => { asked++; return { cells: new Uint8Array(count * lanes.length * BUCKETS).fill(5) }; }, 4, () => arrived());
  assert.equal(tiles.want(3, 0, 100_000, [0, 2]), false);
  assert.equal(tiles.want(3, 0, 100_000, [0, 2]), false);
  await here;
  assert.equal(tiles.want(3, 0, 100_000, [0, 2]), true);
  assert.equal(asked, 1);
  assert.equal(tiles.tile(3, 1, 2)[0], 5);
});

test("a bucket is never wider than a pixel", () => {
  for (const scale of [0.01, 1, 3.9, 4, 15, 16, 1e6]) assert.ok(4 ** levelOf(scale) <= Math.max(1, scale));
});

test("a place comes back from its fragment, and nonsense makes no place", () => {
  const place = { from: 10, to: 2000, event: "4.17", top: 3, pinned: new Set([1, 2]), hidden: new Set([5]), folded: new Set(), filter: "a b*&=#", search: "?value > 3", range: { from: 5, to: 6 }, panel: "range" };
  const read = readPlace(written(place));
  assert.deepEqual([read.time, read.event, read.top, [...read.pinned], [...read.hidden], read.filter, read.search, read.range, read.panel],
    [{ from: 10, to: 2000 }, "4.17", 3, [1, 2], [5], "a b*&=#", "?value > 3", { from: 5, to: 6 }, "range"]);
  const nonsense = readPlace("#t=9..1&e=<script>&pin=x,-1,99999999&p=__proto__&q=%zz&l=-4");
  assert.deepEqual([nonsense.time, nonsense.event, [...nonsense.pinned], nonsense.panel, nonsense.filter, nonsense.top], [null, null, [], null, "", 0]);
});

test("what is invisible or turns a line around is written out", () => {
  assert.equal(legible("a\u202eb\u0000c"), "a\\u{202e}b\\u{0}c");
  assert.ok(brief("x".repeat(1e6)).length <= 80);
  assert.ok(legible("x".repeat(1e6)).length < 21_000);
  assert.equal(quoted("it's"), "'it'\\''s'");
});

test("few letters find a lane, the beginnings of words first", () => {
  assert.equal(fuzzyScore("xyz", "search"), null);
  assert.equal(fuzzyFind("sp", ["asap", "search.parts", "whisper"], one => one)[0].one, "search.parts");
});

test("server-sent events and ranges of lanes are read and written", () => {
  assert.deepEqual(parsed("event: done\ndata: {\"a\":\ndata: 1}"), { name: "done", data: { a: 1 } });
  assert.equal(parsed(": nothing"), null);
  assert.equal(ranges([3, 1, 2, 7, 9, 10]), "1-3,7,9-10");
});

test("quantiles and histograms count every number", () => {
  const found = summary(Array.from({ length: 1000 }, (_, index) => 999 - index));
  assert.deepEqual([found.min, found.p50, found.p90, found.max], [0, 500, 900, 999]);
  for (const numbers of [[5], [1, 1e9], [-3, 0, 3], Array.from({ length: 99 }, (_, index) => index ** 4)])
    assert.equal(summary(numbers).histogram.reduce((sum, [, count]) => sum + count, 0), numbers.length);
});

test("marbles that would overlap are counted as one", () => {
  const found = clusters([1, 5, 9, 40, 100].map((tick, index) => event(`1.${index}`, tick)), tick => tick);
  assert.deepEqual(found.map(one => one.events.length), [3, 1, 1]);
  // A number is wider than a marble, and so is a value beside the end that came with it.
  const numbers = (...ticks) => clusters(ticks.map((tick, index) => event(`1.${index}`, tick)), tick => tick).map(one => one.events.length);
  assert.deepEqual(numbers(0, 14, 28), [1, 1, 1]);
  assert.deepEqual(numbers(0, 1, 14, 28), [3, 1]);
  assert.deepEqual(numbers(...Array(120).fill(0), 20), [121]);
  const end = tick => event("1.9", tick, { kind: "completed", value: null });
  assert.deepEqual(clusters([event("1.1", 0), end(1), event("1.2", 20), event("1.3", 60)], tick => tick).map(one => one.events.length), [3, 1]);
});

test("a number of things has the right plural", () => {
  assert.deepEqual([0, 1, 2, 2000].map(number => counted(number, "event")), ["0 events", "1 event", "2 events", "2,000 events"]);
});

test("a text is not cut within a character", () => {
  for (let most = 1; most < 6; most++) {
    assert.ok(!/[\ud800-\udbff](?![\udc00-\udfff])/.test(legible("𝕏𝕏𝕏𝕏", most)), String(most));
    assert.ok(!/[\ud800-\udbff](?![\udc00-\udfff])/.test(brief("𝕏𝕏𝕏𝕏", most)), String(most));
  }
});

test("ends differ in their shapes", () => {
  const shapes = ["value", "completed", "failed", "interrupted", "ended"].map(shapeOf);
  assert.equal(new Set(shapes).size, shapes.length);
});

test("the chain of causes is walked to its root, and a circle ends", async () => {
  const source = sourceOf([event("1.1", 1), event("1.2", 2, { causes: ["1.1"] }), event("1.3", 3, { causes: ["1.2"] }), event("2.1", 4, { causes: ["2.1"] })]);
  const causes = new Causes(source);
  await causes.follow("1.3");
  assert.deepEqual(causes.steps.map(step => step.event), ["1.3", "1.2", "1.1"]);
  assert.equal(causes.causeOf(await source.event("1.2")), "1.1");
  assert.equal(causes.causeOf(await source.event("1.1")), null);
  assert.equal(causes.effectOf(await source.event("1.1")), "1.2");
  assert.equal((await source.why("2.1")).steps.length, 1);
});

test("a search goes around the ends, by text and by expression", async () => {
  const search = new EventSearch(sourceOf(["apple", "pear", "grape", "PEARS"].map((value, index) => event(`1.${index}`, index * 10, { value }))), () => {});
  await search.run("pear");
  assert.deepEqual(search.hits.map(hit => hit.event), ["1.1", "1.3"]);
  assert.equal(search.next(1, 15).event, "1.3");
  assert.equal(search.next(1, 30, "1.3").event, "1.1");
  await search.run("/^.ra/");
  assert.deepEqual(search.hits.map(hit => hit.event), ["1.2"]);
  await search.run("/(/");
  assert.equal(search.state, "failed");
  assert.deepEqual(question("? value > 3"), { text: "", where: "value > 3" });
});

test("statistics of a range count what replay prints", async () => {
  const source = sourceOf(Array.from({ length: 100 }, (_, index) => event(`1.${index}`, index * 10, { value: String(index) })));
  for await (const { done } of source.statistics({ from: 100, to: 199 })) {
    assert.equal(done.count, 10);
    assert.equal(done.rows[0].numbers.max, 19);
    assert.equal(done.rows[0].gaps.p50, 10);
  }
});

test("statistics of a range say how long that lasted which began and ended in it", async () => {
  const source = sourceOf([["subscribed", 10, 1], ["hopBegan", 20, 7], ["subscribed", 30, 2], ["ended", 40, 2], ["ended", 90, 1], ["hopEnded", 95, 7]]
    .map(([kind, tick, subscription], index) => event(`1.${index}`, tick, { kind, subscription, value: null, lane: kind.startsWith("hop") ? 1 : 0 })));
  const lasted = async from => {
    for await (const { done } of source.statistics({ from, to: 100 })) return done.rows.map(row => row.durations && [row.durations.count, row.durations.max]);
  };
  assert.deepEqual(await lasted(0), [[2, 80], [1, 75]]);
  assert.deepEqual(await lasted(25), [[1, 10], null]);
});

test("a page that has a part of a recording says of which period", () => {
  const events = [event("1.1", 40), event("1.2", 90)], trace = { lanes: [lane(0)], ticks: 1e6, clock: [] };
  assert.equal(sourceOf(events).part, null);
  assert.deepEqual(new EmbeddedSource({ trace, events, omitted: "the first 2 of 9" }).part, { from: 40, to: 90 });
});

test("a report keeps its columns where these have room, and else nothing is left free for them", () => {
  const text = "why\n\n▸ Shop.swift:20      kept two values\n  values             values completed\n\nnext    varve\n";
  assert.deepEqual(fittedLines(text, 80), text.trimEnd().split("\n"));
  assert.deepEqual(fittedLines(text, 30), ["why", "", "▸ Shop.swift:20  kept two values", "  values  values completed", "", "next    varve"]);
});

test("text has enough contrast with what is behind it", () => {
  const light = colour => [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16) / 255).map(one => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
    .reduce((sum, one, index) => sum + one * [0.2126, 0.7152, 0.0722][index], 0);
  const contrast = (a, b) => { const [high, low] = [light(a), light(b)].sort((x, y) => y - x); return (high + 0.05) / (low + 0.05); };
  for (const name of ["light", "dark", "high-contrast"]) {
    const colours = theme(name);
    for (const behind of [colours.back, colours.raised, colours.stripe]) {
      assert.ok(contrast(colours.text, behind) >= 7, `${name} text`);
      assert.ok(contrast(colours.faint, behind) >= 4.5, `${name} faint`);
      for (const one of [...colours.lanes, colours.failed, colours.ended, colours.lost]) assert.ok(contrast(one, behind) >= 3, `${name} ${one}`);
    }
  }
});

test("numbers of a trace's steps: a line holds its value until the next", async () => {
  const source = sourceOf([["1.1", 0, "1"], ["1.2", 10, "5"], ["1.3", 20, "x"]].map(([id, tick, value]) => event(id, tick, { value })));
  const { points, min, max } = await source.values({ lane: 0, from: 0, to: 100 });
  assert.deepEqual(points, [[0, 1], [10, 5]]);
  assert.deepEqual([min, max], [1, 5]);
});

test("work is asked for once, with what lies around it, and kept by lane", async () => {
  let asked = 0, arrived;
  const here = new Promise(done => { arrived = done; });
  const window = new SliceWindow({ slices: async ({ from, to }) => { asked++; assert.ok(from < 100 && to > 200); return { slices: [{ lane: 4, from: 100, to: 120, state: "waits" }], more: false }; } }, () => arrived());
  window.want(100, 200, [4, 5]);
  window.want(100, 200, [4, 5]);
  await here;
  assert.deepEqual([asked, window.byLane.get(4).length, window.byLane.has(5)], [1, 1, false]);
  window.want(120, 180, [4, 5]);
  assert.equal(asked, 1);
});

test("who resumed a task is an arrow from lane to lane, unless there are too many", () => {
  const drawn = [];
  const context = new Proxy({}, { get: (_, name) => (...at) => { if (name === "moveTo" || name === "lineTo") drawn.push([name, ...at]); }, set: () => true });
  const painter = new SlicePainter();
  painter.arrows(context, [[50, 10, 100], [60, 100, 10]], 26, {});
  assert.deepEqual(drawn.slice(0, 2), [["moveTo", 50.5, 10], ["lineTo", 50.5, 94]]);
  assert.deepEqual(drawn.slice(5, 7), [["moveTo", 60.5, 100], ["lineTo", 60.5, 16]]);
  drawn.length = 0;
  painter.arrows(context, Array.from({ length: 1000 }, (_, x) => [x, 0, 9]), 26, {});
  assert.equal(drawn.length, 0);
});

test("a walk back along causes is walked forward the same way", async () => {
  const source = sourceOf([event("1.1", 1), event("1.2", 2, { causes: ["1.1"] }), event("1.3", 3, { causes: ["1.1"] })]);
  const causes = new Causes(source);
  await causes.follow("1.3");
  causes.trail.push("1.3");
  await causes.follow("1.1");
  assert.deepEqual(causes.trail, ["1.3"]);
  await causes.follow("1.2");
  assert.deepEqual(causes.trail, []);
  causes.clear();
  assert.equal(causes.steps.length, 0);
});

test("moments and durations are written in the unit that fits", () => {
  for (const [ns, text] of [[999, "999 ns"], [1500, "1.5 µs"], [2e6, "2 ms"], [3.25e9, "3.25 s"]]) assert.equal(duration(ns).replace(/\.?0+ /, " "), text);
});

test("frames of libraries are put together, the program's own are not", () => {
  const runs = frameRuns([false, false, true, true, false].map((own, index) => ({ own, function: `f${index}` })));
  assert.deepEqual(runs.map(run => [run.own, run.frames.map(frame => frame.function).join()]), [[false, "f0,f1"], [true, "f2"], [true, "f3"], [false, "f4"]]);
  assert.deepEqual(frameRuns([]), []);
});

async function all(messages) {
  const found = [];
  for await (const one of messages) found.push(one);
  return found;
}

test("a page without a server tells how long work waited and ran, out of its slices", async () => {
  const slice = (from, to, state, more = {}) => ({ lane: 1, from, to, state, end: null, ...more });
  const source = new EmbeddedSource({
    trace: { lanes: [lane(0), lane(1, { kind: "scheduler", name: "queue" }), lane(2, { kind: "thread" })], ticks: 100, clock: [[0, 0], [100, 1000]] }, events: [],
    slices: [slice(0, 3, "queued"), slice(3, 9, "runs"), slice(4, 6, "queued"), slice(9, 10, "runs"), slice(5, null, "queued"),
      slice(6, 60, "queued", { end: "cancelled" }), slice(3, 9, "runs", { lane: 2 })],
  });
  const [{ done: { rows } }] = await all(source.latency());
  assert.deepEqual(rows.map(row => [row.scheduler, row.count, row.waits.max, row.runs.max, row.runs.p50]), [["queue", 2, 30, 60, 60]]);
  const [{ done }] = await all(sourceOf([event("1.1", 1)]).latency());
  assert.deepEqual(done.rows, []);
});

test("a signal has its name where that is the same on all systems", () => {
  assert.deepEqual([4, 11, 7].map(signalName), ["SIGILL", "SIGSEGV", "signal 7"]);
});

test("a name that is too long keeps the line at its end, by which it differs from others", () => {
  const context = { font: "12px", measureText: text => ({ width: [...text].length }) };
  assert.equal(fittedName(context, "property@Session.swift:10", 16), "property@Ses…:10");
  assert.equal(fittedName(context, "property@Session.swift:10.producer", 20), "propert…:10.producer");
  assert.equal(fittedName(context, "….observe(on: queue)", 12), "….observe(o…");
  assert.equal(fittedName(context, "merge(scan(), ….observe(on: queue))", 17), "merge(scan()…");
  assert.equal(fittedName(context, "short:1", 16), "short:1");
});

test("each module imports what it uses of the others, and nothing else", () => {
  const folder = new URL("../../Sources/VarvePage/Page/", import.meta.url);
  const modules = readdirSync(folder).filter(name => name.endsWith(".js")).map(name => [name, readFileSync(new URL(name, folder), "utf8")]);
  const exported = modules.flatMap(([, text]) => [...text.matchAll(/^export (?:async )?(?:function\*?|class|const) (\w+)/gm)].map(found => found[1]));
  for (const [name, text] of modules) {
    const imported = [...text.matchAll(/^import \{([^}]*)\}/gm)].flatMap(found => found[1].split(",").map(one => one.trim()));
    const body = text.replace(/^import .*$/gm, "").replace(/\/\/.*$/gm, "");
    for (const one of exported) {
      const isOwn = new RegExp(`(function\\*?|class|const|let) ${one}\\b|\\([^()]*\\b${one}\\b[^()]*\\) (=>|{)`).test(body);
      // A call or a construction, and no method of that name.
      const isCalled = new RegExp(`(?<![.\\w])${one}\\(`).test(body.replace(new RegExp(`^ *(static |async |get )*\\*?${one}\\([^)]*\\) \\{`, "gm"), ""));
      if (isCalled && !isOwn) assert.ok(imported.includes(one), `${name} calls ${one}`);
      if (imported.includes(one)) assert.ok(new RegExp(`\\b${one}\\b`).test(body), `${name} does not use ${one}`);
    }
  }
});
