internal import VarveProbe

/// The part of an observer that does not depend on the types of events.
///
/// It is a class of its own because what holds many observers (a signal's fan-out, a subscription)
/// would otherwise be generic too, and pay for finding its own type whenever one comes or goes. It
/// cannot be subclassed outside the library, and is open because `Observer` is.
@_documentation(visibility: internal)
open class AnyObserver {
  init() {}

  /// Passes the gate's word on to the streams from here on, as far as they share one serializer.
  func follow(_ gate: UInt32) {}

  /// The stream that this observer feeds as one of its stages; 0 outside all streams.
  var fedStream: UInt32 { 0 }

  /// Whether this is the fan-out of the stream that delivers to it, not a subscriber to that
  /// stream.
  var isFanOut: Bool { false }

  /// The identity of the stream that this observer feeds or is, if any.
  var fedIdentity: StreamIdentity? { nil }

  /// The observer that receives what is currently being delivered to this one, within the same
  /// serializer.
  var passesTo: AnyObserver? { nil }

  /// For a tap, the session in which it records.
  var recordedSession: UInt32 { 0 }

  /// The number of the subscription that feeds this observer, if it has exactly one; otherwise 0.
  var feed: UInt64 { 0 }

  /// The stack of the code that started the run that this observer is a stage or the end of, if
  /// stacks are recorded; 0 if none was taken.
  var startedBy: UInt32 { 0 }

  /// Whether delivering more values here would have no effect, for stages that make many values of
  /// one.
  var hasEnough: Bool { false }

  /// Whether this is the fan-out of a signal without observers.
  var isUnheard: Bool { false }

  /// Receives `interrupted`.
  func interrupt() {}

  /// Receives `completed`.
  func complete() {}
}
