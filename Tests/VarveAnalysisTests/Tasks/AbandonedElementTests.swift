import Testing
import VarveAnalysis
import VarveProbe
import VarveTraceScript

@Suite("Findings about elements that come after their consumers have left")
struct AbandonedElementTests {
  /// The findings about a stream whose reading ends, unless it does not, after the first of `count`
  /// elements, one every `gap` milliseconds; `back` says whether there is another reading at the end.
  private func findings(
    _ count: Int, every gap: Double, leaves: Bool = true, back: Bool = false,
    absorbs: AbsorptionReason? = nil
  ) throws -> [Finding] {
    var script = TaskScript()
    let keys = script.script.stream("keys", "makeStream", traits: .hot)
    var traits: StreamTraits = [.hot, .holds, .throwsFailure]
    if absorbs != nil { traits.insert(.swallows) }
    let taken = script.script.stream(
      "keys.values", "values", from: [keys], traits: traits, absorbs: absorbs)
    func read(_ subscription: UInt64, at time: Double) {
      script.script.record(
        .subscribed, of: taken, .stream(0), at: time, subscription: subscription)
    }
    read(1, at: 0)
    for number in 0..<count {
      let time = 1 + Double(number) * gap
      script.script.value(keys, "key", at: time)
      if number == 0, leaves {
        script.script.record(
          .ended, of: taken, .reason(EndReason.disposed.rawValue), at: time + 0.1, subscription: 1)
      }
    }
    if back { read(2, at: 2 + Double(count) * gap) }
    return try script.findings().filter { $0.kind == .backlog }
  }

  @Test("K8: elements of a named stream that come on and on after its consumer has left are found")
  func abandoned() throws {
    let found = try findings(200, every: 10)
    #expect(found.count == 1 && found.first?.place == .stream(1), "\(found)")
  }

  @Test(
    "K8: a consumer that stays or comes back, a limit, and what comes for a moment are no findings")
  func healthy() throws {
    #expect(try findings(200, every: 10, leaves: false).isEmpty)
    #expect(try findings(200, every: 10, back: true).isEmpty)
    #expect(try findings(200, every: 10, absorbs: .superseded).isEmpty)
    #expect(try findings(200, every: 2).isEmpty)
  }
}
