extension UnaryOperator where InputFailure == OutputFailure {
  static func map(_ transform: @escaping (Input) -> Output) -> Self {
    Self(Operation("map(_:)")) { MapStage(transform) }
  }

  static func map(value: Output) -> Self {
    Self(Operation("map(value:)")) {
      MapStage() { _ in value }
    }
  }
}

private final class MapStage<Input, Output, Failure: Error>:
  ForwardingStage<Input, Output, Failure>
{
  private let transform: (Input) -> Output

  init(
    _ transform: @escaping (Input) -> Output
  ) {
    self.transform = transform
    super.init()
  }

  override func receive(_ value: Input) { forward(transform(value)) }
}

extension Signal {
  /// Transforms each value.
  ///
  ///     self      --1--2--3--|
  ///     map(×2)   --2--4--6--|
  ///
  /// - *Events*: the end is forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  @preconcurrency
  public func map<NewValue>(
    _ transform: @escaping @Sendable (Value) -> NewValue
  ) -> Signal<NewValue, Failure> { applying(.map(transform)) }

  /// Replaces each value with `value`.
  ///
  ///     self          --1--2--3--|
  ///     map(value: x) --x--x--x--|
  ///
  /// - *Events*: the end is forwarded unchanged.
  /// - *Memory*: `value`.
  /// - *Scheduling*: the sender's thread.
  @_disfavoredOverload
  public func map<NewValue>(value: NewValue) -> Signal<NewValue, Failure> {
    applying(.map(value: value))
  }
}

extension SignalProducer {
  /// Transforms each value. See `Signal.map(_:)`.
  @preconcurrency
  public func map<NewValue>(
    _ transform: @escaping @Sendable (Value) -> NewValue
  ) -> SignalProducer<NewValue, Failure> { applying(.map(transform)) }

  /// Replaces each value with `value`. See `Signal.map(value:)`.
  @_disfavoredOverload
  public func map<NewValue>(value: NewValue) -> SignalProducer<NewValue, Failure> {
    applying(.map(value: value))
  }
}
