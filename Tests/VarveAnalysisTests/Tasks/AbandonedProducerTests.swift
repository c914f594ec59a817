import Testing
import VarveAnalysis
import VarveProbe
import VarveTraceScript

@Suite("Findings about streams whose consumers are gone")
struct AbandonedProducerTests {
  /// A stream whose producer yields `count` elements in vain, one every `gap` milliseconds. One without a
  /// name has no stream of its own for what is taken.
  private func findings(
    _ count: Int, every gap: Double, reason: AbsorptionReason = .ended, isNamed: Bool = true
  ) throws -> [Finding] {
    var script = TaskScript()
    let keys = script.script.stream(
      "keys", "AsyncStream", traits: isNamed ? .hot : [.hot, .holds])
    let taken =
      isNamed
      ? script.script.stream(
        "keys.values", "AsyncStream", from: [keys], traits: [.hot, .holds]) : keys
    for number in 0..<count {
      let time = Double(number) * gap
      let yielded = script.script.value(keys, "key", at: time)
      script.script.record(
        .absorbed, of: taken, .reason(reason.rawValue), at: time, causes: [yielded])
    }
    return try script.findings()
  }

  @Test("G1: a producer that goes on for long though its stream's consumer is gone is found")
  func abandoned() throws {
    let found = try findings(30, every: 20)
    #expect(found.map(\.kind) == [.stuck])
    #expect(found.first?.place == .stream(1) && found.first?.count == 30)
    let plain = try findings(30, every: 20, isNamed: false)
    #expect(plain.map(\.kind) == [.stuck] && plain.first?.place == .stream(1))
  }

  @Test("G1: a producer that stops soon, or whose elements a policy drops, is no finding")
  func healthy() throws {
    #expect(try findings(30, every: 2).isEmpty)
    #expect(try findings(4, every: 200).isEmpty)
    #expect(try findings(30, every: 20, reason: .superseded).isEmpty)
  }
}
