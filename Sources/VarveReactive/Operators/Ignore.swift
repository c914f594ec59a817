extension UnaryOperator where InputFailure == OutputFailure, Input == Output {
  static func ignore(_ ignored: Input) -> Self where Input: Equatable {
    let operation = Operation("ignore(_:)", absorbs: .filtered)
    return Self(operation) { IgnoreStage() { $0 == ignored } }
  }

  static var ignoreValues: Self {
    Self(Operation("ignoreValues()", absorbs: .filtered)) {
      IgnoreStage() { _ in true }
    }
  }
}

extension UnaryOperator
where InputFailure == OutputFailure, Input: OptionalProtocol, Output == Input.Wrapped {
  static var skipNil: Self {
    Self(Operation("skipNil()", absorbs: .filtered)) {
      SkipNilStage()
    }
  }
}

private final class IgnoreStage<Value, Failure: Error>: ForwardingStage<Value, Value, Failure> {
  private let isIgnored: (Value) -> Bool

  init(
    _ isIgnored: @escaping (Value) -> Bool
  ) {
    self.isIgnored = isIgnored
    super.init()
  }

  override func receive(_ value: Value) {
    if isIgnored(value) { swallow(.filtered) } else { forward(value) }
  }
}

private final class SkipNilStage<Value: OptionalProtocol, Failure: Error>:
  ForwardingStage<Value, Value.Wrapped, Failure>
{
  override func receive(_ value: Value) {
    if let wrapped = value.optional { forward(wrapped) } else { swallow(.filtered) }
  }
}

extension Signal {
  /// Drops all values and forwards only the end.
  ///
  ///     self              --1--2--3--|
  ///     ignoreValues()    -----------|
  ///
  /// - *Events*: the end is forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  public func ignoreValues() -> Signal { applying(.ignoreValues) }
}

extension Signal where Value: OptionalProtocol {
  /// Drops the values that are `nil` and unwraps the others.
  ///
  ///     self         --1--nil--3--|
  ///     skipNil()    --1-------3--|
  ///
  /// - *Events*: the end is forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  public func skipNil() -> Signal<Value.Wrapped, Failure> { applying(.skipNil) }
}

extension Signal where Value: Equatable {
  /// Drops the values that equal `value`.
  ///
  ///     self         --1--2--1--|
  ///     ignore(1)    -----2-----|
  ///
  /// - *Events*: the end is forwarded unchanged.
  /// - *Memory*: `value`.
  /// - *Scheduling*: the sender's thread.
  public func ignore(_ value: Value) -> Signal { applying(.ignore(value)) }
}

extension SignalProducer {
  /// Drops all values and forwards only the end. See `Signal.ignoreValues()`.
  public func ignoreValues() -> SignalProducer { applying(.ignoreValues) }
}

extension SignalProducer where Value: OptionalProtocol {
  /// Drops the values that are `nil` and unwraps the others. See `Signal.skipNil()`.
  public func skipNil() -> SignalProducer<Value.Wrapped, Failure> { applying(.skipNil) }
}

extension SignalProducer where Value: Equatable {
  /// Drops the values that equal `value`. See `Signal.ignore(_:)`.
  public func ignore(_ value: Value) -> SignalProducer { applying(.ignore(value)) }
}
