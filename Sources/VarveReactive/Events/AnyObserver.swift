internal import VarveProbe

/// The part of an observer that does not depend on what it observes.
///
/// It is a class of its own because what holds many observers (a signal's fan-out, a subscription)
/// would otherwise be generic too, and pay for finding its own type whenever one comes or goes. It
/// cannot be subclassed outside the library, and is open because `Observer` is.
@_documentation(visibility: internal)
open class AnyObserver {
  init() {}

  /// Tells the streams from here on, as far as they share one serializer, what the gate says.
  func follow(_ gate: UInt32) {}

  /// The stream that this observer feeds as one of its stages: 0 outside all streams.
  var fedStream: UInt32 { 0 }

  /// Whether this is the fan-out of the stream that delivers to it, not a subscriber to it.
  var isFanOut: Bool { false }

  /// That stream, as far as it is one.
  var fedIdentity: StreamIdentity? { nil }

  /// Who gets what is being delivered to this observer at present, within the same serializer.
  var passesTo: AnyObserver? { nil }

  /// Of a tap, the session in which it records.
  var recordedSession: UInt32 { 0 }

  /// The number of the subscription that feeds this observer, if it has just one; else 0.
  var feed: UInt64 { 0 }

  /// The stack of the code that started the run that this observer is a stage or the end of, when
  /// stacks are recorded; 0 when none was taken.
  var startedBy: UInt32 { 0 }

  /// Whether what else is delivered here has no effect, for stages that make many values of one.
  var hasEnough: Bool { false }

  /// Whether this is the fan-out of a signal that nobody observes.
  var isUnheard: Bool { false }

  /// Takes `interrupted`.
  func interrupt() {}

  /// Takes `completed`.
  func complete() {}
}
