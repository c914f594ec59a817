import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Operators that were to share one run of a producer, made anew for each observer.
@Suite("Replays that share nothing")
struct UnsharedReplaysTests {
  /// A catalog that is fetched for each of three parts of a screen, through a replay for each.
  private func catalogs(
    values: [String], effects: Bool = true, pause: Double = 1
  ) throws -> [Finding] {
    var script = TraceScript()
    for (number, value) in values.enumerated() {
      let fetch = script.stream(
        "fetch", "producer", derived: true, line: 1, traits: effects ? .hasEffects : [])
      let kept = script.stream(
        "fetch.replayLazily(upTo:)", "replayLazily(upTo:)", from: [fetch], derived: true, line: 2,
        traits: .replays)
      let part = script.stream("part", "map(_:)", from: [kept], derived: true, line: 3)
      let time = Double(number) * pause + 1
      _ = script.subscribe(kept, at: time)
      _ = script.subscribe(part, at: time)
      _ = script.subscribe(kept, to: part, at: time)
      _ = script.subscribe(fetch, to: kept, at: time)
      script.value(kept, value, at: time)
    }
    return try script.findings()
  }

  @Test("G1: replays that one line made for one observer each share nothing, and are found there")
  func unshared() throws {
    let found = try catalogs(values: ["lamps", "lamps", "lamps"])
    #expect(found.map(\.kind) == [.restarted])
    #expect(found.first?.place == .stream(2))
    #expect(try catalogs(values: ["lamps"]).isEmpty)
    #expect(try catalogs(values: ["lamps", "cables"]).isEmpty)
    #expect(try catalogs(values: ["lamps", "lamps"], effects: false).isEmpty)
    #expect(try catalogs(values: ["lamps", "lamps"], pause: 200).isEmpty)
  }
}
