import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Replays that are too short")
struct ShortReplayTests {
  /// A gauge whose heights are replayed to a screen that comes late, on another thread. Meanwhile, the gauge
  /// goes on.
  ///
  /// - Parameters:
  ///   - kept: The number of values that the screen is shown, of the ten before it.
  ///   - live: How many of them it has been shown when each further value comes.
  private func screens(kept: Int, live: [Int]) throws -> [Finding] {
    var script = TraceScript()
    let height = script.stream("height", line: 1)
    let replay = script.stream(
      "height.replay()", "replay()", from: [height], line: 2, traits: .replays)
    _ = script.subscribe(height, to: replay, at: 0, ring: 2)
    func send(_ text: String, at time: Double) {
      script.value(height, text, at: time, ring: 2)
      script.value(replay, text, at: time, ring: 2, back: 1)
    }
    _ = script.subscribe(replay, at: 0, ring: 2)
    for index in 0..<10 { send("\(index)", at: Double(index + 1)) }
    _ = script.subscribe(replay, at: 20)
    for index in 0..<kept {
      let time = 20.1 + Double(index) / 10
      if live.contains(index) { send("live", at: time) }
      script.value(replay, "\(10 - kept + index)", at: time + 0.05)
    }
    return try script.found()
  }

  @Test("G1: an observer that comes late and gets a part of what came before is found")
  func short() throws {
    for live in [[], [2]] {
      let found = try screens(kept: 4, live: live)
      #expect(found.map(\.kind) == [.partial])
    }
  }

  @Test("G1: values that come on another thread meanwhile cut no replay short")
  func concurrent() throws {
    #expect(try screens(kept: 10, live: []).isEmpty)
    #expect(try screens(kept: 10, live: [3]).isEmpty)
    #expect(try screens(kept: 10, live: [0, 1, 7, 9]).isEmpty)
  }
}
