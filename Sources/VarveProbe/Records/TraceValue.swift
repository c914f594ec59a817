/// A value that knows how to be recorded compactly.
///
/// Without it, a value of a type that the recorder does not know is recorded as a description of at
/// most 256 bytes.
///
///     struct UserID: TraceValue {
///       var number: Int
///       var tracePayload: TracePayload { .integer(Int64(number)) }
///     }
///
/// A type conforms on whatever thread it is sent: not in the isolation of an actor.
public protocol TraceValue: SendableMetatype {
  /// What is recorded instead of a description. Called on the sending thread, for each event.
  var tracePayload: TracePayload { get }
}

/// What a value looks like in a trace.
public enum TracePayload: Sendable, Hashable {
  /// The value `()`.
  case unit
  /// The value `nil`.
  case null
  /// A signed integer.
  case integer(Int64)
  /// An unsigned integer.
  case unsigned(UInt64)
  /// A floating-point number.
  case real(Double)
  /// A boolean.
  case boolean(Bool)
  /// Text.
  case string(String)
  /// Bytes.
  case bytes([UInt8])
  /// Nothing of the value is recorded.
  case withheld
}

/// A value that must not reach a trace in any form: a password, a message, a token.
public struct Withheld<Value>: TraceValue {
  /// The value.
  public var value: Value

  /// Wraps a value.
  public init(_ value: Value) { self.value = value }

  /// Nothing.
  public var tracePayload: TracePayload { .withheld }
}

extension Withheld: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Says nothing of the value: what holds it may be described somewhere.
  public var description: String { "private" }

  /// Says nothing of the value.
  public var debugDescription: String { description }

  /// Shows nothing of the value.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Withheld: Sendable where Value: Sendable {}
extension Withheld: Equatable where Value: Equatable {}
