import Testing
import VarveReactive

@Suite("SchedulerInstant")
struct SchedulerInstantTests {
  private let one = SchedulerInstant(nanoseconds: 1)

  @Test("moments and durations add up")
  func arithmetic() {
    #expect(one + .seconds(2) == SchedulerInstant(nanoseconds: 2_000_000_001))
    #expect(one - .nanoseconds(3) == SchedulerInstant(nanoseconds: -2))
    #expect((one + .milliseconds(5)) - one == .milliseconds(5))
    #expect(one.duration(to: one - .seconds(1)) == .seconds(-1))
    #expect(one < one + .nanoseconds(1))
  }

  @Test("H4: parts of a nanosecond are rounded up, for nothing may come early")
  func rounding() {
    let half = Duration.nanoseconds(1) / 2
    #expect(one + half == SchedulerInstant(nanoseconds: 2))
    #expect(one - half == one)
    #expect(one - .nanoseconds(1) - half == SchedulerInstant(nanoseconds: 0))
  }

  @Test("an endless delay is a moment that never comes", arguments: [Int64.max, Int64.max / 1_000])
  func endless(seconds: Int64) {
    #expect(one + .seconds(seconds) == .distantFuture)
    #expect(SchedulerInstant.distantFuture + .seconds(seconds) == .distantFuture)
    #expect(one - .seconds(2) + .seconds(seconds) == .distantFuture)
    #expect(one - .seconds(seconds) == SchedulerInstant(nanoseconds: .min))
    #expect(SchedulerInstant.distantFuture - SchedulerInstant(nanoseconds: .min) > .seconds(1))
  }

  @Test("a moment is shown in seconds")
  func description() {
    #expect(SchedulerInstant(nanoseconds: 1_500_000_000).description == "1.5 seconds")
  }
}
