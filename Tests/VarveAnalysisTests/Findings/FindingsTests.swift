import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("What is found in a trace")
struct FindingsTests {
  private let folder = TemporaryFolder()

  private func findings(_ script: TraceScript) throws -> [Finding] {
    let path = folder.file("findings.varve")
    try script.write(to: path, blockEvents: 512)
    let reader = try TraceReader(path: path)
    return Findings(try TraceHistory(reader), reader, lookup: EventLookup(reader)).all
  }

  @Test("observations that pile up are a leak, and those that were set up at once are none")
  func leak() throws {
    var script = TraceScript()
    let theme = script.stream("theme")
    let opened = script.stream("opened")
    let steady = script.stream("steady")
    for _ in 0..<20 { _ = script.subscribe(steady, at: 0) }
    for page in 0..<12 {
      script.value(opened, "\(page)", at: 10 + Double(page))
      script.record(
        .subscribed, of: theme, .stream(0), at: 10.5 + Double(page),
        subscription: 500 + UInt64(page), back: 1)
    }
    let found = try findings(script)
    #expect(found.map(\.kind) == [.leak])
    #expect(found.first?.stream == theme)
    #expect(found.first?.count == 12)
    #expect(found.first?.nanoseconds == 11_000_000)
    #expect(found.first?.evidence == ["1.44", "1.22"])
  }

  @Test(
    "observations that end only when the program is taken down are a leak, unless it completes them",
    arguments: [EndReason.disposed, .released, .interrupted, .completed])
  func takenDown(reason: EndReason) throws {
    var script = TraceScript()
    let theme = script.stream("theme")
    let opened = script.stream("opened")
    for page in 0..<12 {
      script.value(opened, "\(page)", at: 10 + Double(page))
      script.record(
        .subscribed, of: theme, .stream(0), at: 10.5 + Double(page),
        subscription: 500 + UInt64(page), back: 1)
    }
    script.record(.interrupted, of: opened, at: 30)
    for page in 0..<12 { script.end(500 + UInt64(page), of: theme, reason, at: 31) }
    let found = try findings(script)
    #expect(found.map(\.kind) == (reason == .completed ? [] : [.leak]))
    #expect(found.first.map(\.count) ?? 12 == 12)
  }

  @Test("observations that end are no leak, however many there were")
  func noLeak() throws {
    var script = TraceScript()
    let theme = script.stream("theme")
    let opened = script.stream("opened")
    for page in 0..<50 {
      script.value(opened, "\(page)", at: Double(page))
      script.record(
        .subscribed, of: theme, .stream(0), at: Double(page) + 0.1,
        subscription: 500 + UInt64(page), back: 1)
      script.end(500 + UInt64(page), of: theme, .disposed, at: Double(page) + 0.5)
    }
    #expect(try findings(script).isEmpty)
  }

  @Test("a value that comes back to its own stream again and again is feedback")
  func feedback() throws {
    var script = TraceScript()
    let loop = script.stream("loop")
    let echo = script.stream("echo", from: [loop])
    for turn in 0..<300 {
      script.value(loop, "\(turn)", at: Double(turn), back: turn > 0 ? 1 : 0)
      script.value(echo, "\(turn)", at: Double(turn) + 0.5, back: 1)
    }
    let found = try findings(script)
    #expect(found.map(\.kind) == [.feedback])
    #expect(found.first?.stream == loop || found.first?.stream == echo)
    #expect(found.first?.count == 300)
  }

  @Test("a great many values that one set off are a storm, and as many that were sent are none")
  func storm() throws {
    var script = TraceScript()
    let click = script.stream("click")
    let redraw = script.stream("redraw", from: [click])
    script.value(click, "now", at: 0)
    for turn in 0..<30_000 {
      script.value(redraw, "\(turn)", at: 1 + Double(turn) / 1_000, back: UInt32(turn) + 1)
    }
    let found = try findings(script)
    #expect(found.map(\.kind) == [.storm])
    #expect(found.first?.stream == redraw)
    #expect(found.first?.other == click)
    #expect(found.first?.evidence == ["1.30001", "1.1"])

    var calm = TraceScript()
    let samples = calm.stream("samples")
    for turn in 0..<30_000 { calm.value(samples, "\(turn)", at: 1 + Double(turn) / 1_000) }
    #expect(try findings(calm).isEmpty)
  }

  @Test("a failure that reaches an observer outside all streams was not handled")
  func failure() throws {
    var script = TraceScript()
    let request = script.stream("request", type: "String")
    let handled = script.stream("handled", "flatMapError(_:)", from: [request])
    let lost = script.stream("lost", type: "String")
    let inner = script.subscribe(request, to: handled, at: 0)
    let outer = script.subscribe(lost, at: 0)
    script.record(.failed, of: request, .description("timeout"), at: 1)
    script.end(inner, of: request, .failed, at: 2)
    script.record(.failed, of: lost, .description("no disk"), at: 3)
    script.end(outer, of: lost, .failed, at: 4)
    let found = try findings(script)
    #expect(found.map(\.kind) == [.failure])
    #expect(found.first?.stream == lost)
    #expect(found.first?.evidence == ["1.5"])
  }

  @Test("work that waits behind other work is a backlog; work that waits for its time is none")
  func backlog() throws {
    var script = TraceScript()
    let queue = script.scheduler("queue")
    let timer = script.scheduler("timer")
    for hop in 1...40 {
      script.record(.hopScheduled, of: queue, at: Double(hop) / 10, subscription: UInt64(hop))
    }
    script.record(.hopScheduled, of: timer, at: 5, subscription: 99)
    for hop in 1...40 {
      script.record(.hopBegan, of: queue, at: Double(hop) * 10, subscription: UInt64(hop))
      script.record(.hopEnded, of: queue, at: Double(hop) * 10 + 9.9, subscription: UInt64(hop))
    }
    script.record(.hopBegan, of: timer, at: 9_000, subscription: 99)
    script.record(.hopEnded, of: timer, at: 9_001, subscription: 99)
    let found = try findings(script)
    #expect(found.map(\.kind) == [.backlog])
    #expect(found.first?.scheduler == queue)
    #expect(found.first?.nanoseconds == 390_000_000)
    #expect(found.first?.count == 40)
  }

  /// A chain of work, each piece scheduled by the one before, on two schedulers by turns.
  private func chain(of hops: Int, every milliseconds: Double, stacks: [UInt32]) -> TraceScript {
    var script = TraceScript()
    let schedulers = [script.scheduler("ping"), script.scheduler("pong")]
    for hop in 1...hops {
      let place = hop % stacks.count
      let (time, id) = (Double(hop) * milliseconds, UInt64(hop))
      let scheduler = stacks.count == 1 ? schedulers[0] : schedulers[place]
      script.record(
        .hopScheduled, of: scheduler,
        .cause(HopPayload(stack: stacks[place], parent: id - 1)), at: time, subscription: id)
      if hop > 1 {
        script.record(.hopEnded, of: schedulers[0], at: time + 0.0001, subscription: id - 1)
      }
      script.record(.hopBegan, of: scheduler, at: time + 0.0002, subscription: id, back: 1)
    }
    return script
  }

  @Test("work that schedules itself through other work, until backtraces cut it, is recursion")
  func hops() throws {
    let found = try findings(chain(of: 500, every: 0.5, stacks: [1, 2]))
    #expect(found.map(\.kind) == [.recursion])
    #expect(found.first?.count == 500)
    #expect(found.first?.nanoseconds == 249_500_000)
    #expect(found.first?.evidence == ["1.1497", "1.1"])
    // A loop is one segment, however long; a way of a few steps is a way; who waits a second before
    // each is no recursion that anybody would look for.
    #expect(try findings(chain(of: 500, every: 0.5, stacks: [1])).isEmpty)
    #expect(try findings(chain(of: 60, every: 0.5, stacks: [1, 2])).isEmpty)
    #expect(try findings(chain(of: 500, every: 1_000, stacks: [1, 2])).isEmpty)
  }

  @Test("the library's last words about a recursion are found, and no other line of text is")
  func lastWords() throws {
    var script = TraceScript()
    let loop = script.stream("loop")
    let value = script.value(loop, "1", at: 1)
    let text = RecursionMessage.text(
      RecursionMessage.ofOwnDelivery(of: "loop"), details: ["the delivery began: main at a.swift:1"]
    )
    script.record(.log, of: loop, .string("Varve: something else"), at: 2)
    script.record(.log, of: loop, .string(text), at: 3, back: 2)
    _ = value
    let found = try findings(script)
    #expect(found.map(\.kind) == [.recursion])
    #expect(found.first?.stream == loop)
    #expect(found.first?.evidence == ["1.3", "1.1"])
  }

  @Test("what is missing is told for each thread")
  func loss() throws {
    var script = TraceScript()
    let stream = script.stream("s")
    for index in 0..<10 { script.value(stream, "x", at: 0.1 * Double(index)) }
    let other = script.thread("other", ring: 2)
    script.value(stream, "y", at: 1.5, ring: other)
    for index in 0..<10 { script.value(stream, "x", at: 3.1 + 0.01 * Double(index)) }
    script.lose(40, from: 2, to: 3)
    script.lose(2, from: 4, to: 5)
    let found = try findings(script)
    #expect(found.map(\.kind) == [.loss])
    #expect(found.first?.count == 42)
    #expect(found.first?.ring == 1)
    // The last event of that thread before the first loss.
    let lookup = EventLookup(try TraceReader(path: folder.file("findings.varve")))
    let before = try #require(found.first?.evidence.first.flatMap { lookup[$0] })
    #expect(before.ring == 1 && before.ticks == TraceScript.ticks(0.9))
  }

  @Test("T11: late results are stale where streams run side by side, whatever that is called")
  func stale() throws {
    func script(isSideBySide: Bool) -> TraceScript {
      var script = TraceScript()
      let query = script.stream("query")
      let results = script.stream(
        "results", "map(_:)", from: [query],
        traits: isSideBySide ? [.makesStreams, .joins, .runsSideBySide] : [.makesStreams, .joins])
      let old = script.value(query, "la", at: 1)
      let new = script.value(query, "lake", at: 2)
      script.record(.value, of: results, .string("for lake"), at: 3, causes: [new])
      script.record(.value, of: results, .string("for la"), at: 4, causes: [old])
      return script
    }
    let found = try findings(script(isSideBySide: true))
    #expect(found.map(\.kind) == [.stale])
    #expect(found.first?.evidence == ["1.4", "1.1", "1.2"])
    #expect(try findings(script(isSideBySide: false)).isEmpty)
    var old = script(isSideBySide: true)
    old.tellsKinds = false
    #expect(try findings(old).isEmpty)
  }

  @Test("T11: a trace of an older version says that it cannot be looked through for everything")
  func lacksKinds() throws {
    for tellsKinds in [true, false] {
      var script = TraceScript()
      script.tellsKinds = tellsKinds
      script.value(script.stream("numbers"), "one", at: 1)
      try script.write(to: folder.file("run.varve"))
      let reader = try TraceReader(path: folder.file("run.varve"))
      let found = Findings(try TraceHistory(reader), reader, lookup: EventLookup(reader))
      #expect(found.lacksKinds != tellsKinds)
      #expect(reader.header.version.minor == (tellsKinds ? TraceVersion.current.minor : 0))
    }
  }

  @Test("F2: however many streams flatten side by side, their results are found in one run")
  func manyFlattenings() throws {
    var script = TraceScript()
    let query = script.stream("query")
    let flattenings = (0..<30).map { _ in
      script.stream(
        "query.flatMap(.merge, _:)", "flatMap(.merge)", from: [query], derived: true)
    }
    var time = 0.0
    for _ in 0..<20 {
      for stream in flattenings {
        time += 1
        script.record(.value, of: stream, .integer(1), at: time)
      }
    }
    let folder = TemporaryFolder()
    try script.write(to: folder.file("run.varve"), blockEvents: flattenings.count)
    let reader = try TraceReader(path: folder.file("run.varve"))
    #expect(reader.blocks.count == 20)
    let history = try TraceHistory(reader)
    let before = reader.inflatedBlocks
    #expect(Findings(history, reader, lookup: EventLookup(reader)).all.isEmpty)
    // Once to find the results, and once to look at their causes.
    #expect(reader.inflatedBlocks - before <= 2 * 20)
  }
}
