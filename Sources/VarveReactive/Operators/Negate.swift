extension UnaryOperator
where Input == Bool, Output == Bool, InputFailure == OutputFailure {
  static var negate: Self {
    Self(Operation("negate()")) { NegateStage() }
  }
}

private final class NegateStage<Failure: Error>: ForwardingStage<Bool, Bool, Failure> {
  override func receive(_ value: Bool) { forward(!value) }
}

extension Signal where Value == Bool {
  /// Sends the opposite of each value.
  ///
  ///     self        --true---false--|
  ///     negate()    --false--true---|
  ///
  /// - *Events*: the end is forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread.
  public func negate() -> Signal { applying(.negate) }
}

extension SignalProducer where Value == Bool {
  /// Sends the opposite of each value. See `Signal.negate()`.
  public func negate() -> SignalProducer { applying(.negate) }
}
