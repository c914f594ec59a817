import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Moves, states and rejections")
struct StateRuleTests {
  // MARK: - Moves that are undone

  /// How a source's values reach two observers.
  private struct Ways {
    /// Whether the second way ends in a move.
    var movesBack = false
    /// Whether the flattening's inner streams deliver elsewhere.
    var innerIsElsewhere = true
    /// Whether the source is moved to the same scheduler beside it.
    var hasSibling = true
    /// Whether code with effects is between the move and the flattening.
    var hasEffects = false
  }

  private func flight(_ ways: Ways) throws -> [Finding] {
    var script = TraceScript()
    let telemetry = script.stream("telemetry")
    let height = script.stream("height", "observe(on:)", from: [telemetry])
    let moved = script.stream("moved", "observe(on:)", from: [telemetry])
    let input =
      ways.hasEffects
      ? script.stream("noted", "on(_:)", from: [moved], traits: .hasEffects) : moved
    let percent = script.stream("percent", "flatMap(.latest)", from: [input])
    let inner = script.stream("inner", "start(on:)")
    if ways.hasSibling {
      _ = script.subscribe(telemetry, to: height, at: 0)
      _ = script.subscribe(height, at: 0)
    }
    _ = script.subscribe(telemetry, to: moved, at: 0)
    if ways.hasEffects { _ = script.subscribe(moved, to: input, at: 0) }
    _ = script.subscribe(input, to: percent, at: 0)
    if ways.movesBack {
      let back = script.stream("back", "observe(on:)", from: [percent])
      _ = script.subscribe(percent, to: back, at: 0)
      _ = script.subscribe(back, at: 0)
    } else {
      _ = script.subscribe(percent, at: 0)
    }
    let main = script.scheduler("main")
    let worker = script.scheduler("worker")
    for number in 0..<4 {
      let time = Double(number) * 10 + 1
      let sent = script.value(telemetry, "\(number)", at: time)
      let work = script.record(
        .hopBegan, of: main, at: time + 1, subscription: 1, causes: [sent])
      if ways.hasSibling {
        script.record(.value, of: height, .string("h"), at: time + 1, causes: [work, sent])
      }
      script.record(.value, of: moved, .string("v"), at: time + 1, causes: [work, sent])
      if ways.hasEffects { script.value(input, "v", at: time + 1) }
      if !ways.innerIsElsewhere { script.value(percent, "p", at: time + 1) }
      script.record(.hopEnded, of: main, at: time + 2, subscription: 1, causes: [work])
      guard ways.innerIsElsewhere else { continue }
      let began = script.record(.hopBegan, of: worker, at: time + 3, subscription: 2)
      script.value(inner, "p", at: time + 3)
      script.value(percent, "p", at: time + 3)
      script.record(.hopEnded, of: worker, at: time + 4, subscription: 2, causes: [began])
    }
    return try script.findings()
  }

  @Test("G1: a move before a flattening that delivers elsewhere is found at the move")
  func undone() throws {
    let found = try flight(Ways())
    #expect(found.map(\.kind) == [.thread])
    #expect(found.first?.place == .stream(3))
  }

  @Test(
    "G1: a move that lasts, that code needs, or that nothing is compared with is left in peace",
    arguments: [0, 1, 2, 3])
  func needed(variant: Int) throws {
    var ways = Ways()
    switch variant {
    case 0: ways.movesBack = true
    case 1: ways.innerIsElsewhere = false
    case 2: ways.hasSibling = false
    default: ways.hasEffects = true
    }
    #expect(try flight(ways).isEmpty)
  }

  // MARK: - States that are not set back

  /// A scan that sets a lamp when it begins and when it completes, once to its end and once not.
  private func scan(
    second: EndReason = .interrupted, isReset: Bool = false, isCause: Bool = true,
    isTakenDown: Bool = false, isLate: Bool = false
  ) throws -> [Finding] {
    var script = TraceScript()
    let busy = script.stream("busy", "property")
    for (number, reason) in [EndReason.completed, second].enumerated() {
      let time = Double(number) * 1_000
      let pages = script.stream("pages", "interval", traits: .hops)
      let shown = script.stream("shown", "on(_:)", from: [pages], traits: .hasEffects)
      script.record(.value, of: busy, .boolean(true), at: time)
      let feeding = script.subscribe(pages, to: shown, at: time)
      let edge = script.subscribe(shown, at: time)
      script.value(pages, "1", at: time + 100)
      script.value(shown, "1", at: time + 100)
      if reason == .completed {
        // A value that comes at the end is no completion.
        let completed = script.record(isLate ? .value : .completed, of: pages, at: time + 200)
        script.record(
          .value, of: busy, .boolean(false), at: time + 200, causes: isCause ? [completed] : [])
        script.record(.completed, of: shown, at: time + 200, causes: [completed])
      }
      script.end(edge, of: shown, reason, at: time + 200)
      script.end(feeding, of: pages, reason, at: time + 200)
      if isReset, reason != .completed {
        script.record(.value, of: busy, .boolean(false), at: time + 300)
      }
    }
    if !isTakenDown {
      let clock = script.stream("clock")
      _ = script.subscribe(clock, at: 2_000)
      script.value(clock, "1", at: 2_000)
    }
    return try script.findings()
  }

  @Test(
    "G1: a property that only completion sets back is found after a run that ended otherwise",
    arguments: [EndReason.interrupted, .failed, .disposed])
  func unreset(reason: EndReason) throws {
    let found = try scan(second: reason).filter { $0.kind == .unreset }
    #expect(found.map(\.stream) == [1])
    #expect(found.first?.place == .stream(5))
    #expect(found.first?.evidence.count == 3)
  }

  @Test("G1: a property that is set back in time, or otherwise than by completion, is well")
  func reset() throws {
    #expect(try scan(second: .completed).isEmpty)
    #expect(try scan(isReset: true).isEmpty)
    #expect(try scan(isCause: false).isEmpty)
    #expect(try scan(isLate: true).isEmpty)
    #expect(try scan(second: .disposed, isTakenDown: true).isEmpty)
  }

  /// Requests that count themselves in a property: one that completes, and some that are given up.
  private func requests(
    givenUp: Int, countsDown: Bool = false, isOpen: Bool = false, left: Int64? = nil
  ) throws -> [Finding] {
    var script = TraceScript()
    let count = script.stream("requests", "property")
    var running: Int64 = 0
    for number in 0...givenUp + (isOpen ? 1 : 0) {
      let time = Double(number) * 100
      let answers = script.stream("answers", "producer", traits: [])
      let shown = script.stream("shown", "on(_:)", from: [answers], traits: .hasEffects)
      running += 1
      script.record(.value, of: count, .integer(running), at: time)
      let feeding = script.subscribe(answers, to: shown, at: time)
      let edge = script.subscribe(shown, at: time)
      script.value(answers, "1", at: time + 10)
      script.value(shown, "1", at: time + 10)
      if number > givenUp { continue }
      // Much happens between the beginning of a run and its end.
      for _ in 0..<20 { script.value(answers, "more", at: time + 20) }
      if number == 0 {
        let completed = script.record(.completed, of: answers, at: time + 50)
        running -= 1
        script.record(.value, of: count, .integer(running), at: time + 50, causes: [completed])
        script.record(.completed, of: shown, at: time + 50, causes: [completed])
      } else if countsDown {
        running -= 1
        script.record(.value, of: count, .integer(running), at: time + 50)
      }
      script.end(edge, of: shown, number == 0 ? .completed : .interrupted, at: time + 50)
      script.end(feeding, of: answers, number == 0 ? .completed : .interrupted, at: time + 50)
    }
    if let left { script.record(.value, of: count, .integer(left), at: 3_000) }
    let clock = script.stream("clock")
    _ = script.subscribe(clock, at: 4_000)
    script.value(clock, "1", at: 4_000)
    return try script.findings().filter { $0.kind == .unreset }
  }

  @Test("G1: a property that counts runs down when they complete, and not when they are given up")
  func counted() throws {
    // With a run in progress, the last value is not the one that was set for a run that was given up.
    let found = try requests(givenUp: 3, isOpen: true)
    #expect(found.map(\.stream) == [1])
    #expect(found.first?.place.map { if case .stream = $0 { true } else { false } } == true)
  }

  @Test("G1: a count that is right, or set back otherwise, is well")
  func countedWell() throws {
    #expect(try requests(givenUp: 3, countsDown: true).isEmpty)
    #expect(try requests(givenUp: 3, left: 0).isEmpty)
  }

  // MARK: - Rejections

  /// Proposals to a validating property.
  private func form(
    _ outcomes: [String], isObserved: Bool = false, isRead: Bool = false,
    rejectedBy stack: UInt32 = 0
  ) throws -> [Finding] {
    var script = TraceScript()
    let cents = script.stream("cents", "property")
    let result = script.stream(
      "cents.result", "result", from: [cents], traits: [.hot, .replays, .validates])
    if isObserved { _ = script.subscribe(result, at: 0) }
    for (number, outcome) in outcomes.enumerated() {
      script.record(.value, of: result, .description(outcome), at: Double(number))
      guard stack != 0, outcome.hasPrefix("invalid") else { continue }
      let sender = HopPayload(stack: stack, parent: 0)
      script.record(.sent, of: result, .cause(sender), at: Double(number), back: 1)
    }
    if isRead { script.record(.read, of: result, at: 100) }
    return try script.findings()
  }

  @Test("G1: a rejection that nobody learns of is found at the validating property")
  func rejected() throws {
    let found = try form(["valid(1)", "invalid(-1, negative)"])
    #expect(found.map(\.kind) == [.handled])
    #expect(found.first?.place == .stream(2))
    let known = try form(["valid(1)", "invalid(-1, negative)"], rejectedBy: 7)
    #expect(known.map(\.place) == [.stack(7)])
  }

  @Test("G1: a rejection that is observed, read, or followed by an accepted value is no mistake")
  func noticed() throws {
    #expect(try form(["invalid(-1, negative)"], isObserved: true).isEmpty)
    #expect(try form(["invalid(-1, negative)"], isRead: true).isEmpty)
    #expect(try form(["invalid(-1, negative)", "valid(1)"]).isEmpty)
  }
}
