import Testing
import VarveAnalysis
import VarveFormat

@Suite("Time expressions")
struct TimeExpressionTests {
  @Test(
    "each form is read exactly",
    arguments: [
      ("+1.5s", TimeExpression.sinceStart(1_500_000_000)),
      ("1.5s", .sinceStart(1_500_000_000)),
      ("+250ms", .sinceStart(250_000_000)),
      ("2m30s", .sinceStart(150_000_000_000)),
      ("1h", .sinceStart(3_600_000_000_000)),
      ("0.000001s", .sinceStart(1_000)),
      ("12us", .sinceStart(12_000)),
      ("12µs", .sinceStart(12_000)),
      ("7ns", .sinceStart(7)),
      (".5s", .sinceStart(500_000_000)),
      ("-30s", .beforeEnd(30_000_000_000)),
      ("10%", .part(0.1)),
      ("100%", .part(1)),
      ("#4.1749", .event(EventName(ring: 4, sequence: 1_749))),
      ("4.1749", .event(EventName(ring: 4, sequence: 1_749))),
      ("2:4.1749", .event(EventName(ring: 2 << 24 | 4, sequence: 1_749))),
      ("1970-01-01T00:00:01Z", .wall(1_000_000_000)),
      ("2026-11-21T08:15:00Z", .wall(1_795_248_900_000_000_000)),
      ("2026-11-21 08:15:00.25+01:00", .wall(1_795_245_300_250_000_000)),
      ("2000-02-29t23:59:60z", .wall(951_868_800_000_000_000)),
      ("1969-12-31T23:59:59.5Z", .wall(-500_000_000)),
    ])
  func forms(text: String, expected: TimeExpression) throws {
    #expect(try TimeExpression(text) == expected)
  }

  @Test(
    "everything else is refused",
    arguments: [
      "", "+", "-", "s", "1.5x", "1..5s", "1.s", "1e3s", "+-1s", "101%", "-1%", "%", "#",
      "#0", "#12", "#0.1", "#1.0", "#1.2.3", "#0:1.1", "#256:1.1", "#1:99999999.1", "#-1.2", "#1.+2",
      "#x", "2026-02-30T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T08:15:00", "2026-11-21",
      "99999999999999d", "١s",
    ])
  func nonsense(text: String) {
    #expect(throws: SelectionError.self) { try TimeExpression(text) }
  }

  @Test("a number without a unit is told which units there are")
  func unit() throws {
    let error = try #require(throws: SelectionError.self) { _ = try TimeExpression("+1.5") }
    #expect(error.message == "\"+1.5\" has no unit; try \"+1.5s\" or \"+1.5ms\"")
  }

  @Test(
    "wall time is written as it is read",
    arguments: [
      (0, "1970-01-01T00:00:00.000000000Z"), (-1, "1969-12-31T23:59:59.999999999Z"),
      (1_795_248_900_250_000_000, "2026-11-21T08:15:00.250000000Z"),
      (951_782_400_000_000_000, "2000-02-29T00:00:00.000000000Z"),
    ])
  func wall(nanoseconds: Int64, text: String) {
    #expect(WallTime.text(nanoseconds: nanoseconds) == text)
    #expect(WallTime.parse(text) == nanoseconds)
  }

  @Test("a time that nanoseconds cannot count to is none")
  func tooLate() {
    #expect(WallTime.parse("2262-04-11T23:47:16.8Z") == 9_223_372_036_800_000_000)
    #expect(WallTime.parse("2262-04-11T23:47:16.9Z") == nil)
    #expect(WallTime.parse("2262-04-11T23:47:17.0Z") == nil)
  }

  @Test("every day of four centuries goes there and back")
  func calendar() {
    for day in stride(from: Int64(-73_000), through: 73_000, by: 1) {
      let nanoseconds = day * 86_400_000_000_000
      #expect(WallTime.parse(WallTime.text(nanoseconds: nanoseconds)) == nanoseconds)
    }
  }
}
