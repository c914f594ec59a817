/// Tests on all values of a stream. Each sends one Boolean as soon as the result is certain.
extension UnaryOperator where Output == Bool, InputFailure == OutputFailure {
  static func contains(
    where predicate: @escaping (Input) -> Bool, label: StaticString = "contains(where:)"
  ) -> Self {
    Self(Operation(label, absorbs: .filtered, traits: .endsEarly)) {
      AnswerStage(true, isCertain: predicate)
    }
  }

  static func allSatisfy(_ predicate: @escaping (Input) -> Bool) -> Self {
    Self(Operation("allSatisfy(_:)", absorbs: .filtered, traits: .endsEarly)) {
      AnswerStage(false) { !predicate($0) }
    }
  }

  static var hasAnyValue: Self {
    Self(Operation("hasAnyValue()", absorbs: .filtered, traits: .endsEarly)) {
      AnswerStage(true) { _ in true }
    }
  }
}

/// Sends `early` at the first value that makes the result certain, or its opposite at completion.
private final class AnswerStage<Input, Failure: Error>: Stage<Input, Failure, Bool, Failure> {
  private let early: Bool
  private let isCertain: (Input) -> Bool

  init(
    _ early: Bool,
    isCertain: @escaping (Input) -> Bool
  ) {
    self.early = early
    self.isCertain = isCertain
    super.init()
  }

  override func receive(_ value: Input) {
    guard !isFinished, isCertain(value) else { return swallow(.filtered) }
    forward(early)
    succeed()
  }

  override func terminate(_ termination: Termination<Failure>) {
    if case .completed = termination { forward(!early) }
    finish(termination)
  }
}

extension Signal {
  /// Sends whether any value satisfies `predicate`, and completes.
  ///
  ///     self                     --1--2--9--3--|
  ///     contains { $0 > 5 }      --------true|
  ///
  /// - *Events*: sends `true` with the first value that satisfies it, or `false` at completion. A
  ///   failure or interruption is forwarded without a result.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  @preconcurrency
  public func contains(
    where predicate: @escaping @Sendable (Value) -> Bool
  ) -> Signal<Bool, Failure> { applying(.contains(where: predicate)) }

  /// Sends whether all values satisfy `predicate`, and completes.
  ///
  ///     self                     --1--2--9--3--|
  ///     allSatisfy { $0 < 5 }    --------false|
  ///
  /// - *Events*: sends `false` with the first value that does not satisfy it, or `true` at
  ///   completion. A failure or interruption is forwarded without a result.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  @preconcurrency
  public func allSatisfy(
    _ predicate: @escaping @Sendable (Value) -> Bool
  ) -> Signal<Bool, Failure> { applying(.allSatisfy(predicate)) }

  /// Sends whether there is any value, and completes.
  ///
  ///     self             -----1--2--|
  ///     hasAnyValue()    -----true|
  ///
  /// - *Events*: sends `true` with the first value, or `false` at completion. A failure or
  ///   interruption is forwarded without a result.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  public func hasAnyValue() -> Signal<Bool, Failure> { applying(.hasAnyValue) }
}

extension Signal where Value: Equatable {
  /// Sends whether any value equals `value`, and completes.
  ///
  ///     self           --1--2--3--|
  ///     contains(2)    -----true|
  ///
  /// - *Events*: sends `true` with the first value that equals it, or `false` at completion. A
  ///   failure or interruption is forwarded without a result.
  /// - *Memory*: `value`.
  /// - *Scheduling*: the sender's thread.
  public func contains(_ value: Value) -> Signal<Bool, Failure> {
    applying(.contains(where: { $0 == value }, label: "contains(_:)"))
  }
}

extension SignalProducer {
  /// Sends whether any value satisfies `predicate`, and completes. See `Signal.contains(where:)`.
  @preconcurrency
  public func contains(
    where predicate: @escaping @Sendable (Value) -> Bool
  ) -> SignalProducer<Bool, Failure> { applying(.contains(where: predicate)) }

  /// Sends whether all values satisfy `predicate`, and completes. See `Signal.allSatisfy(_:)`.
  @preconcurrency
  public func allSatisfy(
    _ predicate: @escaping @Sendable (Value) -> Bool
  ) -> SignalProducer<Bool, Failure> { applying(.allSatisfy(predicate)) }

  /// Sends whether there is any value, and completes. See `Signal.hasAnyValue()`.
  public func hasAnyValue() -> SignalProducer<Bool, Failure> { applying(.hasAnyValue) }
}

extension SignalProducer where Value: Equatable {
  /// Sends whether any value equals `value`, and completes. See `Signal.contains(_:)`.
  public func contains(_ value: Value) -> SignalProducer<Bool, Failure> {
    applying(.contains(where: { $0 == value }, label: "contains(_:)"))
  }
}
