extension UnaryOperator
where Input: Sequence, Output == Input.Element, InputFailure == OutputFailure {
  static var flatten: Self {
    Self(Operation("flatten()", absorbs: .filtered)) {
      FlattenSequencesStage()
    }
  }
}

private final class FlattenSequencesStage<Values: Sequence, Failure: Error>:
  ForwardingStage<Values, Values.Element, Failure>
{
  override func receive(_ values: Values) {
    var isEmpty = true
    for value in values {
      isEmpty = false
      forward(value)
      if forwardsInVain { break }
    }
    if isEmpty { swallow(.filtered) }
  }
}

extension Signal where Value: Sequence {
  /// Sends the elements of each value, one after the other.
  ///
  ///     self         --[1,2]--[]--[3]--|
  ///     flatten()    --12---------3----|
  ///
  /// - *Events*: the end is forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread. Iteration stops once no observer can receive the rest, so
  ///   an infinite sequence before `take(first:)` ends.
  public func flatten() -> Signal<Value.Element, Failure> { applying(.flatten) }
}

extension SignalProducer where Value: Sequence {
  /// Sends the elements of each value, one after the other. See `Signal.flatten()`.
  public func flatten() -> SignalProducer<Value.Element, Failure> { applying(.flatten) }
}
