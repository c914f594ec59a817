import VarveReactive
import VarveTesting

extension OperatorTable {
  /// The operators that deliver on a scheduler, and those that need one.
  static var timed: [OperatorUnderTest] { hopping + pacing + limitingInTime }

  private static var hopping: [OperatorUnderTest] {
    [
      timed(
        "observe(on: TestScheduler)",
        hot: { $0.observe(on: $1) }, cold: { $0.observe(on: $1) }),
      timed(
        "delay(1.5s, on: TestScheduler)",
        hot: { $0.delay(.milliseconds(1500), on: $1) },
        cold: { $0.delay(.milliseconds(1500), on: $1) }),
      timed(
        "lazyMap(on: TestScheduler, transform:)",
        hot: { $0.lazyMap(on: $1) { $0 * 2 } }, cold: { $0.lazyMap(on: $1) { $0 * 2 } }),
    ]
  }

  private static var pacing: [OperatorUnderTest] {
    [
      timed(
        "debounce(300ms, on: TestScheduler)",
        hot: { $0.debounce(.milliseconds(300), on: $1) },
        cold: { $0.debounce(.milliseconds(300), on: $1) }),
      timed(
        "debounce(300ms, on: TestScheduler)",
        hot: { $0.debounce(.milliseconds(300), on: $1, discardWhenCompleted: false) },
        cold: { $0.debounce(.milliseconds(300), on: $1, discardWhenCompleted: false) }),
      timed(
        "debounce(300ms, on: TestScheduler, where:)",
        hot: { $0.debounce(.milliseconds(300), on: $1) { $0 > 1 } },
        cold: { $0.debounce(.milliseconds(300), on: $1) { $0 > 1 } }),
      timed(
        "throttle(300ms, on: TestScheduler)",
        hot: { $0.throttle(.milliseconds(300), on: $1) },
        cold: { $0.throttle(.milliseconds(300), on: $1) }),
      timed(
        "throttle(while: empty, on: TestScheduler)",
        hot: { $0.throttle(while: SignalProducer<Bool, Never>.empty, on: $1) },
        cold: { $0.throttle(while: SignalProducer<Bool, Never>.empty, on: $1) }),
      timed(
        "collect(every: 3600s, on: TestScheduler)",
        hot: { $0.collect(every: .seconds(3600), on: $1) },
        cold: { $0.collect(every: .seconds(3600), on: $1) }),
      timed(
        "collect(every: 3600s, on: TestScheduler)",
        hot: { $0.collect(every: .seconds(3600), on: $1, discardWhenCompleted: false) },
        cold: { $0.collect(every: .seconds(3600), on: $1, discardWhenCompleted: false) }),
    ]
  }

  private static var limitingInTime: [OperatorUnderTest] {
    [
      timed(
        "timeout(after: 999999s, raising:, on: TestScheduler)",
        hot: { $0.timeout(after: .seconds(999_999), raising: TestFailure(), on: $1) },
        cold: { $0.timeout(after: .seconds(999_999), raising: TestFailure(), on: $1) })
    ]
  }

  private static func timed<Output>(
    _ label: String,
    hot:
      @escaping @Sendable (Signal<Int, TestFailure>, TestScheduler) -> Signal<Output, TestFailure>,
    cold:
      @escaping @Sendable (SignalProducer<Int, TestFailure>, TestScheduler) -> SignalProducer<
        Output, TestFailure
      >
  ) -> OperatorUnderTest {
    OperatorUnderTest(
      label, inputs: [1, 2, 3], scheduledHot: hot, scheduledCold: cold)
  }
}
