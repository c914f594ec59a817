import VarveReactive
import VarveTesting

extension OperatorTable {
  /// Further forms of operators: for inner streams and inputs that fail otherwise, or cannot.
  static var overloads: [OperatorUnderTest] {
    flatMaps + flattens + attempts + thens + promotions
  }

  private static var flatMaps: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "flatMap(.merge, _:)", inputs: [1, 2],
        hot: { $0.flatMap(.merge, succeed) }, cold: { $0.flatMap(.merge, succeed) }),
      OperatorUnderTest(
        "flatMap(.merge, _:)", inputs: [1, 2],
        hot: { $0.flatMap(.merge, surely) }, cold: { $0.flatMap(.merge, surely) }),
      OperatorUnderTest(
        "flatMap(.merge, _:)", inputs: [1, 2],
        hot: { $0.flatMap(.merge, succeedSurely) }, cold: { $0.flatMap(.merge, succeedSurely) }),
      OperatorUnderTest(
        "flatMap(.latest, _:)", infallibleInputs: [1, 2],
        hot: { $0.flatMap(.latest, perhaps) }, cold: { $0.flatMap(.latest, perhaps) }),
      OperatorUnderTest(
        "flatMap(.latest, _:)", infallibleInputs: [1, 2],
        hot: { $0.flatMap(.latest, succeed) }, cold: { $0.flatMap(.latest, succeed) }),
      OperatorUnderTest(
        "flatMap(.latest, _:)", infallibleInputs: [1, 2],
        hot: { $0.flatMap(.latest, surely) }, cold: { $0.flatMap(.latest, surely) }),
      OperatorUnderTest(
        "flatMap(.latest, _:)", infallibleInputs: [1, 2],
        hot: { $0.flatMap(.latest, succeedSurely) }, cold: { $0.flatMap(.latest, succeedSurely) }),
      OperatorUnderTest(
        "flatMapError(_:)", inputs: [1, 2], traits: [.handlesFailure],
        hot: { $0.flatMapError { _ in succeedSurely(9) } },
        cold: { $0.flatMapError { _ in succeedSurely(9) } }),
    ]
  }

  private static var flattens: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "flatten(.concat)", inputs: [perhaps(1), perhaps(2)],
        hot: { $0.flatten(.concat) }, cold: { $0.flatten(.concat) }),
      OperatorUnderTest(
        "flatten(.concat)", inputs: [surely(1), surely(2)],
        hot: { $0.flatten(.concat) }, cold: { $0.flatten(.concat) }),
      OperatorUnderTest(
        "flatten(.concat)", infallibleInputs: [perhaps(1), perhaps(2)],
        hot: { $0.flatten(.concat) }, cold: { $0.flatten(.concat) }),
      OperatorUnderTest(
        "flatten(.concat)", infallibleInputs: [surely(1), surely(2)],
        hot: { $0.flatten(.concat) }, cold: { $0.flatten(.concat) }),
    ]
  }

  private static var attempts: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "attempt(_:)", inputs: [1, 2, 3], failure: TestFailure() as any Error,
        scheduledHot: { signal, _ in signal.attempt(refuse) },
        scheduledCold: { producer, _ in producer.attempt(refuse) }),
      OperatorUnderTest(
        "attemptMap(_:)", inputs: [1, 2, 3], failure: TestFailure() as any Error,
        scheduledHot: { signal, _ in signal.attemptMap(refused) },
        scheduledCold: { producer, _ in producer.attemptMap(refused) }),
      OperatorUnderTest(
        "timeout(after: 999999s, raising:, on: TestScheduler)", inputs: [1, 2],
        failure: Never?.none, traits: [.timed],
        scheduledHot: { signal, scheduler in
          signal.timeout(after: .seconds(999_999), raising: TestFailure(), on: scheduler)
        },
        scheduledCold: { producer, scheduler in
          producer.timeout(after: .seconds(999_999), raising: TestFailure(), on: scheduler)
        }),
    ]
  }

  private static var thens: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "then(value)", inputs: [1, 2], coldOnly: { $0.then(surely(9)) }),
      coldInfallible("then(value)") { $0.then(perhaps(9)) },
      coldInfallible("then(value)") { $0.then(surely(9)) },
    ]
  }

  private static var promotions: [OperatorUnderTest] {
    [
      OperatorUnderTest(
        "", infallibleInputs: [1, 2],
        hot: { $0.promoteError(Never.self) }, cold: { $0.promoteError(Never.self) }),
      OperatorUnderTest(
        "", inputs: [Never](),
        hot: { $0.promoteValue(Never.self) }, cold: { $0.promoteValue(Never.self) }),
    ]
  }

  private static func coldInfallible<Output, OutputFailure>(
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

@Sendable private func perhaps(_ value: Int) -> SignalProducer<Int, TestFailure> {
  SignalProducer(value: value)
}

@Sendable private func surely(_ value: Int) -> SignalProducer<Int, Never> {
  SignalProducer(value: value)
}

@Sendable private func succeed(_ value: Int) -> Result<Int, TestFailure> { .success(value) }

@Sendable private func succeedSurely(_ value: Int) -> Result<Int, Never> { .success(value) }

@Sendable private func refuse(_ value: Int) throws {
  if value == 3 { throw TestFailure() }
}

@Sendable private func refused(_ value: Int) throws -> String {
  try refuse(value)
  return "\(value)"
}
