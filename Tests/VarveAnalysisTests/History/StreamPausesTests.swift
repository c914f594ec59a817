import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// How long operators let values wait by their own decision.
@Suite("Pauses of streams")
struct StreamPausesTests {
  private let folder = TemporaryFolder()

  private func pauses(_ script: TraceScript, _ selection: Selection = Selection()) throws
    -> [StreamPauses.Pause]
  {
    let path = folder.file("pauses.varve")
    try script.write(to: path)
    return try StreamPauses(in: TraceReader(path: path), selection).all
  }

  /// Three shops whose hours are asked for one after the other, 50 ms each.
  private func shops(_ traits: StreamTraits) throws -> [StreamPauses.Pause] {
    var script = TraceScript()
    let shops = script.stream("shops", "producer", line: 1, traits: [])
    let hours = script.stream("hours", "flatMap", from: [shops], line: 2, traits: traits)
    let inner = script.stream("inner", "producer", line: 3, traits: [])
    _ = script.subscribe(shops, to: hours, at: 0)
    for _ in 0..<3 { script.value(shops, "shop", at: 1) }
    for turn in 0..<3 { _ = script.subscribe(inner, to: hours, at: 1 + Double(turn) * 50) }
    return try pauses(script)
  }

  @Test("G3: the longest wait for a turn is told, and how many waited")
  func turns() throws {
    let found = try shops([.makesStreams, .holds])
    #expect(found.count == 1)
    #expect(found.first?.stream == 2)
    #expect(found.first?.count == 3)
    #expect(found.first?.nanoseconds == 100_000_000)
    #expect(try shops([.makesStreams, .runsSideBySide]).isEmpty)
  }

  @Test("G3: pauses before restarts that follow each other are added up, until a value comes")
  func restarts() throws {
    var script = TraceScript()
    let page = script.stream("page", "producer", line: 1, traits: [])
    let retry = script.stream(
      "retry", "retry", from: [page], line: 2, traits: [.restarts, .handlesFailure])
    _ = script.subscribe(page, to: retry, at: 0)
    for turn in 0..<2 {
      script.record(.failed, of: page, at: 10 + Double(turn) * 130)
      _ = script.subscribe(page, to: retry, at: 130 + Double(turn) * 130)
    }
    script.value(page, "news", at: 300)
    script.record(.failed, of: page, at: 310)
    let last = script.record(
      .subscribed, of: page, .subscription(SubscriptionPayload(stream: retry, stack: 0)), at: 320)
    let found = try pauses(script)
    #expect(found.map(\.nanoseconds) == [240_000_000])
    #expect(found.first?.count == 2)
    #expect(found.first?.stream == retry)
    #expect(found.first?.event != last)
  }

  @Test("G3: of a part of the time, only its pauses count")
  func part() throws {
    var selection = Selection()
    selection.until = .event("1.6")
    var script = TraceScript()
    let page = script.stream("page", "producer", line: 1, traits: [])
    let retry = script.stream("retry", "retry", from: [page], line: 2, traits: .restarts)
    _ = script.subscribe(page, to: retry, at: 0)
    for turn in 0..<4 {
      script.record(.completed, of: page, at: 10 + Double(turn) * 20)
      _ = script.subscribe(page, to: retry, at: 20 + Double(turn) * 20)
    }
    #expect(try pauses(script).first?.count == 4)
    #expect(try pauses(script, selection).first?.count == 2)
  }
}
