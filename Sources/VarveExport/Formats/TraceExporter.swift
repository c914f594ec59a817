public import VarveAnalysis

/// A foreign format in which a whole trace is written. Each format has its own file.
public protocol TraceExporter {
  /// Writes what comes before the first event.
  mutating func begin()

  /// Writes an event. Events come in order of time.
  mutating func write(_ event: TraceEvent)

  /// Writes what comes after the last event.
  mutating func end()

  /// The parts of the trace that were left out because there was too much to remember.
  var passedOver: PassedOver { get }
}

extension WalkTable<UInt64, Void> {
  /// Returns a table of hops that have begun.
  static func hops(_ walk: TraceWalk) -> Self { WalkTable(walk, bytes: 48, of: .work) }
}

extension TraceExporter {
  /// Nothing.
  public var passedOver: PassedOver { PassedOver() }
}
