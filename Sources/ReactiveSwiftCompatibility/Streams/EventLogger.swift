public import VarveReactive

/// Takes what `logEvents` has to say: the identifier (the stream's name, unless another was given),
/// the event (`value 1`), and the file, function and line of the call.
public typealias EventLogger = (
  _ identifier: String, _ event: String, _ fileName: String, _ functionName: String,
  _ lineNumber: Int
) -> Void

/// Prints one line: `[query] value 1 (Search.swift:12)`.
@Sendable
public func defaultEventLog(
  identifier: String, event: String, fileName: String, functionName: String, lineNumber: Int
) {
  let file = fileName.split(separator: "/").last ?? ""
  print("[\(identifier)] \(event) (\(file):\(lineNumber))")
}

extension EventLog {
  /// Passes events on to a logger of the predecessor's form.
  fileprivate static func passing(
    to logger: @escaping @Sendable (String, String, String, String, Int) -> Void
  ) -> EventLog {
    .events { event in
      logger(event.identifier, event.event, event.file, event.function, Int(clamping: event.line))
    }
  }
}

extension Signal {
  /// Tells `logger` of each event of the chosen kinds, as it passes. See
  /// `logEvents(identifier:events:file:function:line:to:)`.
  @preconcurrency
  public func logEvents(
    identifier: String = "",
    events: Set<LoggingEvent.Signal> = Set(LoggingEvent.Signal.allCases),
    fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
    logger: @escaping @Sendable (String, String, String, String, Int) -> Void
  ) -> Signal {
    logEvents(
      identifier: identifier, events: events, file: fileName, function: functionName,
      line: UInt(clamping: lineNumber), to: .passing(to: logger))
  }
}

extension SignalProducer {
  /// Tells `logger` of each event of the chosen kinds, as it passes, and around each start. See
  /// `Signal.logEvents(identifier:events:file:function:line:to:)`.
  @preconcurrency
  public func logEvents(
    identifier: String = "",
    events: Set<LoggingEvent.SignalProducer> = Set(LoggingEvent.SignalProducer.allCases),
    fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
    logger: @escaping @Sendable (String, String, String, String, Int) -> Void
  ) -> SignalProducer {
    logEvents(
      identifier: identifier, events: events, file: fileName, function: functionName,
      line: UInt(clamping: lineNumber), to: .passing(to: logger))
  }
}
