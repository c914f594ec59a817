internal import VarveProbe

/// Takes the events of a stream: the base of everything that a stream delivers to.
///
/// Values and terminations come by two virtual calls rather than as one enumeration: an event of a
/// generic type costs more to build and to take apart than a whole stage costs otherwise.
///
/// A subclass may rely on being called serially, and on nothing coming after `terminate(_:)`.
open class Observer<Value, Failure: Error> {
  /// Creates an observer.
  public init() {}

  /// Takes a value. The base class ignores it.
  open func receive(_ value: Value) {}

  /// Takes the end. The base class ignores it.
  open func terminate(_ termination: Termination<Failure>) {}

  /// Tells the streams from here on, as far as they share one domain, what the gate says.
  func follow(_ gate: UInt32) {}

  /// The stream that this observer feeds as one of its stages: 0 outside all streams.
  var fedStream: UInt32 { 0 }

  /// Whether this is the fan-out of the stream that delivers to it, not a subscriber to it.
  var isFanOut: Bool { false }

  /// The number of the edge that feeds this observer, if it has just one; else 0.
  var feed: UInt64 { 0 }

  /// The stream that this stage feeds and why it swallows values when it does, if it ever does.
  var absorption: (UInt32, AbsorptionReason)? { nil }
}
