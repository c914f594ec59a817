extension UnaryOperator where Input == Output {
  static func mapError(_ transform: @escaping (InputFailure) -> OutputFailure) -> Self {
    Self(Operation("mapError(_:)")) { MapErrorStage(transform) }
  }
}

private final class MapErrorStage<Value, InputFailure: Error, OutputFailure: Error>:
  Stage<Value, InputFailure, Value, OutputFailure>
{
  private let transform: (InputFailure) -> OutputFailure

  init(
    _ transform: @escaping (InputFailure) -> OutputFailure
  ) {
    self.transform = transform
    super.init()
  }

  override func receive(_ value: Value) { forward(value) }

  override func terminate(_ termination: Termination<InputFailure>) {
    finish(termination.mapError(transform))
  }
}

extension Signal {
  /// Transforms the failure.
  ///
  ///     self           --1--2--x
  ///     mapError(f)    --1--2--f(x)
  ///
  /// - *Events*: completion and interruption are forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  @preconcurrency
  public func mapError<NewFailure>(
    _ transform: @escaping @Sendable (Failure) -> NewFailure
  ) -> Signal<Value, NewFailure> { applying(.mapError(transform)) }
}

extension SignalProducer {
  /// Transforms the failure. See `Signal.mapError(_:)`.
  @preconcurrency
  public func mapError<NewFailure>(
    _ transform: @escaping @Sendable (Failure) -> NewFailure
  ) -> SignalProducer<Value, NewFailure> { applying(.mapError(transform)) }
}
