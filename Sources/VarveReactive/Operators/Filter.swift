extension UnaryOperator where InputFailure == OutputFailure, Input == Output {
  static func filter(_ isIncluded: @escaping (Input) -> Bool) -> Self {
    Self(Operation("filter(_:)", absorbs: .filtered)) {
      FilterStage(isIncluded)
    }
  }
}

extension UnaryOperator where InputFailure == OutputFailure {
  static func compactMap(_ transform: @escaping (Input) -> Output?) -> Self {
    Self(Operation("compactMap(_:)", absorbs: .filtered)) {
      CompactMapStage(transform)
    }
  }
}

private final class FilterStage<Value, Failure: Error>: ForwardingStage<Value, Value, Failure> {
  private let isIncluded: (Value) -> Bool

  init(
    _ isIncluded: @escaping (Value) -> Bool
  ) {
    self.isIncluded = isIncluded
    super.init()
  }

  override func receive(_ value: Value) {
    if isIncluded(value) { forward(value) } else { swallow(.filtered) }
  }
}

private final class CompactMapStage<Input, Output, Failure: Error>:
  ForwardingStage<Input, Output, Failure>
{
  private let transform: (Input) -> Output?

  init(
    _ transform: @escaping (Input) -> Output?
  ) {
    self.transform = transform
    super.init()
  }

  override func receive(_ value: Input) {
    if let output = transform(value) { forward(output) } else { swallow(.filtered) }
  }
}

extension Signal {
  /// Forwards the values that satisfy `isIncluded`.
  ///
  ///     self           --1--2--3--4--|
  ///     filter(isEven) -----2-----4--|
  ///
  /// - *Events*: the end is forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  @preconcurrency
  public func filter(
    _ isIncluded: @escaping @Sendable (Value) -> Bool
  ) -> Signal { applying(.filter(isIncluded)) }

  /// Transforms each value and drops those that become `nil`.
  ///
  ///     self            --1--x--3--|
  ///     compactMap(Int) --1-----3--|
  ///
  /// - *Events*: the end is forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  @preconcurrency
  public func compactMap<NewValue>(
    _ transform: @escaping @Sendable (Value) -> NewValue?
  ) -> Signal<NewValue, Failure> { applying(.compactMap(transform)) }
}

extension SignalProducer {
  /// Forwards the values that satisfy `isIncluded`. See `Signal.filter(_:)`.
  @preconcurrency
  public func filter(
    _ isIncluded: @escaping @Sendable (Value) -> Bool
  ) -> SignalProducer { applying(.filter(isIncluded)) }

  /// Transforms each value and drops those that become `nil`. See `Signal.compactMap(_:)`.
  @preconcurrency
  public func compactMap<NewValue>(
    _ transform: @escaping @Sendable (Value) -> NewValue?
  ) -> SignalProducer<NewValue, Failure> { applying(.compactMap(transform)) }
}
