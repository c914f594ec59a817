import ReactiveCocoa2Compatibility
import VarveReactive
import VarveTesting

extension OperatorTable {
  /// The operators that are about starts, lifetimes and logs.
  static var starts: [OperatorUnderTest] {
    starting + restarting + lasting + logging
  }

  private static var starting: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "lift(_:)", inputs: [1, 2], coldOnly: { $0.lift { $0.map { $0 + 1 } } }),
      OperatorUnderTest(
        "lift(_:)", inputs: [1, 2],
        coldOnly: { $0.lift(Signal.merge(with:))(SignalProducer<Int, TestFailure>.empty) }),
      // On a scheduler of its own, because it starts elsewhere where there is none.
      OperatorUnderTest(
        "startOnCurrentScheduler().start(on: ImmediateScheduler)", inputs: [1, 2],
        coldOnly: { $0.startOnCurrentScheduler().start(on: ImmediateScheduler()) }),
      OperatorUnderTest(
        "start(on: TestScheduler)", inputs: [1, 2],
        failure: TestFailure(), traits: [.timed],
        scheduledHot: noSignal, scheduledCold: { $0.start(on: $1) }),
      OperatorUnderTest(
        "replayLazily(upTo: 1)", inputs: [1, 2], traits: [.sharesRun],
        coldOnly: { $0.replayLazily(upTo: 1) }),
      OperatorUnderTest(
        "publish().autoconnect()", inputs: [1, 2], traits: [.sharesRun],
        coldOnly: { $0.publish().autoconnect() }),
      OperatorUnderTest(
        "replayLazily()", inputs: [1, 2], traits: [.sharesRun],
        coldOnly: { $0.replayLazily() }),
    ]
  }

  private static var restarting: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "repeatForever()", inputs: [1, 2], traits: [.outlivesCompletion],
        coldOnly: { $0.repeatForever() }),
      OperatorUnderTest(
        "retry()", inputs: [1, 2], traits: [.handlesFailure, .outlivesFailure],
        coldOnly: { $0.retry() }),
      OperatorUnderTest(
        "retry(upTo: 1, interval: 1s, on: TestScheduler)", inputs: [1, 2],
        failure: TestFailure(), traits: [.handlesFailure, .outlivesFailure, .timed],
        scheduledHot: noSignal,
        scheduledCold: { $0.retry(upTo: 1, interval: .seconds(1), on: $1) }),
      OperatorUnderTest(
        "concat(error:)", inputs: [1, 2],
        traits: [.outlivesCompletion, .outlivesInterruption],
        coldOnly: { $0.concat(error: TestFailure()) }),
      OperatorUnderTest(
        "prefix(value)", inputs: [1, 2], traits: [.outlivesInterruption],
        coldOnly: { $0.prefix(SignalProducer<Int, TestFailure>(value: 9)) }),
    ]
  }

  private static let forEver = Lifetime.make()

  private static var lasting: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "take(during:)", inputs: [1, 2],
        hot: { $0.take(during: forEver.lifetime) }, cold: { $0.take(during: forEver.lifetime) }),
      OperatorUnderTest(
        "sample(with: never)", inputs: [1, 2],
        traits: [.outlivesCompletion],
        hot: { $0.sample(with: Signal<Int, Never>.never) },
        cold: { $0.sample(with: SignalProducer<Int, Never>.never) }),
    ]
  }

  private static var logging: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "", inputs: [1, 2],
        hot: { $0.logEvents(to: .trace) }, cold: { $0.logEvents(to: .trace) }),
      OperatorUnderTest(
        "", inputs: [1, 2], hot: { $0.logAll(to: .trace) }, cold: { $0.logAll(to: .trace) }),
      OperatorUnderTest(
        "", inputs: [1, 2],
        hot: { $0.logValues(to: .trace) }, cold: { $0.logValues(to: .trace) }),
      OperatorUnderTest(
        "", inputs: [1, 2], hot: { $0.logNext(to: .trace) }, cold: { $0.logNext(to: .trace) }),
      OperatorUnderTest(
        "", inputs: [1, 2],
        hot: { $0.logErrors(to: .trace) }, cold: { $0.logErrors(to: .trace) }),
      OperatorUnderTest(
        "", inputs: [1, 2],
        hot: { $0.logCompleted(to: .trace) }, cold: { $0.logCompleted(to: .trace) }),
    ]
  }

  /// Signals lack the operator.
  private static let noSignal:
    (@Sendable (Signal<Int, TestFailure>, TestScheduler) -> Signal<Int, TestFailure>)? = nil
}
