internal import CVarveSystem
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

  /// A value of which is known where it came from.
  init(_ value: Value, cause: UInt64) {
    self.value = value
    self.cause = cause
  }

  /// The value, for the delivery that follows on this thread: the next record names where the value
  /// came from among its causes.
  public func recall() -> Value {
    Records.recall(cause)
    return value
  }
}

extension Held: Sendable where Value: Sendable {}

/// Where a value came from that an operator keeps in memory of its own, where no `Held` fits in.
enum HeldCause {
  /// Whether it is worth keeping.
  @inline(__always)
  static var isKept: Bool { Records.areKept }

  /// How many a record has room for, beside the value at hand.
  static let mostNamed = Int(VV_FAR_LARGEST)

  /// Where the value at hand comes from; 0 when nothing records.
  @inline(__always)
  static var current: UInt64 { Records.currentCause }

  /// Lets the next record of this thread name it; false when that has no room left.
  @inline(__always)
  @discardableResult
  static func recall(_ cause: UInt64) -> Bool { Records.recall(cause) }
}
