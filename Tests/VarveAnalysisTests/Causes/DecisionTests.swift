import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// The steps on the way to an event that are most worth reading.
@Suite("Decisions")
struct DecisionTests {
  private let folder = TemporaryFolder()

  private func decisions(_ script: TraceScript, to event: EventName) throws -> Decisions {
    let path = folder.file("decisions.varve")
    try script.write(to: path)
    let reader = try TraceReader(path: path)
    let lookup = EventLookup(reader)
    let facts = SilenceFacts(
      try TraceHistory(reader), reader.definitions, lookup: lookup)
    let graph = try #require(CausalGraph(of: event, in: lookup))
    return try Decisions(CausalPath(graph), graph, in: facts, reader, lookup: lookup)
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
    let result = script.stream("result", "map(_:)", from: [source])
    let value = script.value(source, "a", at: 1)
    let mapped = script.value(result, "A", at: 1, back: 1)
    let found = try decisions(script, to: mapped).all
    #expect(found.map(\.kind) == [.sent] && found.first?.event.name == value)
  }
}
