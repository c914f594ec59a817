extension UnaryOperator where Input == Never, InputFailure == OutputFailure {
  static var promoteValue: Self {
    Self(Operation("promoteValue(_:)")) {
      ForwardingStage()
    }
  }
}

extension Signal where Value == Never {
  /// The same signal as one that could send values, so that it can be combined with one that does.
  ///
  ///     self              -----|
  ///     promoteValue()    -----|
  ///
  /// - *Events*: the end is forwarded as it is; there never is a value.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  public func promoteValue<NewValue>(
    _: NewValue.Type = NewValue.self
  ) -> Signal<NewValue, Failure> { applying(.promoteValue) }

  /// The signal itself: for generic code in which the other type may be `Never` as well. See
  /// `Signal.promoteValue(_:)`.
  public func promoteValue(_: Value.Type = Value.self) -> Signal { self }
}

extension SignalProducer where Value == Never {
  /// The same producer as one that could send values. See `Signal.promoteValue(_:)`.
  public func promoteValue<NewValue>(
    _: NewValue.Type = NewValue.self
  ) -> SignalProducer<NewValue, Failure> { applying(.promoteValue) }

  /// The producer itself: for generic code in which the other type may be `Never` as well. See
  /// `Signal.promoteValue(_:)`.
  public func promoteValue(_: Value.Type = Value.self) -> SignalProducer { self }
}
