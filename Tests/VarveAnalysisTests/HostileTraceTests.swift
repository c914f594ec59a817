import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

@testable import VarveAnalysis

/// Traces that say what no program does, with right checksums.
@Suite("Traces that lie")
struct HostileTraceTests {
  private let folder = TemporaryFolder()

  private func trace(_ definitions: [TraceDefinition], losses: [TraceLoss] = []) throws
    -> TraceReader
  {
    let path = folder.file("hostile.varve")
    let process = ProcessDescription(program: "p", arguments: [], pid: 1, host: "h", started: 1)
    let header = TraceHeader(
      id: TraceID(low: 1, high: 2), process: process, clock: .monotonic,
      anchor: ClockAnchor(ticks: 0, monotonic: 0))
    let writer = try TraceWriter(creating: path, header: header)
    try writer.append(definitions: definitions)
    try writer.append(losses: losses)
    try writer.finish(ending: .clean)
    return try TraceReader(path: path)
  }

  @Test("F2: streams that lead to themselves do not keep anybody busy for ever")
  func circle() throws {
    let circle = [(1, 2), (2, 3), (3, 1)].map { id, parent in
      TraceDefinition.stream(
        StreamDefinition(
          id: UInt32(id), name: "p", derivation: "p", operation: "producer",
          parents: [UInt32(parent)], place: nil, valueType: "Int", born: 0, traits: .standsIn))
    }
    let reader = try trace(circle)
    let facts = SilenceFacts(
      try TraceHistory(reader), reader.definitions, lookup: EventLookup(reader))
    #expect(!Silence(of: 1, in: facts).steps.isEmpty)
  }

  @Test("F2: an observation that ends in the name of another stream stops nobody")
  func strangersEnd() throws {
    var script = TraceScript()
    let (busy, silent) = (script.stream("busy"), script.stream("silent"))
    script.value(busy, "one", at: 1)
    let edge = script.subscribe(busy, to: silent, at: 2)
    script.end(edge, of: silent, .completed, at: 3)
    let path = folder.file("ends.varve")
    try script.write(to: path)
    let subscriptions = try TraceHistory(try TraceReader(path: path)).subscriptions
    #expect(
      subscriptions.open.isEmpty && subscriptions.delivered(from: busy, to: silent, of: 1) == 0)
  }

  @Test("F2: a thread whose ticks go back while it works stops nobody")
  func ticksGoBack() throws {
    var script = TraceScript()
    let stream = script.stream("busy")
    let work = script.record(
      .hopBegan, of: script.scheduler("queue"), at: 5, subscription: 7)
    for time in [6, 1, 4, 3] as [Double] { script.value(stream, "at \(time)", at: time) }
    let path = folder.file("back.varve")
    try script.write(to: path, blockEvents: 2)
    let reader = try TraceReader(path: path)
    let step = LongestStep(
      ofWorkBegunBy: work, in: EventLookup(reader), StreamPlaces(reader.definitions))
    #expect(step?.after.payload.text == "at 4.0")
  }

  @Test("F2: work that gave itself, or each other, does not keep anybody busy for ever")
  func hopsInCircles() throws {
    var script = TraceScript()
    let queue = script.scheduler("queue")
    script.stack(1, [0x1000])
    for (hop, parent) in [(5, 5), (6, 7), (7, 6)] as [(UInt64, UInt64)] {
      script.record(
        .hopScheduled, of: queue, .cause(HopPayload(stack: 1, parent: parent)), at: Double(hop),
        subscription: hop)
    }
    let path = folder.file("circles.varve")
    try script.write(to: path)
    var chains = HopChains(try TraceReader(path: path))
    for hop in 5...7 as ClosedRange<UInt64> {
      let backtrace = chains.backtrace(of: hop)
      #expect(backtrace?.isCut == true && backtrace?.segments.count == 1)
    }
  }

  @Test("F2: a block whose events lie behind the time of its header gets its turn")
  func lyingHeader() throws {
    var script = TraceScript()
    let stream = script.stream("s")
    let late = script.thread("late", ring: 2)
    for time in [10, 20] as [Double] { script.value(stream, "a", at: time) }
    for time in [21, 30] as [Double] { script.value(stream, "b", at: time, ring: late) }
    let path = folder.file("header.varve")
    try script.write(to: path)
    let merge = EventMerge([0, 1], of: try TraceReader(path: path).blocks)
    // Not later than its block may be: else it would be left, and be first again, for ever.
    #expect(merge.isNext(tick: TraceScript.ticks(1_010)))
    #expect(merge.isNext(tick: TraceScript.ticks(15)))
  }

  @Test("F2: blocks that hold next to nothing are not read over and over")
  func repeats() {
    let walk = TraceWalk()
    var taken = 0
    while taken < 100_000, walk.mayRepeat(1) { taken += 1 }
    #expect(taken < 100_000 && taken > 10_000)
  }

  @Test("F2: of events that are kept by the thousand, a kilobyte of the value is")
  func largeValues() throws {
    var script = TraceScript()
    let stream = script.stream("s")
    for text in ["a" + String(repeating: "é", count: 900), "b", "c"] {
      script.value(stream, text, at: Double(text.utf8.first!), back: text == "b" ? 1 : 0)
    }
    let path = folder.file("large.varve")
    try script.write(to: path)
    let lookup = EventLookup(try TraceReader(path: path))
    let graph = try #require(CausalGraph(of: EventName(ring: 1, sequence: 2), in: lookup))
    let first = EventName(ring: 1, sequence: 1)
    let cause = try #require(graph.events[first])
    #expect(cause.payload.text == "a" + String(repeating: "é", count: 511))
    #expect(cause.payload.word == lookup[first]?.payload.word)
    #expect(try #require(lookup[first]).payload.bytes.count == 1_801)
  }

  @Test("F2: more losses than can be counted stop nobody")
  func losses() throws {
    let reader = try trace(
      [],
      losses: [
        TraceLoss(ring: 1, count: .max, ticks: 1...2),
        TraceLoss(ring: 1, count: .max, ticks: 3...4),
      ])
    let findings = Findings(try TraceHistory(reader), reader, lookup: EventLookup(reader))
    #expect(findings.all.map(\.kind) == [.loss])
  }

  private func history(
    events: UInt64, _ record: (UInt64) -> FloodedTrace.Record
  ) throws -> TraceHistory {
    let path = folder.file("flood.varve")
    try FloodedTrace.write(to: path, events: events, record)
    return try TraceHistory(try TraceReader(path: path))
  }

  @Test("F2: what stays open is remembered up to a bound, and what is beyond is counted")
  func observations() throws {
    func record(_ number: UInt64) -> FloodedTrace.Record {
      FloodedTrace.Record(.subscribed, of: 1, subscription: number, .stream, 0)
    }
    let few = try history(events: 98_304, record)
    #expect(few.subscriptions.open.count == 98_304 && few.passedOver.observations == 0)
    let many = try history(events: 491_520, record)
    #expect(many.passedOver.observations > 0)
    #expect(UInt64(many.subscriptions.open.count) + many.passedOver.observations == 491_520)
  }

  @Test("F2: any number of things may come and go: only what is there at one time is remembered")
  func comingAndGoing() throws {
    let history = try history(events: 491_520) { number in
      let kinds: [RecordKind] = [.subscribed, .ended, .hopScheduled, .hopBegan, .hopEnded, .value]
      let kind = kinds[Int((number - 1) % 6)]
      return FloodedTrace.Record(kind, of: 1, subscription: (number - 1) / 6, .reason, 0)
    }
    #expect(history.passedOver.observations == 0 && history.passedOver.work == 0)
    #expect(
      history.subscriptions.open.isEmpty
        && history.hops.queuedCount + history.hops.runningCount == 0)
    #expect(history.hops.scheduler(1)?.run.count == 491_520 / 6)
    #expect(history.stream(1)?.values == 491_520 / 6)
  }

  @Test("F2: ends of work that nobody began keep nobody busy, however much runs")
  func strangeEnds() throws {
    let path = folder.file("ends.varve")
    try FloodedTrace.write(to: path, events: 589_824) { number in
      let isBeginning = number <= 294_912
      return FloodedTrace.Record(
        isBeginning ? .hopBegan : .hopEnded, of: 1,
        subscription: isBeginning || number > 589_820 ? number & 0x3_ffff : number, .reason, 0)
    }
    let states = HopStates(atEndOf: try TraceReader(path: path))
    #expect(states.passedOver.work == 0)
    // The last four ended what began with their numbers, and what had begun inside.
    let number = UInt64(589_821 & 0x3_ffff)
    #expect(states.running[1]?.last == number - 1)
  }

  @Test("F2: whoever looks for what scheduled a hop gives up when it lies too far on each time")
  func endlessChain() throws {
    let path = folder.file("chain.varve")
    // Each was scheduled by the next one in the file: a look from the end to the beginning finds one.
    try FloodedTrace.write(to: path, events: 49_152) { number in
      FloodedTrace.Record(
        .hopScheduled, of: 1, subscription: number, .cause,
        HopPayload(stack: 0, parent: number + 1).word)
    }
    let reader = try TraceReader(path: path)
    var chains = HopChains(reader)
    let found = chains.backtrace(of: 1)
    let backtrace = try #require(found)
    #expect(backtrace.isCut && chains.passedOver.work == 1)
    let looks = UInt64(reader.inflatedBlocks) * 16_384
    #expect(looks <= 2 * (reader.events + 1 << 24 + 1_024 * reader.bytes))
  }

  @Test("F2: of streams that the trace does not define, so many are told apart")
  func strangeStreams() throws {
    let history = try history(events: 81_920) { FloodedTrace.Record(.value, of: UInt32($0)) }
    #expect(history.streams.count == 65_536)
    #expect(history.stream(65_536)?.values == 1 && history.stream(65_537) == nil)
    #expect(history.passedOver.ofStreams == 81_920 - 65_536)
  }

  @Test("F2: streams that the trace does not define are compared as far as they are told apart")
  func comparison() throws {
    let (many, one) = (folder.file("many.varve"), folder.file("one.varve"))
    try FloodedTrace.write(to: many, events: 81_920) { FloodedTrace.Record(.value, of: UInt32($0)) }
    try FloodedTrace.write(to: one, events: 16_384) { _ in FloodedTrace.Record(.value, of: 70_000) }
    let (left, right) = (try TraceReader(path: many), try TraceReader(path: one))
    let same = try TraceComparison(left, Selection(), left, Selection())
    #expect(same.isSame && !same.isWhole && same.same == 65_536)
    #expect(same.passedOver.0.ofStreams == 81_920 - 65_536)
    #expect(same.passedOver.0 == same.passedOver.1)
    // Whether it is in the first trace too is not known.
    let differing = try TraceComparison(left, Selection(), right, Selection())
    #expect(differing.onlyRight.isEmpty && differing.onlyLeft.count == 65_536)
    #expect(!differing.isWhole && differing.passedOver.1.ofStreams == 0)
  }
}
