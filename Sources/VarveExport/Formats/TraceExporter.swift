public import VarveAnalysis

/// A foreign format in which a whole trace is written. Each format has its own file.
public protocol TraceExporter {
  /// Writes what comes before the first event.
  mutating func begin()

  /// Writes the due events of a page. Pages come in order of time.
  mutating func write(_ page: EventPage)

  /// Writes what comes after the last event.
  mutating func end()

  /// The parts of the trace that were left out because there was too much to remember.
  var passedOver: PassedOver { get }
}

/// A format that is written event by event, which is slower than column by column.
public protocol EventwiseExporter: TraceExporter {
  /// Writes an event. Events come in order of time.
  mutating func write(_ event: TraceEvent)
}

extension EventwiseExporter {
  /// Writes the due events of a page, one by one.
  public mutating func write(_ page: EventPage) { page.forEachEvent { write($0) } }
}

extension TraceExporter {
  /// Nothing.
  public var passedOver: PassedOver { PassedOver() }
}
