internal import VarveProbe

/// A value that an operator puts aside, and where it came from.
///
/// Operators that deliver a value later, on another thread or together with others hold it in one of
/// these. So the trace can tell what caused the later delivery, and operators need not know of it.
///
///     var previous: Held<Int>?  // in the body of a `StreamOperator`
///     …
///     if let previous { output.send(value: previous.recall()) }
///     previous = Held(value)
public struct Held<Value> {
  /// The value.
  public let value: Value
  /// The record that was being delivered when the value was put aside; 0 when nothing recorded.
  let cause: UInt64

  /// Puts a value aside that is being delivered.
  public init(_ value: Value) {
    self.value = value
    cause = Records.currentCause
  }

  /// The value, for the delivery that follows on this thread: the next record names where the value
  /// came from among its causes.
  public func recall() -> Value {
    Records.recall(cause)
    return value
  }

  /// Says that the value will not be delivered, and why.
  func absorb(in origin: Origin, edge: UInt64, _ reason: AbsorptionReason) {
    Records.absorbed(origin, edge: edge, reason, cause: cause)
  }
}

extension Held: Sendable where Value: Sendable {}
