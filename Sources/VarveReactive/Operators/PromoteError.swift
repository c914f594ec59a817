extension UnaryOperator where InputFailure == Never, Input == Output {
  static var promoteError: Self {
    promoting(Operation("promoteError(_:)"))
  }

  /// As part of another operator, whose name says enough.
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
  /// The same producer as an input of an operator that can fail.
  func promoted<NewFailure: Error>(
    to: NewFailure.Type
  ) -> SignalProducer<Value, NewFailure> { applying(.promotedWithin) }
}

extension Signal where Failure == Never {
  /// The same signal as one that could fail, so that it can be combined with one that can.
  ///
  ///     self              --1--2--|
  ///     promoteError()    --1--2--|
  ///
  /// - *Events*: all are forwarded as they are; it never fails.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  public func promoteError<NewFailure: Error>(
    _: NewFailure.Type = NewFailure.self
  ) -> Signal<Value, NewFailure> { applying(.promoteError) }

  /// The signal itself: for generic code in which the other type may be `Never` as well. See
  /// `Signal.promoteError(_:)`.
  public func promoteError(_: Never.Type = Never.self) -> Signal { self }
}

extension SignalProducer where Failure == Never {
  /// The same producer as one that could fail. See `Signal.promoteError(_:)`.
  public func promoteError<NewFailure: Error>(
    _: NewFailure.Type = NewFailure.self
  ) -> SignalProducer<Value, NewFailure> { applying(.promoteError) }

  /// The producer itself: for generic code in which the other type may be `Never` as well. See
  /// `Signal.promoteError(_:)`.
  public func promoteError(_: Never.Type = Never.self) -> SignalProducer { self }
}
