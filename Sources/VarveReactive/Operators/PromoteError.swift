extension UnaryOperator where InputFailure == Never, Input == Output {
  static var promoteError: Self {
    promoting(Operation("promoteError(_:)"))
  }

  /// The operator as part of another one, which supplies the name.
  fileprivate static var promotedWithin: Self {
    promoting(Operation("promoteError(_:)", isTransparent: true))
  }

  private static func promoting(_ operation: Operation) -> Self {
    Self(operation) { PromoteErrorStage() }
  }
}

private final class PromoteErrorStage<Value, Failure: Error>: Stage<Value, Never, Value, Failure> {
  override func receive(_ value: Value) { forward(value) }

  override func terminate(_ termination: Termination<Never>) { finish(termination.promoted()) }
}

extension SignalProducer where Failure == Never {
  /// Returns this producer as an input for an operator that can fail.
  func promoted<NewFailure: Error>(
    to: NewFailure.Type
  ) -> SignalProducer<Value, NewFailure> { applying(.promotedWithin) }
}

extension Signal where Failure == Never {
  /// Gives the signal a failure type, so that it can be combined with signals that can fail.
  ///
  ///     self              --1--2--|
  ///     promoteError()    --1--2--|
  ///
  /// - *Events*: all events are forwarded unchanged; it never fails.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  public func promoteError<NewFailure: Error>(
    _: NewFailure.Type = NewFailure.self
  ) -> Signal<Value, NewFailure> { applying(.promoteError) }

  /// Returns the signal itself, for generic code in which the failure type may be `Never`. See
  /// `Signal.promoteError(_:)`.
  public func promoteError(_: Never.Type = Never.self) -> Signal { self }
}

extension SignalProducer where Failure == Never {
  /// Gives the producer a failure type. See `Signal.promoteError(_:)`.
  public func promoteError<NewFailure: Error>(
    _: NewFailure.Type = NewFailure.self
  ) -> SignalProducer<Value, NewFailure> { applying(.promoteError) }

  /// Returns the producer itself, for generic code in which the failure type may be `Never`. See
  /// `Signal.promoteError(_:)`.
  public func promoteError(_: Never.Type = Never.self) -> SignalProducer { self }
}
