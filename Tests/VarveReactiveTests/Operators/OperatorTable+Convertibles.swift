import VarveReactive
import VarveTesting

extension OperatorTable {
  /// The forms that take anything that has a producer, and those of `then` and `withLatest` that take
  /// streams of other types.
  static var convertibles: [OperatorUnderTest] {
    joined + triggers + booleansOfOthers + followers + followersOfInfallible
  }

  private static var joined: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "merge(with: empty)", inputs: [1, 2],
        coldOnly: { $0.merge(with: Made(Numbers.empty)) }),
      OperatorUnderTest(
        "combineLatest(with: value)", inputs: [1, 2, 3],
        coldOnly: { $0.combineLatest(with: Made(Numbers(value: 7))) }),
      OperatorUnderTest(
        "zip(with: values)", inputs: [1, 2, 3],
        coldOnly: { $0.zip(with: Made(Numbers([7, 8]))) }),
      OperatorUnderTest(
        "withLatest(from: value)", inputs: [1, 2, 3],
        hot: { $0.withLatest(from: Made(SignalProducer<Int, Never>(value: 7))) },
        cold: { $0.withLatest(from: Made(SignalProducer<Int, Never>(value: 7))) }),
      OperatorUnderTest(
        "withLatest(from: never)", inputs: [1, 2, 3],
        hotOnly: { $0.withLatest(from: Signal<Int, Never>.never) }),
    ]
  }

  private static var triggers: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "take(until: never)", inputs: [1, 2],
        coldOnly: { $0.take(until: Made(Ticks.never)) }),
      OperatorUnderTest(
        "skip(until: never)", inputs: [1, 2],
        coldOnly: { $0.skip(until: Made(Ticks.never)) }),
      OperatorUnderTest(
        "take(untilReplacement: never)", inputs: [1, 2],
        traits: [.outlivesCompletion],
        coldOnly: { $0.take(untilReplacement: Made(Numbers.never)) }),
      OperatorUnderTest(
        "sample(on: never)", inputs: [1, 2], traits: [.outlivesCompletion],
        coldOnly: { $0.sample(on: Made(Ticks.never)) }),
      OperatorUnderTest(
        "sample(with: never)", inputs: [1, 2],
        traits: [.outlivesCompletion],
        coldOnly: { $0.sample(with: Made(SignalProducer<Int, Never>.never)) }),
    ]
  }

  private static var booleansOfOthers: [OperatorUnderTest] {
    let yes = Made(SignalProducer<Bool, TestFailure>(value: true))
    return [
      OperatorUnderTest(
        "and(value)", inputs: [true, false, true], coldOnly: { $0.and(yes) }),
      OperatorUnderTest(
        "or(value)", inputs: [true, false, true], coldOnly: { $0.or(yes) }),
    ]
  }

  private static var followers: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "concat(value)", inputs: [1, 2], traits: [.outlivesInterruption],
        coldOnly: { $0.concat(Made(Numbers(value: 9))) }),
      OperatorUnderTest(
        "prefix(value)", inputs: [1, 2], traits: [.outlivesInterruption],
        coldOnly: { $0.prefix(Made(Numbers(value: 9))) }),
      OperatorUnderTest(
        "then(value)", inputs: [1, 2],
        coldOnly: { $0.then(SignalProducer<String, TestFailure>(value: "x")) }),
      OperatorUnderTest(
        "then(value)", inputs: [1, 2],
        coldOnly: { $0.then(Made(SignalProducer<String, TestFailure>(value: "x"))) }),
      OperatorUnderTest(
        "then(value)", inputs: [1, 2],
        coldOnly: { $0.then(Made(SignalProducer<String, Never>(value: "x"))) }),
    ]
  }

  private static var followersOfInfallible: [OperatorUnderTest] {
    [
      infallible("then(value)") { $0.then(SignalProducer<String, Never>(value: "x")) },
      infallible("then(value)") {
        $0.then(Made(SignalProducer<String, TestFailure>(value: "x")))
      },
      infallible("then(value)") {
        $0.then(Made(SignalProducer<String, Never>(value: "x")))
      },
    ]
  }

  private static func infallible<Output, OutputFailure>(
    _ label: String,
    _ apply:
      @escaping @Sendable (SignalProducer<Int, Never>) -> SignalProducer<
        Output, OutputFailure
      >
  ) -> OperatorUnderTest {
    OperatorUnderTest(
      label, inputs: [1, 2], failure: Never?.none,
      scheduledHot: nil
        as (@Sendable (Signal<Int, Never>, TestScheduler) -> Signal<Output, OutputFailure>)?,
      scheduledCold: { producer, _ in apply(producer) })
  }
}

private typealias Numbers = SignalProducer<Int, TestFailure>
private typealias Ticks = SignalProducer<Void, Never>

/// Something that is no producer and has one.
private struct Made<Value, Failure: Error>: SignalProducerConvertible {
  let producer: SignalProducer<Value, Failure>

  init(_ producer: SignalProducer<Value, Failure>) { self.producer = producer }
}

extension Made: Sendable where Value: Sendable {}
