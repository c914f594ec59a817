/// The kinds of events that `logEvents` can be asked for.
public enum LoggingEvent {
  /// What can be logged of a signal.
  public enum Signal: String, CaseIterable, Sendable {
    /// A value.
    case value
    /// Completion.
    case completed
    /// A failure.
    case failed
    /// Any of the three ends, after its own line.
    case terminated
    /// The signal's resources are let go.
    case disposed
    /// Interruption.
    case interrupted
  }

  /// What can be logged of a producer.
  public enum SignalProducer: String, CaseIterable, Sendable {
    /// A start begins.
    case starting
    /// A start has returned.
    case started
    /// A value.
    case value
    /// Completion.
    case completed
    /// A failure.
    case failed
    /// Any of the three ends, after its own line.
    case terminated
    /// The start's resources are let go.
    case disposed
    /// Interruption.
    case interrupted
  }
}

/// Takes what `logEvents` has to say: the identifier (the stream's name, unless another was given),
/// the event (`value 1`), and the file, function and line of the call.
public typealias EventLogger = (
  _ identifier: String, _ event: String, _ fileName: String, _ functionName: String,
  _ lineNumber: Int
) -> Void

/// Where `logEvents` writes.
public struct EventLog: Sendable {
  enum Destination: Sendable {
    case logger(@Sendable (String, String, String, String, Int) -> Void)
    case trace
  }

  let destination: Destination

  /// A line for each event on the standard output: `[query] value 1 (Search.swift:12)`.
  public static let standardOutput = EventLog(destination: .logger(defaultEventLog))

  /// The trace that is being recorded, if any: such a line as a record of its own kind, with the event
  /// as its cause.
  public static let trace = EventLog(destination: .trace)

  /// A closure of one's own, which may pass on to any library for logging.
  @preconcurrency
  public static func logger(
    _ logger: @escaping @Sendable (String, String, String, String, Int) -> Void
  ) -> EventLog {
    EventLog(destination: .logger(logger))
  }
}

/// Prints one line: `[query] value 1 (Search.swift:12)`.
@Sendable
public func defaultEventLog(
  identifier: String, event: String, fileName: String, functionName: String, lineNumber: Int
) {
  print(logLine(identifier, event, fileName, lineNumber))
}

/// One line of a log, as the standard output and the trace have it.
func logLine(_ identifier: String, _ event: String, _ file: String, _ line: Int) -> String {
  "[\(identifier)] \(event) (\(SourcePlace(file: file, line: UInt32(clamping: line))))"
}
