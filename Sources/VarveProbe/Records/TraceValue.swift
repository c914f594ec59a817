/// A value with a compact trace form of its own.
///
/// Values of other types, unless the recorder knows the type, are recorded as a description of at
/// most 256 bytes.
///
///     struct UserID: TraceValue {
///       var number: Int
///       var tracePayload: TracePayload { .integer(Int64(number)) }
///     }
///
/// Values are encoded on the thread that sends them, so the conformance must not be isolated to an
/// actor.
public protocol TraceValue: SendableMetatype {
  /// The form to record instead of a description. Called on the sending thread, for each event.
  var tracePayload: TracePayload { get }
}

/// The form of a value in a trace.
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
  /// A Boolean.
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

  /// A payload that says nothing of the value.
  public var tracePayload: TracePayload { .withheld }
}

extension Withheld: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A text that says nothing of the value, for descriptions of what contains it.
  public var description: String { "private" }

  /// A text that says nothing of the value.
  public var debugDescription: String { description }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Withheld: Sendable where Value: Sendable {}
extension Withheld: Equatable where Value: Equatable {}
