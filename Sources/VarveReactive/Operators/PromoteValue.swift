extension UnaryOperator where Input == Never, InputFailure == OutputFailure {
  static var promoteValue: Self {
    Self(Operation("promoteValue(_:)")) {
      ForwardingStage()
    }
  }
}

extension Signal where Value == Never {
  /// Gives the signal a value type, so that it can be combined with signals that send values.
  ///
  ///     self              -----|
  ///     promoteValue()    -----|
  ///
  /// - *Events*: the end is forwarded unchanged; it never sends a value.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  public func promoteValue<NewValue>(
    _: NewValue.Type = NewValue.self
  ) -> Signal<NewValue, Failure> { applying(.promoteValue) }

  /// Returns the signal itself, for generic code in which the value type may be `Never`. See
  /// `Signal.promoteValue(_:)`.
  public func promoteValue(_: Value.Type = Value.self) -> Signal { self }
}

extension SignalProducer where Value == Never {
  /// Gives the producer a value type. See `Signal.promoteValue(_:)`.
  public func promoteValue<NewValue>(
    _: NewValue.Type = NewValue.self
  ) -> SignalProducer<NewValue, Failure> { applying(.promoteValue) }

  /// Returns the producer itself, for generic code in which the value type may be `Never`. See
  /// `Signal.promoteValue(_:)`.
  public func promoteValue(_: Value.Type = Value.self) -> SignalProducer { self }
}
