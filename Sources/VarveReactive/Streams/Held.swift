internal import CVarveSystem
internal import VarveProbe

/// A value that an operator puts aside, together with its cause.
///
/// Operators that deliver a value later, on another thread or together with others, keep it in a
/// `Held`. The trace can then tell what caused the later delivery, without the operator's
/// knowledge.
///
///     var previous: Held<Int>?  // in the body of a `StreamOperator`
///     …
///     if let previous { output.send(value: previous.recall()) }
///     previous = Held(value)
public struct Held<Value> {
  /// The value.
  public let value: Value
  /// The record that was being delivered when the value was put aside; 0 if no recording was
  /// running.
  let cause: UInt64

  /// Puts aside the value that is being delivered.
  public init(_ value: Value) {
    self.value = value
    cause = Records.currentCause
  }

  /// Creates a held value whose cause is known.
  init(_ value: Value, cause: UInt64) {
    self.value = value
    self.cause = cause
  }

  /// Returns the value for the delivery that follows on this thread; the next record names the
  /// event that brought the value among its causes.
  public func recall() -> Value {
    Records.recall(cause)
    return value
  }
}

extension Held: Sendable where Value: Sendable {}

/// The cause of a value that an operator stores by itself, where a `Held` does not fit.
enum HeldCause {
  /// Whether the cause is worth keeping.
  @inline(__always)
  static var isKept: Bool { Records.areKept }

  /// The number of causes that a record has room for, besides that of the current value.
  static let mostNamed = Int(VV_FAR_LARGEST)

  /// The cause of the current value; 0 while no recording is running.
  @inline(__always)
  static var current: UInt64 { Records.currentCause }

  /// Lets this thread's next record name the cause; returns false if the record has no room left.
  @inline(__always)
  @discardableResult
  static func recall(_ cause: UInt64) -> Bool { Records.recall(cause) }
}
