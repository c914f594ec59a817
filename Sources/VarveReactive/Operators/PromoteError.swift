extension UnaryOperator where InputFailure == Never, Input == Output {
  static func promoteError() -> Self {
    Self(Operation("promoteError()", older: "-promoteErrors", isTransparent: true)) {
      PromoteErrorStage(into: $0, $1)
    }
  }
}

private final class PromoteErrorStage<Value, Failure: Error>: Stage<Value, Never, Value, Failure> {
  override func receive(_ value: Value) { forward(value) }

  override func terminate(_ termination: Termination<Never>) {
    switch termination {
    case .completed: finish(.completed)
    case .interrupted: finish(.interrupted)
    }
  }
}

extension Signal where Failure == Never {
  /// The same stream as one that could fail in another's way.
  ///
  /// - *Events*: forwarded as they are.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  public func promoteError<NewFailure: Error>(
    _: NewFailure.Type = NewFailure.self
  ) -> Signal<Value, NewFailure> { applying(.promoteError()) }

  /// The same stream.
  public func promoteError(_: Never.Type = Never.self) -> Signal { self }
}

extension SignalProducer where Failure == Never {
  /// The same stream as one that could fail in another's way. See `Signal.promoteError(_:)`.
  public func promoteError<NewFailure: Error>(
    _: NewFailure.Type = NewFailure.self
  ) -> SignalProducer<Value, NewFailure> { applying(.promoteError()) }

  /// The same stream.
  public func promoteError(_: Never.Type = Never.self) -> SignalProducer { self }
}
