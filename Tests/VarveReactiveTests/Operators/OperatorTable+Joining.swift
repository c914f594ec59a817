import VarveReactive
import VarveTesting

extension OperatorTable {
  /// The operators with several inputs, or with inner streams.
  static var joining: [OperatorUnderTest] { merging + pairing + triggered + flattening + following }

  private static var merging: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "merge(with: never)", inputs: [1, 2], traits: [.outlivesCompletion],
        hot: { $0.merge(with: .never) },
        cold: { $0.merge(with: SignalProducer<Int, TestFailure>.never) }),
      OperatorUnderTest(
        "merge(source, source)", inputs: [1, 2], traits: [.isFunction],
        hotOnly: { Signal<Int, TestFailure>.merge($0, $0) }),
      OperatorUnderTest(
        "merge(with: empty)", inputs: [1, 2],
        coldOnly: { $0.merge(with: SignalProducer<Int, TestFailure>.empty) }),
    ]
  }

  private static var pairing: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "combineLatest(with: source.map(_:))",
        inputs: [1, 2, 3],
        hotOnly: { $0.combineLatest(with: $0.map { $0 * 2 }) }),
      OperatorUnderTest(
        "combineLatest(with: value)", inputs: [1, 2, 3],
        coldOnly: { $0.combineLatest(with: SignalProducer<Int, TestFailure>(value: 7)) }),
      OperatorUnderTest(
        "zip(with: source.map(_:))", inputs: [1, 2, 3],
        hotOnly: { $0.zip(with: $0.map { $0 * 2 }) }),
      OperatorUnderTest(
        "zip(with: values)", inputs: [1, 2, 3],
        coldOnly: { $0.zip(with: SignalProducer<Int, TestFailure>([7, 8])) }),
      OperatorUnderTest(
        "withLatest(from: value)", inputs: [1, 2, 3],
        hot: { $0.withLatest(from: SignalProducer<Int, Never>(value: 7)) },
        cold: { $0.withLatest(from: SignalProducer<Int, Never>(value: 7)) }),
    ]
  }

  private static var triggered: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "take(until: never)", inputs: [1, 2],
        hot: { $0.take(until: Signal<Void, Never>.never) },
        cold: { $0.take(until: SignalProducer<Void, Never>.never) }),
      OperatorUnderTest(
        "skip(until: never)", inputs: [1, 2],
        hot: { $0.skip(until: Signal<Void, Never>.never) },
        cold: { $0.skip(until: SignalProducer<Void, Never>.never) }),
      OperatorUnderTest(
        "skip(until: value)", inputs: [1, 2],
        coldOnly: { $0.skip(until: SignalProducer<Void, Never>(value: ())) }),
      OperatorUnderTest(
        "take(untilReplacement: never)", inputs: [1, 2],
        traits: [.outlivesCompletion],
        hot: { $0.take(untilReplacement: .never) },
        cold: { $0.take(untilReplacement: SignalProducer<Int, TestFailure>.never) }),
      OperatorUnderTest(
        "sample(on: never)", inputs: [1, 2], traits: [.outlivesCompletion],
        hot: { $0.sample(on: Signal<Void, Never>.never) },
        cold: { $0.sample(on: SignalProducer<Void, Never>.never) }),
    ]
  }

  private static var flattening: [OperatorUnderTest] {
    [FlattenStrategy.merge, .concat, .latest, .race, .throttle].map { strategy in
      OperatorUnderTest(
        "flatMap(\(strategy), _:)", inputs: [1, 2, 3],
        hot: { $0.flatMap(strategy, twice) }, cold: { $0.flatMap(strategy, twice) })
    } + [
      OperatorUnderTest(
        "flatMap(.concurrent(limit: 2), _:)", inputs: [1, 2, 3],
        hot: { $0.flatMap(.concurrent(limit: 2), twice) },
        cold: { $0.flatMap(.concurrent(limit: 2), twice) }),
      OperatorUnderTest(
        "flatMapError(_:)", inputs: [1, 2], traits: [.handlesFailure],
        hot: { $0.flatMapError { _ in SignalProducer<Int, Never>(value: 9) } },
        cold: { $0.flatMapError { _ in SignalProducer<Int, Never>(value: 9) } }),
    ]
  }

  private static var following: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "concat(value)", inputs: [1, 2],
        traits: [.outlivesInterruption],
        coldOnly: { $0.concat(SignalProducer<Int, TestFailure>(value: 9)) }),
      OperatorUnderTest(
        "concat(value:)", inputs: [1, 2],
        traits: [.outlivesInterruption],
        coldOnly: { $0.concat(value: 9) }),
      OperatorUnderTest(
        "prefix(value:)", inputs: [1, 2],
        traits: [.outlivesInterruption],
        coldOnly: { $0.prefix(value: 9) }),
      OperatorUnderTest(
        "then(value)", inputs: [1, 2],
        coldOnly: { $0.then(SignalProducer<Int, TestFailure>(value: 9)) }),
      OperatorUnderTest(
        "repeat(2)", inputs: [1, 2], traits: [.outlivesCompletion],
        coldOnly: { $0.repeat(2) }),
      OperatorUnderTest(
        "retry(upTo: 1)", inputs: [1, 2], traits: [.handlesFailure, .outlivesFailure],
        coldOnly: { $0.retry(upTo: 1) }),
    ]
  }
}

@Sendable private func twice(_ value: Int) -> SignalProducer<Int, TestFailure> {
  SignalProducer([value, value])
}
