import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

/// The one line that an answer marks: the one to look at.
@Suite("The marked line")
struct MarkedPlaceTests {
  private let folder = TemporaryFolder()

  private func answer(
    _ arguments: [String], _ script: TraceScript, ending: TraceEnding = .clean
  ) throws -> String {
    let trace = folder.file("shop-\(UInt32.random(in: 0 ... .max)).varve")
    try script.write(to: trace, ending: ending)
    let run = try CommandRun([arguments[0], trace] + arguments.dropFirst())
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  private func marked(
    _ arguments: [String], _ script: TraceScript, ending: TraceEnding = .clean
  ) throws -> [String] {
    try answer(arguments, script, ending: ending).split(separator: "\n")
      .filter { $0.contains("▸") }.map(String.init)
  }

  /// Two operators that deliver on one scheduler; a piece of work of the first takes 10 ms, and one
  /// of the other `other` of them.
  private func busy(other: Double?) -> TraceScript {
    var script = TraceScript()
    let keys = script.stream("keys", line: 3)
    let slow = script.stream("layout", "observe(on:)", from: [keys], line: 7)
    let quick = script.stream("cursor", "observe(on:)", from: [keys], line: 9)
    let queue = script.scheduler("queue")
    let streams = other == nil ? [slow] : [slow, quick]
    let count = 20 * streams.count
    for hop in 1...count {
      script.record(.hopScheduled, of: queue, at: 1, subscription: UInt64(hop))
    }
    var time = 2.0
    for hop in 1...count {
      let stream = streams[(hop - 1) % streams.count]
      script.record(.hopBegan, of: queue, at: time, subscription: UInt64(hop))
      time += stream == slow ? 10 : other ?? 0
      script.value(stream, "\(hop)", at: time)
      script.record(.hopEnded, of: queue, at: time + 0.01, subscription: UInt64(hop))
      time += 0.02
    }
    return script
  }

  @Test("of latency is the operator that queues what comes faster than it is consumed")
  func queues() throws {
    #expect(try marked(["latency"], busy(other: nil)) == ["▸ Shop.swift:7"])
  }

  @Test("of latency is the slow step if work of others waits for it")
  func step() throws {
    let output = try answer(["latency"], busy(other: 0.1))
    #expect(output.hasPrefix("▸ Shop.swift:7\n"), "\(output)")
    #expect(output.contains("ran up to 10.0 ms, and other work waited for it"), "\(output)")
  }

  @Test("of latency is nowhere if nothing waited")
  func idle() throws {
    var script = TraceScript()
    let queue = script.scheduler("queue")
    script.record(.hopScheduled, of: queue, at: 1, subscription: 1)
    script.record(.hopBegan, of: queue, at: 1.1, subscription: 1)
    script.record(.hopEnded, of: queue, at: 1.2, subscription: 1)
    #expect(try marked(["latency"], script).isEmpty)
  }

  @Test("latency lists schedulers that waited and ran alike in the order of their numbers")
  func alike() throws {
    var script = TraceScript()
    let names = (1...9).map { "queue\($0)" }
    for (index, name) in names.enumerated() {
      let (queue, hop, time) = (script.scheduler(name), UInt64(index + 1), Double(index))
      script.record(.hopScheduled, of: queue, at: time, subscription: hop)
      script.record(.hopBegan, of: queue, at: time + 0.125, subscription: hop)
      script.record(.hopEnded, of: queue, at: time + 0.25, subscription: hop)
    }
    let lines = try answer(["latency"], script).split(separator: "\n")
    let listed = lines.compactMap { line in names.first { line.hasPrefix($0 + " ") } }
    #expect(listed == names, "\(lines)")
  }

  /// A thread of a killed program that began to wait, after work was scheduled.
  private func hanging(waits: Bool) -> TraceScript {
    var script = TraceScript()
    let settings = script.stream("settings", line: 3)
    let queue = script.scheduler("disk")
    script.stack(1, [0x1000])
    script.code(0x1000, "Disk.read()", line: 12)
    script.stack(2, [0x2000])
    script.code(0x2000, "App.launch()", line: 34)
    script.record(
      .hopScheduled, of: queue, .cause(HopPayload(stack: 1, parent: 0)), at: 1, subscription: 1)
    if waits {
      let word = ReasonPayload(reason: WaitReason.outcome.rawValue, stack: 2).word
      script.record(.waitBegan, of: settings, .unsigned(word), at: 2)
    }
    return script
  }

  @Test("of postmortem is where a thread waits, or else where it was seen last")
  func hangs() throws {
    let question = ["postmortem", "--no-symbols"]
    #expect(
      try marked(question, hanging(waits: true), ending: .killed) == ["▸ Shop.swift:34"])
    #expect(
      try marked(question, hanging(waits: false), ending: .killed) == ["▸ Shop.swift:12"])
    #expect(try marked(question, hanging(waits: true)).isEmpty)
  }

  @Test("values lose the names of modules and optionals before anything that tells")
  func values() throws {
    var script = TraceScript()
    let orders = script.stream("orders", line: 3)
    let long = "Optional(Shop.Order(number: 17, item: Shop.Item(name: \"Shop.Tea (green)\")))"
    script.record(.value, of: orders, .description(long), at: 1)
    let why = try answer(["why", "orders"], script)
    #expect(
      why.hasPrefix("#1.1  orders Order(number: 17, item: Item(name: \"Shop.Tea (green)\"))\n"),
      "\(why)")
  }
}
