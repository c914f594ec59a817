import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Replays that keep everything")
struct KeptReplaysTests {
  /// A gauge whose values are replayed to a screen that comes after forty of them.
  private func kept(
    _ count: Int, traits: StreamTraits = .replays
  ) throws -> [KeptReplays.Stream] {
    let folder = TemporaryFolder()
    var script = TraceScript()
    let height = script.stream("height", line: 1)
    let replay = script.stream("height.replay()", "replay()", from: [height], traits: traits)
    _ = script.subscribe(height, to: replay, at: 0, ring: 2)
    _ = script.subscribe(replay, at: 0, ring: 2)
    for index in 0..<40 {
      script.value(height, "\(index)", at: Double(index + 1), ring: 2)
      script.value(replay, "\(index)", at: Double(index + 1), ring: 2, back: 1)
    }
    _ = script.subscribe(replay, at: 50)
    for index in 0..<count { script.value(replay, "\(index)", at: 50 + Double(index) / 100) }
    try script.write(to: folder.file("kept.varve"))
    let reader = try TraceReader(path: folder.file("kept.varve"))
    return try KeptReplays(reader, TraceHistory(reader)).all
  }

  @Test("G1: a stream that repeats all of many values to an observer that comes late keeps them")
  func all() throws {
    let found = try kept(40)
    #expect(found.map(\.values) == [40])
  }

  @Test("G1: a stream that repeats a part of its values, or that does not replay, keeps no more")
  func part() throws {
    #expect(try kept(30).isEmpty)
    #expect(try kept(40, traits: .hot).isEmpty)
  }
}
