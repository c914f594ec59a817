public import VarveAnalysis

/// Writes a whole trace in somebody else's format. One format a file.
public protocol TraceExporter {
  /// Writes what comes before the first event.
  mutating func begin()

  /// Writes an event. Events come in the order of their times.
  mutating func write(_ event: TraceEvent)

  /// Writes what comes after the last event.
  mutating func end()

  /// What was passed over because there was too much of it to remember.
  var passedOver: PassedOver { get }
}

extension WalkTable<UInt64, Void> {
  /// For hops that have begun.
  static func hops(_ walk: TraceWalk) -> Self { WalkTable(walk, bytes: 48, of: .work) }
}

extension TraceExporter {
  /// Nothing.
  public var passedOver: PassedOver { PassedOver() }
}
