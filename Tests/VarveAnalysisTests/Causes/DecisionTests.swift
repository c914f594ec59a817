import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// The steps on the way to an event that are most worth reading.
@Suite("Decisions")
struct DecisionTests {
  private let folder = TemporaryFolder()

  private func decisions(
    _ script: TraceScript, to event: EventName, symbols: Bool = false
  ) throws -> Decisions {
    let path = folder.file("decisions.varve")
    try script.write(to: path)
    let reader = try TraceReader(path: path)
    let lookup = EventLookup(reader)
    let facts = SilenceFacts(
      try TraceHistory(reader), reader.definitions, lookup: lookup)
    let graph = try #require(CausalGraph(of: event, in: lookup))
    return try Decisions(
      CausalPath(graph), graph, in: facts, reader, lookup: lookup,
      symbols: symbols ? Symbolizer(reader.definitions) : nil)
  }

  @Test("an answer to an older request than the newest is told with its number; the newest is not")
  func runs() throws {
    for answered in [0, 1] {
      var script = TraceScript()
      let requests = script.stream("requests", line: 1)
      let answers = script.stream("answers", "flatMap(.merge)", from: [requests], line: 2)
      let inner = script.stream("inner", "producer", line: 3)
      let sent = [1.0, 2].map { script.value(requests, "\($0)", at: $0) }
      script.record(.value, of: inner, .string("x"), at: 5, causes: [sent[answered]])
      let answer = script.value(answers, "x", at: 5, back: 1)
      let found = try decisions(script, to: answer)
      let run = try #require(found.runs[answer])
      #expect(run.0 == answered + 1 && run.of == 2)
      let first = try #require(found.all.first)
      #expect(first.kind == .run(answered + 1, of: 2) && first.stream == answers)
      #expect((first.weight > 80) == (answered == 0))
    }
  }

  @Test("G4: where one inner stream runs at a time, newer requests wait for their turn")
  func firstInLine() throws {
    for answered in [0, 1] {
      var script = TraceScript()
      let requests = script.stream("requests", line: 1)
      let answers = script.stream(
        "answers", "flatMap(.concat)", from: [requests], line: 2, traits: [.makesStreams, .holds])
      let inner = script.stream("inner", "producer", line: 3)
      let sent = [1.0, 2].map { script.value(requests, "\($0)", at: $0) }
      script.record(.value, of: inner, .string("x"), at: 5, causes: [sent[answered]])
      let answer = script.value(answers, "x", at: 5, back: 1)
      let first = try #require(decisions(script, to: answer).all.first)
      #expect((first.kind == .firstInLine(1, of: 2)) == (answered == 0))
      #expect(first.stream == answers)
    }
  }

  @Test("a flattening that ran one inner stream alone decided nothing worth marking")
  func onlyRun() throws {
    var script = TraceScript()
    let requests = script.stream("requests", line: 1)
    let answers = script.stream("answers", "flatMap(.latest)", from: [requests], line: 2)
    let inner = script.stream("inner", "producer", line: 3)
    let sent = script.value(requests, "1", at: 1)
    script.record(.value, of: inner, .string("x"), at: 5, causes: [sent])
    let answer = script.value(answers, "x", at: 5, back: 1)
    let run = try decisions(script, to: answer).all.first { $0.kind == .run(1, of: 1) }
    #expect(try #require(run).weight < 10)
  }

  @Test("G4: an answer from a callback, whose cause is unknown, is told with the run that it is of")
  func runOfCallback() throws {
    var script = TraceScript()
    let requests = script.stream("requests", line: 1)
    let answers = script.stream("answers", "flatMap(.merge)", from: [requests], line: 2)
    let inner = script.stream("inner", "producer", derived: true, line: 3, traits: .hasEffects)
    for request in 0..<2 {
      let sent = script.value(requests, "\(request)", at: Double(request))
      script.record(
        .subscribed, of: inner, .subscription(SubscriptionPayload(stream: answers, stack: 0)),
        at: Double(request), subscription: UInt64(request + 20), causes: [sent])
    }
    script.value(inner, "x", at: 5, subscription: 90)
    let answer = script.value(answers, "x", at: 5, subscription: 20, back: 1)
    let found = try decisions(script, to: answer)
    #expect(found.all.first?.kind == .run(1, of: 2) && found.all.first?.weight ?? 0 > 80)
    let lookup = EventLookup(try TraceReader(path: folder.file("decisions.varve")))
    let path = CausalPath(try #require(CausalGraph(of: answer, in: lookup)))
    #expect(lookup.beginning(ofRunAt: path)?.name == "1.2")
  }

  @Test("G4: a value gathered with those of inner streams that were replaced is told where it is")
  func gathered() throws {
    for (operation, isMixed) in [("flatMap(.latest)", true), ("flatMap(.merge)", false)] {
      var script = TraceScript()
      let requests = script.stream("requests", line: 1)
      let answers = script.stream("answers", operation, from: [requests], line: 2)
      let list = script.stream("list", "scan(_:_:)", from: [answers], line: 3, traits: .gathers)
      let inner = script.stream("inner", "producer", line: 4)
      var last: (answer: EventName, list: EventName)?
      var before: EventName?
      for (run, subscription) in [UInt64(4_097), 4_099].enumerated() {
        let time = Double(run) * 10 + 1
        let request = script.value(requests, "\(run)", at: time)
        script.record(.value, of: inner, .string("x"), at: time + 1, causes: [request])
        before = last?.answer
        let answer = script.value(
          answers, "x", at: time + 1, subscription: subscription, back: 1)
        last = (answer, script.value(list, "[x]", at: time + 1, subscription: 4, back: 1))
      }
      let end = try #require(last), old = try #require(before)
      let found = try decisions(script, to: end.list).all
      let mixed = found.first { $0.kind == .gathered(old, earlier: 1) }
      #expect((mixed?.stream == list) == isMixed, "\(operation)")
      #expect((found.first?.kind == .gathered(old, earlier: 1)) == isMixed)
    }
  }

  @Test("G4: a merge whose first input answers last is told; of another cause, it is not")
  func merged() throws {
    for isOne in [true, false] {
      var script = TraceScript()
      let request = script.stream("request", line: 1)
      let file = script.stream("file", "map(_:)", from: [request], line: 2)
      let server = script.stream("server", "map(_:)", from: [request], line: 3)
      let both = script.stream("both", "merge", from: [file, server], line: 4, traits: .joins)
      let one = script.value(request, "1", at: 0)
      script.record(.value, of: server, .string("new"), at: 1, causes: [one])
      let first = script.value(both, "new", at: 1, back: 1)
      let two = isOne ? one : script.value(request, "2", at: 2)
      script.record(.value, of: file, .string("old"), at: 3, causes: [two])
      let last = script.value(both, "old", at: 3, back: 1)
      let found = try decisions(script, to: last).all
      #expect((found.first?.kind == .merged(after: first)) == isOne)
      #expect((found.first?.stream == both) == isOne)
    }
  }

  @Test("G4: a failure in whose place another stream's value came is told at what chose that")
  func replaced() throws {
    for handles in [true, false] {
      var script = TraceScript()
      let server = script.stream("server", "producer", line: 1)
      let rate = script.stream(
        "rate", "flatMapError(_:)", from: [server], line: 2, traits: handles ? .handlesFailure : [])
      let fallback = script.stream("fallback", "producer", line: 3)
      let failure = script.record(.failed, of: server, .string("offline"), at: 1)
      script.value(fallback, "1", at: 1, back: 1)
      let value = script.value(rate, "1", at: 1, back: 1)
      let found = try decisions(script, to: value).all
      #expect(found.contains { $0.kind == .replaced(failure) && $0.stream == rate } == handles)
    }
  }

  @Test("G4: a property read once by the code that made a stream, and changed since, is told there")
  func captured() throws {
    for (isChanged, isOfSameCall, readsAgain) in [
      (true, true, false), (false, true, false), (true, false, false), (true, true, true),
    ] {
      var script = TraceScript()
      script.code(0x1000, "Screen.init()", line: 10)
      script.code(0x1010, "Screen.init()", line: 12)
      script.code(0x2000, "main", line: 30)
      script.code(0x2010, "main", line: 31)
      script.stack(7, [0x1000, 0x2000])
      script.stack(8, [0x1010, isOfSameCall ? 0x2000 : 0x2010])
      let unit = script.stream("unit", "property", line: 1)
      let metres = script.stream("metres", "property", line: 2)
      let shown = script.stream(
        "metres.map(_:)", "map(_:)", from: [metres], derived: true, stack: 8)
      let payload = ScriptedPayload.cause(HopPayload(stack: 7, parent: 0))
      let read = script.record(.read, of: unit, payload, at: 1)
      if readsAgain { script.record(.read, of: unit, payload, at: 2) }
      let other = isChanged ? unit : script.stream("other", "property", line: 3)
      let change = script.value(other, "miles", at: 3)
      script.value(metres, "1", at: 4)
      let value = script.value(shown, "1 km", at: 5, back: 1)
      let found = try decisions(script, to: value, symbols: true).all
      let isTold = isChanged && isOfSameCall && !readsAgain
      #expect(
        found.contains { $0.kind.isCaptured(newer: change) && (!isTold || $0.event.name == read) }
          == isTold,
        "\(isChanged), \(isOfSameCall), \(readsAgain)")
    }
  }

  @Test("G4: a property that a closure on the way reads, and that changed since, is told there")
  func outdated() throws {
    for (readsWithin, isChanged, isLast) in [
      (true, true, true), (false, true, true), (true, false, true), (true, true, false),
    ] {
      var script = TraceScript()
      let unit = script.stream("unit", "property", line: 1)
      let metres = script.stream("metres", "property", line: 2)
      let shown = script.stream("metres.map(_:)", "map(_:)", from: [metres], derived: true)
      let payload = ScriptedPayload.cause(HopPayload(stack: 7, parent: 0))
      script.value(unit, "km", at: 0)
      if !readsWithin { script.record(.read, of: unit, payload, at: 1) }
      let source = script.value(metres, "1", at: 2)
      if readsWithin { script.record(.read, of: unit, payload, at: 3) }
      let value = script.record(.value, of: shown, .string("1 km"), at: 4, causes: [source])
      let change = script.value(isChanged ? unit : metres, "miles", at: 5)
      if !isLast { script.value(shown, "2 miles", at: 6) }
      let found = try decisions(script, to: value).all
      let told = found.contains { decision in
        if case .outdated(_, change) = decision.kind { decision.stream == shown } else { false }
      }
      #expect(told == (readsWithin && isChanged && isLast), "\(found)")
    }
  }

  @Test("G4: work of a replay that a computed property makes at each access is told there")
  func unshared() throws {
    for (function, made) in [("Wallet.ticket.getter", 3), ("Wallet.load(_:)", 3), ("x.getter", 1)] {
      var script = TraceScript()
      script.code(0x1000, function, line: 36)
      script.stack(7, [0x1000])
      let server = script.scheduler("server")
      let codes = script.stream("codes", "property", line: 1)
      var last = EventName(ring: 0, sequence: 0)
      for turn in 0..<made {
        let hall = script.stream("hall", "producer", line: 2, traits: .hasEffects)
        let ticket = script.stream(
          "ticket.replayLazily", "replayLazily(upTo:)", from: [hall], derived: true,
          traits: .replays, stack: 7)
        let time = Double(turn) * 10
        _ = script.subscribe(ticket, at: time, by: 7)
        _ = script.subscribe(hall, to: ticket, at: time)
        let hop = UInt64(turn + 50)
        let given = script.record(.hopScheduled, of: server, at: time, subscription: hop)
        script.record(.hopBegan, of: server, at: time + 1, subscription: hop, causes: [given])
        last = script.value(codes, "\(turn)", at: time + 1, back: 1)
        script.record(.hopEnded, of: server, at: time + 2, subscription: hop)
      }
      let found = try decisions(script, to: last, symbols: true).all
      #expect(
        (found.first?.kind == .unshared(3)) == (function == "Wallet.ticket.getter"), "\(found)")
    }
  }

  @Test("G4: what a throttle dropped above a sum is told there, unless it dropped nothing")
  func thinned() throws {
    for (isGathered, kept) in [(true, 2), (true, 6), (false, 2)] {
      var script = TraceScript()
      let taps = script.stream("taps", "pipe", line: 1, traits: .hot)
      let calm = script.stream(
        "taps.throttle", "throttle(_:on:)", from: [taps], line: 2,
        traits: [.hops, .replaces, .holds], absorbs: .superseded)
      let sum = script.stream(
        "sum", "scan(_:_:)", from: [calm], line: 3, traits: isGathered ? .gathers : [])
      let source = script.subscribe(taps, to: calm, at: 0)
      _ = script.subscribe(calm, to: sum, at: 0)
      var last = EventName(ring: 0, sequence: 0)
      for number in 0..<6 {
        let time = Double(number) + 1
        let tap = script.value(taps, "\(number)", at: time, subscription: source)
        guard number >= 6 - kept else { continue }
        script.record(.value, of: calm, .string("x"), at: time, causes: [tap])
        last = script.value(sum, "\(number)", at: time, back: 1)
      }
      let found = try decisions(script, to: last).all
      #expect(
        found.contains { $0.kind == .thinned(dropped: 4, of: 6) && $0.stream == calm }
          == (isGathered && kept == 2), "\(found)")
    }
  }

  @Test("G4: a property read by a closure, and changed by the same cause only later, is told there")
  func early() throws {
    for (isSameCause, isSignal, isEffect) in [
      (true, false, false), (false, false, false), (true, true, false), (true, false, true),
    ] {
      var script = TraceScript()
      let degrees = script.stream("degrees", "property", line: 1)
      let slope = script.stream("slope", "property", line: 2)
      let alarm = script.stream("alarm", "map(_:)", from: [degrees], line: 3)
      let cause = script.value(degrees, "190", at: 1)
      let read = script.record(.read, of: slope, isSignal ? .stream(slope) : .unit, at: 2)
      let value = script.record(.value, of: alarm, .string("fine"), at: 3, causes: [cause])
      let newer = script.record(
        .value, of: slope, .string("24"), at: 4,
        causes: isEffect ? [value] : isSameCause ? [cause] : [])
      let found = try decisions(script, to: value).all
      #expect(
        found.contains { $0.kind == .early(read: read, newer: newer) && $0.stream == alarm }
          == (isSameCause && !isSignal && !isEffect), "\(found)")
    }
  }

  @Test("G4: a failure that was replayed to each retry is told at what replayed it")
  func replayed() throws {
    for isReplay in [true, false] {
      var script = TraceScript()
      let work = script.stream("work", "producer", line: 1)
      let kept = script.stream(
        "kept", "replayLazily(upTo:)", from: [work], line: 2, traits: isReplay ? .replays : [])
      let retried = script.stream("retried", "retry(upTo:)", from: [kept], line: 3)
      script.record(.failed, of: work, .description("busy"), at: 1)
      let first = script.record(.failed, of: kept, .description("busy"), at: 1, back: 1)
      script.record(.failed, of: kept, .description("busy"), at: 2, back: 1)
      script.record(.failed, of: kept, .description("busy"), at: 3, back: 1)
      let end = script.record(.failed, of: retried, .description("busy"), at: 3, back: 1)
      let found = try decisions(script, to: end).all
      #expect(
        (found.first?.kind == .replayed(first, times: 2) && found.first?.stream == kept)
          == isReplay, "\(found)")
    }
  }

  @Test("a value that an older one follows from a slower way was overtaken where it waited")
  func overtaken() throws {
    var script = TraceScript()
    let slow = script.stream("slow", line: 1)
    let fast = script.stream("fast", line: 2)
    let delayed = script.stream("slow.delay", "delay", from: [slow], traits: [.hops, .holds])
    let shown = script.stream("shown", "merge", from: [delayed, fast], line: 4, traits: .joins)
    let queue = script.scheduler("queue")
    let worker = script.thread("worker", ring: 2)
    script.value(slow, "old", at: 1)
    let scheduled = script.record(.hopScheduled, of: queue, at: 2, subscription: 1, back: 1)
    script.value(fast, "new", at: 5)
    let newer = script.value(shown, "new", at: 5, back: 1)
    script.record(.hopBegan, of: queue, at: 9, ring: worker, subscription: 1, causes: [scheduled])
    script.value(delayed, "old", at: 9, ring: worker, back: 1)
    let older = script.value(shown, "old", at: 9, ring: worker, back: 1)
    let first = try #require(try decisions(script, to: older).all.first)
    #expect(first.kind == .overtaken(by: newer) && first.stream == delayed)
    #expect(
      !(try decisions(script, to: newer).all.contains {
        if case .overtaken = $0.kind { true } else { false }
      }))
  }

  @Test("a join that one cause makes deliver twice mixed old and new; two causes do not")
  func twice() throws {
    for isOne in [true, false] {
      var script = TraceScript()
      let source = script.stream("source", line: 1)
      let left = script.stream("left", "map(_:)", from: [source])
      let right = script.stream("right", "map(_:)", from: [source])
      let both = script.stream("both", "combineLatest", from: [left, right], line: 4)
      script.value(source, "0", at: 0)
      let old = script.value(right, "r0", at: 0, back: 1)
      let one = script.value(source, "1", at: 1)
      let newLeft = script.record(.value, of: left, .string("l1"), at: 2, causes: [one])
      let first = script.record(
        .value, of: both, .string("l1 r0"), at: 2, causes: [newLeft, old])
      let two = isOne ? one : script.value(source, "2", at: 3)
      let newRight = script.record(.value, of: right, .string("r1"), at: 4, causes: [two])
      let second = script.record(
        .value, of: both, .string("l1 r1"), at: 4, causes: [newRight, newLeft])
      let found = try decisions(script, to: second).all
      #expect(found.contains { $0.kind == .twice(first) } == isOne)
    }
  }

  @Test(
    "a join that takes an old value while newer ones wait is told; one that takes the last is not")
  func oldInput() throws {
    for newer in [0, 3] {
      var script = TraceScript()
      let left = script.stream("left", line: 1)
      let right = script.stream("right", line: 2)
      let both = script.stream(
        "both", "zip", from: [left, right], line: 3, traits: [.joins, .needsAllInputs, .holds])
      let old = script.value(left, "l0", at: 1)
      for index in 0..<newer { script.value(left, "l\(index + 1)", at: Double(index + 2)) }
      let new = script.value(right, "r", at: 9)
      let joined = script.record(.value, of: both, .string("l0 r"), at: 9, causes: [new, old])
      let first = try #require(try decisions(script, to: joined).all.first)
      #expect(first.kind == (newer == 0 ? .joined(old) : .oldInput(old, newer: newer)))
    }
  }

  @Test("G4: a pair from beside the way is told if newer values wait for a partner there")
  func oldPair() throws {
    for newer in [0, 2] {
      var script = TraceScript()
      let walls = script.stream("walls", line: 1)
      let tiles = script.stream("tiles", line: 2)
      let grout = script.stream("grout", line: 3)
      let pairs = script.stream(
        "pairs", "zip", from: [walls, tiles], line: 4, traits: [.joins, .needsAllInputs, .holds],
        absorbs: .gathered)
      let costs = script.stream("costs", "combineLatest", from: [pairs, grout], line: 5)
      let wall = script.value(walls, "2 x 2", at: 1)
      let tile = script.value(tiles, "white", at: 2)
      let pair = script.record(.value, of: pairs, .string("white"), at: 2, causes: [tile, wall])
      for index in 0..<newer { script.value(tiles, "marble", at: Double(index + 3)) }
      let changed = script.value(grout, "no", at: 8)
      let cost = script.record(
        .value, of: costs, .string("80"), at: 8, causes: [changed, pair])
      let first = try #require(try decisions(script, to: cost).all.first)
      #expect(first.kind == (newer == 0 ? .joined(pair) : .oldInput(tile, newer: newer)))
      #expect(first.stream == (newer == 0 ? costs : pairs))
    }
  }

  @Test("a value of a second attempt is told with what restarted, and the failure before")
  func restarted() throws {
    for restarts in [true, false] {
      var script = TraceScript()
      let booked = script.stream("booked", line: 1)
      let mail = script.stream("mail", "flatMap(.concat)", line: 2, traits: .makesStreams)
      let retried = script.stream(
        "retried", "retry(upTo:)", from: [mail], line: 3, traits: restarts ? .restarts : [])
      let failure = script.record(.failed, of: mail, .string("busy"), at: 1)
      let second = script.record(.value, of: booked, .string("20"), at: 2, causes: [failure])
      let found = try decisions(script, to: second)
      let first = try #require(found.all.first)
      #expect((first.kind == .restarted(after: failure)) == restarts)
      #expect((first.stream == retried) == restarts)
    }
  }

  @Test("G4: a value without a decision on its way is told where it was sent")
  func sent() throws {
    var script = TraceScript()
    let source = script.stream("source", line: 1)
    let result = script.stream("result", "named(_:)", from: [source], traits: .renames)
    let value = script.value(source, "a", at: 1)
    let named = script.value(result, "a", at: 1, back: 1)
    let found = try decisions(script, to: named).all
    #expect(found.map(\.kind) == [.sent] && found.first?.event.name == value)
  }

  @Test("G4: the last hop is what moved a value to its thread; without one, its sender is told")
  func lastHop() throws {
    for hops in [true, false] {
      var script = TraceScript()
      let queues = ["radio", "ui", "disk"].map { script.scheduler($0) }
      let worker = script.thread("worker", ring: 2)
      let source = script.stream("source", line: 1)
      let moved = script.stream("moved", "observe(on:)", from: [source], line: 2, traits: [.hops])
      let kept = script.stream("kept", "filter(_:)", from: [moved], line: 3)
      let late = script.stream("late", "delay", from: [kept], line: 4, traits: [.hops, .holds])
      let shown = script.stream("shown", "map(_:)", from: [late], line: 5)
      script.value(source, "a", at: 1)
      for (index, stream) in [moved, kept, late, shown].enumerated() {
        let isHop = hops && (stream == moved || stream == late)
        let time = Double(index) + 2
        if isHop {
          let queue = queues[index == 0 ? 1 : 2]
          let hop = UInt64(index) + 1
          let scheduled = script.record(
            .hopScheduled, of: queue, at: time, ring: index == 0 ? 1 : worker,
            subscription: hop, back: 1)
          script.record(
            .hopBegan, of: queue, at: time, ring: worker, subscription: hop, causes: [scheduled])
        }
        script.value(stream, "a", at: time, ring: hops ? worker : 1, back: 1)
      }
      let last = EventName(ring: hops ? worker : 1, sequence: hops ? 7 : 5)
      let found = try decisions(script, to: last)
      guard case .decision(let decision)? = TellingStep(lastHopIn: found).choice else {
        Issue.record("nothing was chosen")
        continue
      }
      #expect(decision.kind == (hops ? .hop : .sent))
      #expect(decision.stream == (hops ? late : source))
    }
  }
}

extension Decision.Kind {
  fileprivate func isCaptured(newer: EventName) -> Bool {
    if case .captured(_, newer) = self { true } else { false }
  }
}
