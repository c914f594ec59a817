public import VarveReactive

extension SignalProducer {
  /// See `waitForFirst()`.
  public func first() -> Result<Value, Failure>? { waitForFirst() }

  /// See `waitForSingle()`.
  public func single() -> Result<Value, Failure>? { waitForSingle() }

  /// See `waitForLast()`.
  public func last() -> Result<Value, Failure>? { waitForLast() }

  /// See `waitForEnd()`.
  public func wait() -> Result<Void, Failure> { waitForEnd() }
}
