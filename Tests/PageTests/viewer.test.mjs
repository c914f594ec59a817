// What is drawn beside what, and what people see, hear and copy: `node --test Tests/PageTests`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { arc } from "../../Sources/VarvePage/Page/causes.js";
import { EmbeddedSource } from "../../Sources/VarvePage/Page/embedded-source.js";
import { frameRuns } from "../../Sources/VarvePage/Page/event-panel.js";
import { Lanes, isReadAlone } from "../../Sources/VarvePage/Page/lanes.js";
import { shapeOf } from "../../Sources/VarvePage/Page/marbles.js";
import { readPlace } from "../../Sources/VarvePage/Page/place.js";
import { replayCommand } from "../../Sources/VarvePage/Page/range-panel.js";
import { ServerSource } from "../../Sources/VarvePage/Page/server-source.js";
import { SliceWindow, freeSpan, depthsOf } from "../../Sources/VarvePage/Page/slices.js";
import { labelled } from "../../Sources/VarvePage/Page/value-steps.js";
import { SampledLines, samplesOf, countedLines, shortPlace } from "../../Sources/VarvePage/Page/samples.js";
import { workOf } from "../../Sources/VarvePage/Page/work.js";
import { Viewer } from "../../Sources/VarvePage/Page/viewer.js";

const lane = (number, more = {}) => ({ lane: number, kind: "stream", name: `lane ${number}`, label: `lane ${number}`, group: null, parents: [], ...more });
const event = (id, tick, more = {}) => ({ event: id, tick, lane: 0, kind: "value", value: "1", causes: [], ...more });
const sourceOf = (events, lanes) => new EmbeddedSource({ trace: { lanes, ticks: 1e6, clock: [] }, events });

test("a slice's label keeps clear of events drawn over it", () => {
  assert.deepEqual(freeSpan(0, 200, []), { from: 0, to: 200 });
  assert.deepEqual(freeSpan(0, 200, [2, 150]), { from: 7, to: 141 }, "after the triangle at its beginning, up to the next");
  assert.deepEqual(freeSpan(0, 300, [20, 40, 60]), { from: 65, to: 300 }, "where there is room");
  assert.equal(freeSpan(0, 100, [20, 50, 80]), null);
  assert.equal(freeSpan(0, 40, []), null);
});

test("the numbers of a line stand where the next value and the ends leave room", () => {
  const points = [[0, 1], [50, 22], [60, 333], [100, 4]], widthOf = text => text.length * 6;
  const shown = labelled(points, tick => tick, [104], 200, widthOf);
  assert.deepEqual(shown.map(({ text }) => text), ["1", "333", "4"], "a step of ten pixels has no room");
  assert.ok(shown.at(-1).x > 104, "the last number stands behind the end");
});

test("a steep arrow leaves and arrives at the left, where no value stands", () => {
  const { control, angle } = arc({ x: 100, y: 0 }, { x: 104, y: 200 });
  assert.ok(control[0] < 100 && control[2] < 100);
  assert.ok(Math.abs(angle) < Math.PI / 2, "it points to the right");
  const within = arc({ x: 100, y: 50 }, { x: 600, y: 50 }).control;
  assert.ok(within[1] > 60 && within[3] > 60, "within a lane, it runs below the values");
});

test("lanes near one another have other colours, and keep theirs when more come", () => {
  const all = [0, 8, 16, 24, 1, 9, 2].map((number, order) => lane(number, { order }));
  const byNumber = [];
  for (const one of all) byNumber[one.lane] = one;
  for (let number = 0; number < byNumber.length; number++) byNumber[number] ??= lane(number, { order: 100 + number });
  const lanes = new Lanes(byNumber), before = byNumber.map(one => one.colour);
  lanes.ordered.forEach((one, index) => {
    for (const near of lanes.ordered.slice(index + 1, index + 4)) assert.notEqual(one.colour, near.colour, `${one.lane}, ${near.lane}`);
  });
  lanes.replace([...byNumber.map(one => ({ ...one, colour: undefined })), lane(25, { order: 3.5 })]);
  assert.deepEqual(lanes.all.slice(0, 25).map(one => one.colour), before);
});

test("an expression that is being typed filters already, and a wrong one leaves the lanes as they were", () => {
  const lanes = new Lanes([lane(0, { name: "query", label: "query" }), lane(1, { name: "results", label: "results" })]);
  const shown = () => lanes.rows.map(row => row.lane.name);
  lanes.setFilter("/");
  assert.deepEqual(shown(), ["query", "results"]);
  lanes.setFilter("/^qu");
  assert.deepEqual(shown(), ["query"]);
  assert.throws(() => lanes.setFilter("/(/"));
  assert.deepEqual([shown(), lanes.filterText], [["query"], "/^qu"]);
});

const viewerOf = (events, lanes = [lane(0), lane(1)]) => {
  const viewer = new Viewer(sourceOf(events, lanes), { lanes, ticks: 1e6, clock: [], files: ["a.varve"] });
  viewer.moved = () => {};
  viewer.heard = [];
  viewer.announce = text => viewer.heard.push(text);
  return viewer;
};

test("stepping goes on in the lane that the keys have gone to", async () => {
  const viewer = viewerOf([event("1.1", 10), event("1.2", 20, { lane: 1 }), event("1.3", 30), event("1.4", 40, { lane: 1 })]);
  await viewer.select("1.1");
  viewer.moveFocus(1);
  await viewer.stepEvent(1);
  assert.equal(viewer.selection.event, "1.2");
  await viewer.stepEvent(1);
  assert.equal(viewer.selection.event, "1.4");
});

test("a screen reader hears words for kinds, and what is wrong with a number", async () => {
  const viewer = viewerOf([event("1.1", 10, { kind: "hopBegan", value: null, thread: "main" }), event("1.2", 20, { value: "" })]);
  await viewer.select("1.1");
  assert.match(viewer.heard.at(-1), /^work began, lane 0, at .* thread main/);
  await viewer.select("1.2");
  assert.match(viewer.heard.at(-1), /^value without text, lane 0/);
  await viewer.select("nonsense");
  assert.match(viewer.heard.at(-1), /“nonsense” is not the number of an event/);
  assert.equal(viewer.selection.event, "1.2");
});

test("the moment of the replay and lines of steps come back with the address", () => {
  const viewer = viewerOf([event("1.1", 10)]);
  viewer.cursor = 1234.4;
  viewer.steps.isShown = true;
  const place = readPlace(viewer.place());
  assert.deepEqual([place.cursor, place.steps], [1234, true]);
  assert.deepEqual([readPlace("").cursor, readPlace("c=x&v=y").steps], [null, false]);
});

test("the command of a range names the streams that a filter leaves", () => {
  const viewer = viewerOf([event("1.1", 10)], [lane(0, { name: "query", label: "query" }), lane(1, { name: "a b", label: "a b" }), lane(2, { kind: "thread", name: "main", label: "main" })]);
  viewer.setRange(0, 1e6);
  viewer.lanes.setFilter("/^(query|a b|main)$/");
  assert.match(replayCommand(viewer), /^varve replay a\.varve --since \S+ --until \S+ -n query -n 'a b'$/);
});

test("frames that are only addresses are told together, apart from those of libraries", () => {
  const frame = (function_, own) => ({ function: function_, own, place: null });
  const runs = frameRuns([frame("55ba72209ecc", true), frame("0x55ba721affbb", true), frame("start()", true), frame("swift_task_run", false)]);
  assert.deepEqual(runs.map(run => [run.own, run.isNameless, run.frames.length]), [[false, true, 2], [true, false, 1], [false, false, 1]]);
});

test("a lane that has losses alone is shown", () => {
  const lanes = [lane(0), lane(1, { kind: "thread", empty: true }), lane(2, { kind: "thread", empty: true })];
  const viewer = new Viewer(sourceOf([], lanes), { lanes, ticks: 10, clock: [], losses: [{ lane: 1, count: 5, from: 1, to: 2 }, { lane: null, count: 1, from: 3, to: 4 }] });
  assert.deepEqual(viewer.lanes.rows.map(row => row.heading ?? row.lane.lane), [0, "Threads", 1]);
});

test("a server that is gone is told in words that help", async () => {
  const before = globalThis.fetch;
  globalThis.fetch = async () => { throw new TypeError("Failed to fetch"); };
  try {
    const source = new ServerSource("http://127.0.0.1:1/t/"), noticed = [];
    source.noticed = () => noticed.push(source.answers);
    await assert.rejects(source.trace(), /varve view does not answer: is it still running/);
    await assert.rejects(source.trace());
    globalThis.fetch = async () => ({ ok: true, json: async () => 7 });
    assert.equal(await source.trace(), 7);
    assert.deepEqual(noticed, [false, true]);
  } finally { globalThis.fetch = before; }
});

test("work that goes on beyond a part is not drawn as if it never ended", async () => {
  const all = [{ lane: 4, from: 100, to: 9000, state: "waits" }, { lane: 4, from: 9500, to: null, state: "runs" }];
  let here;
  const answer = ({ from, to }) => all.filter(one => one.from <= to).map(one => ({ ...one, to: one.to <= to ? one.to : null }));
  const window = new SliceWindow({ slices: async range => ({ more: false, slices: answer(range) }) }, () => here());
  const asked = async (from, to) => {
    const came = new Promise(done => { here = done; });
    window.want(from, to, [4], 10_000);
    await came;
    return window.byLane.get(4).map(slice => [slice.from, slice.to, slice.known]);
  };
  assert.deepEqual(await asked(90, 200), [[100, null, 255]]);
  assert.deepEqual(await asked(0, 10_000), [[100, 9000, undefined], [9500, null, undefined]]);
});

test("pieces of work that became one are asked for again, closer, and after more is known", async () => {
  const asked = [];
  let here;
  const window = new SliceWindow({ slices: async ({ pixel }) => { asked.push(pixel); return { slices: [], more: false, merged: pixel > 100 }; } }, () => here());
  const asks = async (from, to, pixel) => {
    const came = new Promise(done => { here = done; });
    window.want(from, to, [4], 1e6, pixel);
    if (window.asking) await came;
  };
  await asks(1000, 2000, 400);
  await asks(1200, 1800, 240);
  await asks(1400, 1600, 80);
  await asks(1490, 1500, 4);
  assert.deepEqual(asked, [400, 80]);
  const came = new Promise(done => { here = done; });
  window.want(0, 9000, [4], 1e6, 9);
  window.outdate();
  await came;
  await asks(0, 9000, 9);
  assert.deepEqual(asked, [400, 80, 9, 9]);
});

test("samples of work are told as lines, counted, and asked for once", async () => {
  const asked = [];
  const lines = new SampledLines({ lines: async stacks => { asked.push(stacks); return { 7: { place: "Shop.swift:12", function: "buy()" } }; } }, () => {});
  const samples = samplesOf({ samples: [[10, "7.1", 7, true], [20, "7.2", 7, true], [30, "7.3", 8, false]] });
  await lines.want(samples.map(one => one.stack));
  await lines.want([7, 8]);
  assert.deepEqual(asked, [[7, 8]]);
  assert.deepEqual(countedLines(samples, lines).map(one => [one.text, one.number, one.first.event]),
    [["waited at Shop.swift:12 in buy()", 2, "7.1"], ["ran", 1, "7.3"]]);
});

test("a place that is too long keeps its line", () => {
  assert.deepEqual([40, 13, 10].map(most => shortPlace("Checkout.swift:123", most)), ["Checkout.swift:123", "Checkout…:123", "Check…:123"]);
});

test("work that waits at once is counted", () => {
  const of = (from, to, state = "queued") => ({ from, to, state });
  assert.deepEqual(depthsOf([of(0, 10), of(2, 6), of(4, null), of(1, 9, "runs")], tick => tick ?? 20).map(({ from, to, depth }) => [from, to, depth]),
    [[0, 2, 1], [2, 4, 2], [4, 6, 3], [6, 10, 2], [10, 20, 1]]);
});

test("neighbouring rows have other colours, whatever is folded or filtered between them", () => {
  const many = Array.from({ length: 64 }, (_, number) => lane(number, { group: number % 8 ? number - number % 8 : null }));
  const lanes = new Lanes(many);
  const differ = what => lanes.rows.slice(1).forEach((row, index) => assert.notEqual(row.lane.colour, lanes.rows[index].lane.colour, `${what}: ${row.lane.lane}`));
  const heads = () => many.filter(one => one.group === null).map(one => one.colour);
  const open = heads();
  differ("open");
  lanes.foldAll();
  differ("folded");
  assert.deepEqual(heads(), open);
  for (const text of ["/[05]$/", "/[37]$/", "/^lane .$/"]) { lanes.setFilter(text); differ(text); }
});

test("of several processes, each has its lanes together, under its name", () => {
  const of = (number, process, more) => lane(number, { process, ...more });
  const all = [of(0, "a[1]"), of(1, "b[2]"), of(2, "a[1]"), of(3, "a[1]", { kind: "thread" }), of(4, "b[2]", { kind: "thread", name: "b[2] main", label: "b[2] main" })];
  const viewer = new Viewer(sourceOf([], all), { lanes: all, ticks: 10, clock: [] });
  assert.deepEqual(viewer.lanes.rows.map(row => row.heading ?? row.lane.lane),
    ["Streams of a[1]", 0, 2, "Streams of b[2]", 1, "Threads of a[1]", 3, "Threads of b[2]", 4]);
  assert.deepEqual([viewer.nameOf(1), viewer.nameOf(4)], ["lane 1 · b[2]", "b[2] main"]);
  viewer.lanes.fold(viewer.lanes.rows[0]);
  assert.deepEqual(viewer.lanes.rows.map(row => row.heading ?? row.lane.lane).slice(0, 3), ["Streams of a[1]", "Streams of b[2]", 1]);
  viewer.lanes.reveal(2);
  assert.ok(viewer.lanes.rowOf.has(2));
});

test("a property that was only read looks otherwise than one with values", () => {
  const all = [lane(0), lane(1, { values: 2 })];
  const source = sourceOf([event("1.1", 5, { kind: "read" }), event("1.2", 6, { kind: "read", lane: 1 })], all);
  assert.deepEqual(all.map(one => [one.reads, isReadAlone(one)]), [[1, true], [1, false]]);
  assert.ok(source && shapeOf("read") !== shapeOf("value") && shapeOf("read") !== shapeOf("sent"));
});

test("what was known at a moment has the open subscriptions of each stream, also without a value", async () => {
  const source = sourceOf([
    event("1.1", 1, { kind: "subscribed", subscription: 1 }), event("1.2", 2, { value: "a" }), event("1.3", 3, { kind: "subscribed", subscription: 2, lane: 1 }),
    event("1.4", 4, { kind: "ended", subscription: 1 }),
  ], [lane(0), lane(1)]);
  const at = async tick => (await source.state(tick)).rows.map(row => [row.lane, row.value, row.open]);
  assert.deepEqual(await at(1), [[0, null, 1]]);
  assert.deepEqual(await at(3), [[0, "a", 1], [1, null, 1]]);
  assert.deepEqual(await at(4), [[0, "a", 0], [1, null, 1]]);
});

test("an event of work tells how long it waited and ran, and what was in front of it", async () => {
  const slice = (from, to, state, event, more) => ({ lane: 2, from, to, state, event, label: "", ...more });
  const events = [event("1.1", 100, { lane: 2, kind: "hopScheduled" }), event("1.2", 150, { lane: 2, kind: "hopBegan", causes: ["1.1"] }), event("1.3", 180, { lane: 2, kind: "hopEnded", causes: ["1.2"] })];
  const lanes = [lane(0), lane(1), lane(2, { kind: "scheduler" })];
  const source = new EmbeddedSource({ trace: { lanes, ticks: 1e6, clock: [] }, events, slices: [
    slice(100, 150, "queued", "1.1"), slice(150, 180, "runs", "1.2"), slice(90, 140, "runs", "0.9"), slice(10, 60, "runs", "0.1"),
    { ...slice(100, 140, "runs", "0.9"), lane: 1 },
  ] });
  for (const one of events) {
    const { waited, ran, inFront } = await workOf(source, one, 1000);
    assert.deepEqual([waited.from, ran.event, inFront.map(each => each.event)], [100, "1.2", ["0.9"]], one.kind);
  }
  assert.equal(await workOf(source, event("1.4", 5), 1000), null);
});
