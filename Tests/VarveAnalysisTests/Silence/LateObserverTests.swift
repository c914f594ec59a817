import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Streams that came too late for what a shared one had sent.
@Suite("Late observers")
struct LateObserverTests {
  /// The stops on the way to a stream that observes a shared one at a time; values come at 1, 2 and 9.
  private func stops(
    at time: Double, of traits: StreamTraits = .hot, isShared: Bool = true
  ) throws -> [Stop] {
    var script = TraceScript()
    let source = script.stream("source", "producer", line: 1, traits: [])
    let shared = script.stream(
      "shared", "publish()", from: isShared ? [source] : [], line: 2, traits: traits)
    let producer = script.stream("shared", "producer", from: [shared], line: 2, traits: .standsIn)
    let result = script.stream("result", "map(_:)", from: [producer], line: 3)
    let early = script.stream("early", "map(_:)", from: [producer], line: 4)
    if isShared { _ = script.subscribe(source, to: shared, at: 0) }
    _ = script.subscribe(producer, to: early, at: 0)
    _ = script.subscribe(early, at: 0)
    _ = script.subscribe(shared, at: 0)
    func observe() {
      _ = script.subscribe(producer, to: result, at: time)
      _ = script.subscribe(result, at: time)
    }
    if time < 1 { observe() }
    for value in [1.0, 2, 9] {
      if time >= 1, value == 9 { observe() }
      script.value(shared, "\(value)", at: value)
      if value > time { script.value(result, "\(value)", at: value, back: 1) }
    }
    return try StopTests().stops(script, of: result).stops
  }

  @Test("G3: values that a shared stream had sent before are told, if nothing else is")
  func shared() throws {
    let found = try stops(at: 5)
    #expect(found.map(\.reason) == [.replayedFewer])
    #expect(found.first?.stopped == 2 && found.first?.received == 2)
    #expect(try stops(at: 0.5).isEmpty)
    #expect(try stops(at: 5, of: [.hot, .replays]).allSatisfy { $0.reason != .replayedFewer })
    // Who observes a signal late has asked for what comes.
    #expect(try stops(at: 5, isShared: false).allSatisfy { $0.reason != .replayedFewer })
  }
}
