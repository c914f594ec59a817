import Testing
import VarveAnalysis

@Suite("The pace of a replay")
struct ReplayPaceTests {
  private func dues(_ pace: ReplayPace, _ times: [Int64]) -> [UInt64] {
    var pace = pace
    return times.map { pace.due($0) }
  }

  @Test("steps are as recorded, divided by the speed")
  func speed() {
    #expect(dues(ReplayPace(), [500, 700, 1_700]) == [0, 200, 1_200])
    #expect(dues(ReplayPace(speed: 4), [500, 700, 1_700]) == [0, 50, 300])
    #expect(dues(ReplayPace(speed: 0.5), [500, 700]) == [0, 400])
  }

  @Test("a limit shortens pauses, and only pauses")
  func idleLimit() {
    #expect(dues(ReplayPace(idleLimit: 300), [0, 200, 5_000, 5_100]) == [0, 200, 500, 600])
    #expect(dues(ReplayPace(speed: 2, idleLimit: 300), [0, 500, 5_000]) == [0, 250, 550])
  }

  @Test("time that goes back between threads waits for nothing")
  func backwards() {
    #expect(dues(ReplayPace(), [100, 50, 120]) == [0, 0, 20])
  }

  @Test(
    "speeds are read with or without the x",
    arguments: [
      ("1x", 1.0), ("4", 4), ("0.1x", 0.1), ("2.5x", 2.5),
    ])
  func speeds(text: String, speed: Double) throws {
    #expect(try ReplayPace.speed(text) == speed)
  }

  @Test(
    "what is no speed is refused", arguments: ["", "x", "0x", "-1x", "fast", "nan", "inf", "1xx"])
  func noSpeed(text: String) {
    #expect(throws: SelectionError.self) { try ReplayPace.speed(text) }
  }
}
