internal import VarveProbe

/// The part of an observer that does not depend on the types of events.
///
/// It is a separate class because otherwise the types that hold observers (a signal's fan-out, a
/// subscription) would be generic too, and attaching or detaching an observer would cost a lookup
/// of generic metadata. It cannot be subclassed outside the library, and is open only because
/// `Observer` is.
@_documentation(visibility: internal)
open class AnyObserver {
  init() {}

  /// Takes the gate's word, and returns an observer that it is to be passed on to; others are added
  /// to `others`.
  func follow(_ gate: UInt32, others: inout [AnyObserver]) -> AnyObserver? { nil }

  /// Passes the gate's word on to this observer and to the following streams that share its
  /// serializer.
  ///
  /// In a loop: a chain may be longer than the stack is deep, and a recording may begin at any time.
  final func followAll(_ gate: UInt32) {
    var others: [AnyObserver] = []
    var next: AnyObserver? = self
    while let observer = next {
      next = observer.follow(gate, others: &others) ?? others.popLast()
    }
  }

  /// The stream that this observer feeds as one of its stages; 0 outside all streams.
  var fedStream: UInt32 { 0 }

  /// Whether this is the fan-out of the stream that delivers to it, not a subscriber to that
  /// stream.
  var isFanOut: Bool { false }

  /// The identity of the stream that this observer feeds or is, if any.
  var fedIdentity: StreamIdentity? { nil }

  /// The observer to which this one is currently passing an event, within the same serializer.
  var passesTo: AnyObserver? { nil }

  /// For a tap, the session in which it records.
  var recordedSession: UInt32 { 0 }

  /// The number of the subscription that feeds this observer, if it has exactly one; otherwise 0.
  var feed: UInt64 { 0 }

  /// The stack of the code that started the run to which this observer belongs; 0 if it was not
  /// captured.
  var startedBy: UInt32 { 0 }

  /// Whether delivering more values here would have no effect. Checked by stages that produce many
  /// values from one.
  var hasEnough: Bool { false }

  /// Whether this is the fan-out of a signal without observers.
  var isUnheard: Bool { false }

  /// Receives `interrupted`.
  func interrupt() {}

  /// Receives `completed`.
  func complete() {}
}
