import VarveReactive
import VarveTesting

extension OperatorTable {
  /// The operators that deliver on a scheduler, and those that need one.
  static var timed: [OperatorUnderTest] { hopping + pacing + limitingInTime }

  private static var hopping: [OperatorUnderTest] {
    [
      timed(
        "observe(on: TestScheduler)", "-deliverOn: TestScheduler",
        hot: { $0.observe(on: $1) }, cold: { $0.observe(on: $1) }),
      timed(
        "delay(1.5s, on: TestScheduler)", "-delay: 1.500000",
        hot: { $0.delay(.milliseconds(1500), on: $1) },
        cold: { $0.delay(.milliseconds(1500), on: $1) }),
      timed(
        "lazyMap(on: TestScheduler, transform:)", "-lazyMapOn: TestScheduler transform:",
        hot: { $0.lazyMap(on: $1) { $0 * 2 } }, cold: { $0.lazyMap(on: $1) { $0 * 2 } }),
    ]
  }

  private static var pacing: [OperatorUnderTest] {
    [
      timed(
        "debounce(300ms, on: TestScheduler)", "-throttle: 0.300000",
        hot: { $0.debounce(.milliseconds(300), on: $1) },
        cold: { $0.debounce(.milliseconds(300), on: $1) }),
      timed(
        "debounce(300ms, on: TestScheduler)", "-throttle: 0.300000",
        hot: { $0.debounce(.milliseconds(300), on: $1, discardWhenCompleted: false) },
        cold: { $0.debounce(.milliseconds(300), on: $1, discardWhenCompleted: false) }),
      timed(
        "debounce(300ms, on: TestScheduler, where:)", "-throttle: 0.300000 valuesPassingTest:",
        hot: { $0.debounce(.milliseconds(300), on: $1) { $0 > 1 } },
        cold: { $0.debounce(.milliseconds(300), on: $1) { $0 > 1 } }),
      timed(
        "throttle(300ms, on: TestScheduler)", "-throttle: 0.300000 onScheduler: TestScheduler",
        hot: { $0.throttle(.milliseconds(300), on: $1) },
        cold: { $0.throttle(.milliseconds(300), on: $1) }),
      timed(
        "throttle(while: empty, on: TestScheduler)",
        "-throttleWhile: +empty onScheduler: TestScheduler",
        hot: { $0.throttle(while: SignalProducer<Bool, Never>.empty, on: $1) },
        cold: { $0.throttle(while: SignalProducer<Bool, Never>.empty, on: $1) }),
      timed(
        "collect(every: 3600s, on: TestScheduler)",
        "-bufferWithTime: 3600.000000 onScheduler: TestScheduler",
        hot: { $0.collect(every: .seconds(3600), on: $1) },
        cold: { $0.collect(every: .seconds(3600), on: $1) }),
      timed(
        "collect(every: 3600s, on: TestScheduler)",
        "-bufferWithTime: 3600.000000 onScheduler: TestScheduler",
        hot: { $0.collect(every: .seconds(3600), on: $1, discardWhenCompleted: false) },
        cold: { $0.collect(every: .seconds(3600), on: $1, discardWhenCompleted: false) }),
    ]
  }

  private static var limitingInTime: [OperatorUnderTest] {
    [
      timed(
        "timeout(after: 999999s, raising:, on: TestScheduler)",
        "-timeout: 999999.000000 onScheduler: TestScheduler",
        hot: { $0.timeout(after: .seconds(999_999), raising: TestFailure(), on: $1) },
        cold: { $0.timeout(after: .seconds(999_999), raising: TestFailure(), on: $1) })
    ]
  }

  private static func timed<Output>(
    _ label: String, _ older: String,
    hot:
      @escaping @Sendable (Signal<Int, TestFailure>, TestScheduler) -> Signal<Output, TestFailure>,
    cold:
      @escaping @Sendable (SignalProducer<Int, TestFailure>, TestScheduler) -> SignalProducer<
        Output, TestFailure
      >
  ) -> OperatorUnderTest {
    OperatorUnderTest(
      label, older, inputs: [1, 2, 3], scheduledHot: hot, scheduledCold: cold)
  }
}
