import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Where values stopped on the way to a stream that may have delivered some.
@Suite("Stops")
struct StopTests {
  private let folder = TemporaryFolder()

  func stops(
    _ script: TraceScript, of stream: UInt32, _ selection: Selection = Selection()
  ) throws -> StreamStops {
    let path = folder.file("stops.varve")
    try script.write(to: path)
    let reader = try TraceReader(path: path)
    let lookup = EventLookup(reader)
    var known = Selection()
    known.until = selection.until
    var facts = SilenceFacts(
      try TraceHistory(reader, known, scope: .streams), reader.definitions, lookup: lookup)
    facts.learnFeeds(upstreamOf: stream, lookup)
    return try StreamStops(of: stream, in: facts, reader, selection, lookup: lookup)
  }

  /// A source, an operator on it, and a named result; what they feed is observed.
  func chain(
    _ operation: String, _ traits: StreamTraits = [], source: StreamTraits = .hot
  ) -> (script: TraceScript, source: UInt32, stage: UInt32, result: UInt32) {
    var script = TraceScript()
    let from = script.stream("source", "pipe", line: 1, traits: source)
    let stage = script.stream(
      "source.\(operation)", operation, from: [from], derived: true, line: 2, traits: traits)
    let result = script.stream("result", "named(_:)", from: [stage], line: 3, traits: .renames)
    _ = script.subscribe(from, to: stage, at: 0)
    _ = script.subscribe(stage, to: result, at: 0)
    _ = script.subscribe(result, at: 0)
    return (script, from, stage, result)
  }

  /// A value that passes from stream to stream.
  func pass(
    _ script: inout TraceScript, _ text: String, through streams: [UInt32], at time: Double
  ) {
    for (index, stream) in streams.enumerated() {
      script.value(stream, text, at: time, back: index == 0 ? 0 : 1)
    }
  }

  func absorb(
    _ script: inout TraceScript, _ text: String, from source: UInt32, by stage: UInt32,
    _ reason: AbsorptionReason, at time: Double
  ) {
    script.value(source, text, at: time)
    script.record(.absorbed, of: stage, .reason(reason.rawValue), at: time, back: 1)
  }

  /// A chain that never delivers and is let go of, `idle` milliseconds before the trace ends.
  private func silentChain(idle: Double) throws -> (stops: StreamStops, source: UInt32) {
    var script = TraceScript()
    let ticks = script.stream("ticks", "pipe", line: 9, traits: .hot)
    let source = script.stream("source", "pipe", line: 1, traits: .hot)
    let stage = script.stream(
      "source.map", "map(_:)", from: [source], derived: true, line: 2, traits: .hot)
    let first = script.subscribe(source, to: stage, at: 0)
    let second = script.subscribe(stage, at: 0)
    script.value(ticks, "tick", at: 5)
    script.end(second, of: stage, .disposed, at: 6)
    script.end(first, of: source, .disposed, at: 6)
    script.record(.interrupted, of: source, at: 6)
    script.record(.interrupted, of: stage, at: 6)
    script.record(.log, of: 0, at: 6 + idle)
    return (try stops(script, of: stage), source)
  }

  @Test("G2: a stream that is let go of when the program ends was silent because of its source")
  func takenDown() throws {
    let ending = try silentChain(idle: 1)
    let stop = try #require(ending.stops.stops.first)
    #expect(stop.stream == ending.source && stop.reason == .sourceSilent)
    // Long before the end, being let go of is a reason.
    let early = try #require(try silentChain(idle: 500).stops.stops.first)
    #expect(early.reason != .sourceSilent)
  }

  @Test("G3: an end tells what came after it, also when the signals above it are let go of then")
  func endAboveSignals() throws {
    var script = TraceScript()
    let source = script.stream("source", "pipe", line: 1, traits: .hot)
    let mine = script.stream(
      "source.filter", "filter(_:)", from: [source], derived: true, line: 2,
      traits: [.hot, .swallows])
    let limited = script.stream(
      "source.take", "take(during:)", from: [mine], derived: true, line: 3)
    let result = script.stream("result", "named(_:)", from: [limited], line: 4, traits: .renames)
    let first = script.subscribe(source, to: mine, at: 0)
    let second = script.subscribe(mine, to: limited, at: 0)
    _ = script.subscribe(limited, to: result, at: 0)
    _ = script.subscribe(result, at: 0)
    pass(&script, "a", through: [source, mine, limited, result], at: 1)
    script.record(.completed, of: limited, at: 2)
    script.end(second, of: mine, .disposed, at: 2)
    script.end(first, of: source, .disposed, at: 2)
    for time in [3.0, 4] { script.value(source, "b", at: time) }
    let stop = try #require(try stops(script, of: result).stops.first)
    #expect(stop.stream == limited && stop.reason == .ended && stop.more == 2)
  }

  @Test("G3: a filter is told with what it refused of how many, and how many of them since")
  func refused() throws {
    var (script, source, stage, result) = chain("filter(_:)", .swallows)
    absorb(&script, "a", from: source, by: stage, .filtered, at: 1)
    pass(&script, "b", through: [source, stage, result], at: 2)
    absorb(&script, "c", from: source, by: stage, .filtered, at: 3)
    let found = try stops(script, of: result)
    #expect(found.values == 1 && found.upstream == 1 && found.source == source)
    let stop = try #require(found.stops.first)
    #expect(stop.stream == stage && stop.reason == .swallowed(.filtered))
    #expect(stop.stopped == 2 && stop.received == 3 && stop.since == 1)
    #expect(stop.examples.count == 2)
  }

  @Test(
    "G3: what was taken for repeated, but differs, outweighs what was refused; what is equal does not"
  )
  func repeated() throws {
    for text in ["b", "b, with a new picture"] {
      var (script, source, stage, result) = chain("skipRepeats(_:)", .swallows)
      let filter = script.stream(
        "more", "filter(_:)", from: [source], derived: true, line: 4, traits: .swallows)
      let both = script.stream("both", "merge", from: [filter, result], traits: .joins)
      _ = script.subscribe(source, to: filter, at: 0)
      pass(&script, "b", through: [source, stage, result, both], at: 1)
      script.value(filter, "b", at: 1)
      absorb(&script, text, from: source, by: stage, .repeated, at: 2)
      script.record(.absorbed, of: filter, .reason(1), at: 2, back: 2)
      let stop = try #require(try stops(script, of: both).stops.first)
      if text == "b" {
        #expect(stop.stream == filter && stop.reason == .swallowed(.filtered))
      } else {
        #expect(stop.stream == stage && stop.reason == .confused)
        #expect(stop.examples.count == 1 && stop.kept.count == 1)
      }
    }
  }

  @Test("G3: an operator that ended while its source went on outweighs what it refused before")
  func ended() throws {
    var (script, source, stage, result) = chain("take(first:)", [.endsEarly, .swallows])
    absorb(&script, "a", from: source, by: stage, .filtered, at: 1)
    absorb(&script, "b", from: source, by: stage, .filtered, at: 2)
    pass(&script, "c", through: [source, stage, result], at: 3)
    script.record(.completed, of: stage, at: 4, back: 3)
    script.value(source, "d", at: 5)
    script.value(source, "e", at: 6)
    let found = try stops(script, of: result)
    let stop = try #require(found.stops.first)
    #expect(stop.stream == stage && stop.reason == .ended)
    #expect(stop.more == 2 && !stop.hasMore && stop.stopped == 1)
    #expect(found.upstream == 2)
  }

  @Test("G3: a stream that its trigger's end ended is told with the trigger")
  func endedByTrigger() throws {
    var script = TraceScript()
    let orders = script.stream("orders", line: 1)
    let closing = script.stream("closing", line: 2)
    let filtered = script.stream("filtered", "filter(_:)", from: [orders], line: 3)
    let tickets = script.stream(
      "tickets", "take(until:)", from: [filtered, closing], line: 4, traits: .endsEarly)
    _ = script.subscribe(orders, to: filtered, at: 0)
    let input = script.subscribe(filtered, to: tickets, at: 0)
    _ = script.subscribe(closing, to: tickets, at: 0)
    _ = script.subscribe(tickets, at: 0)
    pass(&script, "soup", through: [orders, filtered, tickets], at: 1)
    script.record(.completed, of: closing, at: 2)
    script.record(.completed, of: tickets, at: 2, back: 1)
    script.end(input, of: filtered, .disposed, at: 2)
    script.value(orders, "venison", at: 3)
    let stop = try #require(try stops(script, of: tickets).stops.first)
    #expect(stop.stream == tickets && stop.reason == .ended)
    #expect(stop.trigger == closing && stop.more == 1)
  }

  @Test("G3: a stream that passed an end on did not make it, though what ended was started again")
  func passedOn() throws {
    var script = TraceScript()
    let source = script.stream("source", "pipe", line: 1, traits: .hot)
    let limited = script.stream(
      "source.take", "take(until:)", from: [source], derived: true, line: 2, traits: .endsEarly)
    let mapped = script.stream("map", "map(_:)", from: [limited], derived: true, line: 3)
    let other = script.stream("other", "map(_:)", from: [limited], derived: true, line: 5)
    _ = script.subscribe(mapped, at: 0)
    _ = script.subscribe(limited, to: mapped, at: 0)
    script.record(.completed, of: limited, at: 1)
    script.record(.completed, of: mapped, at: 1, back: 1)
    _ = script.subscribe(limited, to: other, at: 2)
    script.record(.completed, of: limited, at: 3)
    for time in [4.0, 5] { script.value(source, "late", at: time) }
    let stops = try stops(script, of: mapped).stops
    #expect(stops.first?.stream == limited && !stops.contains { $0.stream == mapped }, "\(stops)")
  }

  @Test(
    "G3: a chain whose source completed was not ended on the way, and an end without loss weighs little"
  )
  func endedBySource() throws {
    var (script, source, stage, result) = chain("filter(_:)", .swallows)
    pass(&script, "a", through: [source, stage, result], at: 1)
    absorb(&script, "b", from: source, by: stage, .filtered, at: 2)
    script.record(.completed, of: source, at: 3)
    script.record(.completed, of: stage, at: 3, back: 1)
    let first = try #require(try stops(script, of: result).stops.first)
    #expect(first.reason == .swallowed(.filtered))

    (script, source, stage, result) = chain("take(during:)", .endsEarly)
    let filter = script.stream("upper", "filter(_:)", from: [source], derived: true, line: 5)
    let both = script.stream("both", "merge", from: [filter, result], traits: .joins)
    absorb(&script, "a", from: source, by: filter, .filtered, at: 1)
    script.record(.completed, of: stage, at: 2)
    #expect(try stops(script, of: both).stops.first?.stream == filter)
  }

  @Test("G3: an end from outside is that of the code whose stack the observation's end has")
  func author() throws {
    var (script, source, stage, result) = chain("take(during:)", .endsEarly)
    script.stack(9, [0x40])
    pass(&script, "a", through: [source, stage, result], at: 1)
    script.record(.completed, of: stage, at: 2)
    script.record(.ended, of: source, .unsigned(9 << 32 | 4), at: 2, subscription: 1)
    script.value(source, "b", at: 3)
    let stop = try #require(try stops(script, of: result).stops.first)
    #expect(stop.reason == .ended && stop.author == 9)
  }

  /// A flattening, and one inner stream for each value of its source.
  private func flattening() -> (
    script: TraceScript, source: UInt32, inner: UInt32, stage: UInt32, result: UInt32
  ) {
    var (script, source, stage, result) = chain("flatMap", [.makesStreams, .joins, .replaces])
    let inner = script.stream("inner", "producer", line: 9)
    return (script, source, inner, stage, result)
  }

  @Test("G3: inner streams that newer ones replaced before they answered are counted")
  func gaveUp() throws {
    var (script, source, inner, stage, result) = flattening()
    for time in [1.0, 2, 3] {
      script.value(source, "\(time)", at: time)
      if time > 1 {
        script.record(
          .ended, of: inner, .reason(3), at: time, subscription: UInt64(2 + time), back: 1)
      }
      _ = script.subscribe(inner, to: stage, at: time)
    }
    pass(&script, "x", through: [inner, stage, result], at: 4)
    let stop = try #require(try stops(script, of: result).stops.first)
    #expect(stop.stream == stage && stop.reason == .gaveUp)
    #expect(stop.stopped == 2 && stop.received == 3)
  }

  @Test("G3: inner streams that had answered, or ended with the program, were not given up")
  func notGivenUp() throws {
    var (script, source, inner, stage, result) = flattening()
    for time in [1.0, 2] {
      script.value(source, "\(time)", at: time)
      if time > 1 {
        script.record(
          .ended, of: inner, .reason(3), at: time, subscription: UInt64(2 + time), back: 1)
      }
      _ = script.subscribe(inner, to: stage, at: time)
      pass(&script, "x", through: [inner, stage, result], at: time + 0.5)
    }
    script.record(.ended, of: inner, .reason(4), at: 9, subscription: 5)
    #expect(!(try stops(script, of: result).stops.contains { $0.reason == .gaveUp }))
  }

  @Test("G3: inner streams that sent fewer values than one that came to its end were cut off")
  func cutOff() throws {
    for whole in [3, 1] {
      var (script, source, inner, stage, result) = flattening()
      for (run, time) in [10.0, 20, 30].enumerated() {
        script.value(source, "\(run)", at: time)
        let last = run == 2
        if run > 0 {
          script.record(
            .ended, of: inner, .reason(EndReason.interrupted.rawValue), at: time,
            subscription: UInt64(3 + run), back: 1)
        }
        let edge = script.subscribe(inner, to: stage, at: time)
        for value in 0..<(last ? whole : 1) {
          pass(&script, "\(value)", through: [inner, stage, result], at: time + 1 + Double(value))
        }
        if last {
          script.record(
            .ended, of: inner, .reason(EndReason.completed.rawValue), at: 39, subscription: edge,
            back: 1)
        }
      }
      let stop = try stops(script, of: result).stops.first { $0.reason == .cutOff }
      #expect((stop?.stream == stage) == (whole > 1))
      #expect(stop == nil || stop?.stopped == 2 && stop?.received == 3)
    }
  }

  @Test("G3: what an operator held when code interrupted its source is told where that was")
  func interrupted() throws {
    for isInterrupted in [true, false] {
      var (script, source, stage, result) = chain("collect(count:)", [.holds, .gathers])
      pass(&script, "1", through: [source, stage, result], at: 1)
      script.value(source, "2", at: 2)
      script.record(isInterrupted ? .interrupted : .completed, of: source, at: 3)
      script.record(.sent, of: source, .cause(HopPayload(stack: 6, parent: 0)), at: 3, back: 1)
      script.record(.absorbed, of: stage, .reason(AbsorptionReason.ended.rawValue), at: 3)
      script.record(isInterrupted ? .interrupted : .completed, of: stage, at: 3, back: 3)
      let found = try stops(script, of: result).stops
      let stop = try #require(found.first { $0.reason == .swallowed(.ended) })
      #expect(stop.author == (isInterrupted ? 6 : nil))
    }
  }

  @Test("G3: a stream whose last observation code disposed of is told where that was")
  func abandoned() throws {
    for (stack, isObservedAgain) in [(UInt32(6), false), (0, false), (6, true)] {
      var script = TraceScript()
      let speed = script.stream("speed", line: 1)
      let text = script.stream("text", "map(_:)", from: [speed], line: 2, traits: [])
      let edge = script.subscribe(speed, to: text, at: 0)
      let shown = script.subscribe(text, at: 0)
      pass(&script, "40", through: [speed, text], at: 1)
      script.record(
        .ended, of: text, .reason(EndReason.disposed.rawValue, stack: stack), at: 2,
        subscription: shown)
      script.end(edge, of: speed, .disposed, at: 2)
      if isObservedAgain { _ = script.subscribe(speed, at: 3) }
      for time in 4..<6 {
        script.value(speed, "85", at: Double(time))
        script.record(
          .absorbed, of: speed, .reason(AbsorptionReason.nobodyAttached.rawValue),
          at: Double(time), back: 1)
      }
      let stop = try #require(try stops(script, of: speed).stops.first)
      let isTold = stack != 0 && !isObservedAgain
      #expect((stop.reason == .abandoned) == isTold, "\(stack), \(isObservedAgain)")
      if isTold { #expect(stop.author == 6 && stop.stopped == 2) }
    }
  }

  @Test("G3: of a property that did not change, the code that observes its changes alone is told")
  func unchanged() throws {
    for isRead in [true, false] {
      var script = TraceScript()
      let flag = script.stream("flag", "property", line: 1)
      if isRead {
        script.record(
          .read, of: flag, .subscription(SubscriptionPayload(stream: flag, stack: 6)), at: 0)
      }
      let screen = script.stream("screen", "map(_:)", from: [flag], line: 2, traits: [])
      _ = script.subscribe(flag, to: screen, at: 0)
      _ = script.subscribe(screen, at: 0)
      let stop = try #require(try stops(script, of: screen).stops.first)
      #expect(stop.stream == flag)
      #expect(stop.reason == (isRead ? .unchanged : .sourceSilent))
      #expect(stop.author == (isRead ? 6 : nil))
    }
  }

  @Test("G3: what an operator refused is told with the stream that took what it let pass")
  func below() throws {
    var (script, source, stage, result) = chain("filter(_:)")
    absorb(&script, "1", from: source, by: stage, .filtered, at: 1)
    let stop = try #require(try stops(script, of: result).stops.first)
    #expect(stop.stream == stage && stop.below == result)
  }

  @Test("G3: the end of a source that other streams feed weighs as that of any source")
  func fedSource() throws {
    var script = TraceScript()
    let users = script.stream("users", "property", line: 1)
    let orders = script.stream("orders", "flatMap(.latest)", from: [users], line: 2)
    let inner = script.stream("inner", "values", line: 3, traits: [])
    _ = script.subscribe(users, to: orders, at: 0)
    _ = script.subscribe(orders, at: 0)
    let user = script.value(users, "Paul", at: 1)
    _ = script.subscribe(inner, to: orders, at: 1)
    script.record(.value, of: inner, .string("ball"), at: 1, causes: [user])
    script.value(orders, "ball", at: 1, back: 1)
    script.record(.completed, of: inner, at: 1, causes: [user])
    script.value(users, "Timo", at: 5)
    let found = try stops(script, of: orders).stops
    #expect(found.contains { $0.stream == inner && $0.reason == .sourceEnded })
    #expect(!found.contains { $0.stream == inner && $0.reason == .ended })
  }

  @Test("G3: values sent before the first observation are told, unless the source replays them")
  func unobserved() throws {
    for traits in [StreamTraits.hot, [.hot, .replays]] {
      var script = TraceScript()
      let source = script.stream("source", "pipe", line: 1, traits: traits)
      script.value(source, "early", at: 1)
      let result = script.stream("result", "map(_:)", from: [source], line: 2)
      _ = script.subscribe(source, to: result, at: 2)
      _ = script.subscribe(result, at: 2)
      if traits != .hot {
        script.value(source, "early", at: 2)
        script.value(result, "early", at: 2, back: 1)
      }
      let reasons = try stops(script, of: result).stops.map(\.reason)
      #expect((reasons.first == .unobserved) == (traits == .hot))
    }
  }

  @Test(
    "G3: a replay that kept fewer values than had come is told; a state that has one value is not")
  func replayed() throws {
    for kept in [1, 2] {
      var script = TraceScript()
      let subject = script.stream("subject", line: 1, traits: [.hot, .replays])
      let producer = script.stream(
        "subject", "producer", from: [subject], line: 1, traits: .standsIn)
      let result = script.stream("result", "map(_:)", from: [producer], line: 2)
      for time in [1.0, 2, 3] { script.value(subject, "\(time)", at: time) }
      _ = script.subscribe(producer, to: result, at: 4)
      _ = script.subscribe(result, at: 4)
      for _ in 0..<kept {
        script.value(producer, "x", at: 4)
        script.value(result, "x", at: 4, back: 1)
      }
      let found = try stops(script, of: result).stops.filter { $0.reason == .replayedFewer }
      #expect(found.map(\.stopped) == (kept == 1 ? [] : [1]))
      #expect(found.allSatisfy { $0.stream == subject && $0.received == 3 })
    }
  }

  @Test("G3: what a producer stands in for is one input, and not refused for being two parents")
  func oneInput() throws {
    var script = TraceScript()
    let signal = script.stream("signal", line: 1)
    let producer = script.stream(
      "signal", "producer", from: [signal], line: 2, traits: .standsIn)
    let kept = script.stream("kept", "filter(_:)", from: [producer], line: 2, absorbs: .filtered)
    _ = script.subscribe(signal, to: kept, at: 0)
    _ = script.subscribe(kept, at: 0)
    for time in [1.0, 2, 3] {
      script.value(signal, "\(time)", at: time)
      script.value(kept, "\(time)", at: time, back: 1)
    }
    #expect(try stops(script, of: kept).stops.allSatisfy { $0.reason != .swallowed(.filtered) })
  }

  @Test("G3: where a source is silent, producers that were made and never started are told as one")
  func neverStarted() throws {
    var script = TraceScript()
    let source = script.stream("source", line: 1)
    _ = script.subscribe(source, at: 0)
    let started = script.stream("started", "producer", line: 2)
    _ = script.subscribe(started, at: 1)
    for _ in 0..<3 { _ = script.stream("load", "producer", line: 3, traits: .hasEffects) }
    let found = try stops(script, of: source).stops
    #expect(found.first?.reason == .neverStarted)
    #expect(found.first?.stopped == 3 || found.first?.streams == 1)
    #expect(!found.contains { $0.stream == started })
  }

  @Test("G3: values that the program's code sends on from another stream lead on upstream")
  func causes() throws {
    var (script, source, stage, result) = chain("filter(_:)", .swallows)
    let property = script.stream("shown", "property", line: 7, traits: [.hot, .replays])
    pass(&script, "a", through: [source, stage, result, property], at: 1)
    absorb(&script, "b", from: source, by: stage, .filtered, at: 2)
    let stop = try #require(try stops(script, of: property).stops.first)
    #expect(stop.stream == stage && stop.reason == .swallowed(.filtered))
  }

  @Test("G3: a period's answer knows what came before the period, and nothing of what came after")
  func period() throws {
    var (script, source, stage, result) = chain("filter(_:)", .swallows)
    pass(&script, "a", through: [source, stage, result], at: 1)
    absorb(&script, "b", from: source, by: stage, .filtered, at: 20)
    absorb(&script, "c", from: source, by: stage, .filtered, at: 40)
    var selection = Selection()
    selection.since = try TimeExpression("+10ms")
    selection.until = try TimeExpression("+30ms")
    let found = try stops(script, of: result, selection)
    #expect(found.values == 1 && found.isBeforePeriod && found.lastValue?.name == "1.6")
    #expect(found.stops.first?.reason == .swallowed(.filtered))
    #expect(found.stops.first?.stopped == 1 && found.stops.first?.since == 1)
  }
}
