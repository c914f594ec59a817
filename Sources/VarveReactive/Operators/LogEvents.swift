/// What a log line says beside the event, and where it goes.
private struct EventLines: Sendable {
  let identifier: String
  let fileName: String
  let functionName: String
  let lineNumber: Int
  let log: EventLog

  var place: SourcePlace { SourcePlace(file: fileName, line: UInt32(clamping: lineNumber)) }

  func write(_ event: String, _ origin: Origin) {
    let shown = identifier.isEmpty ? origin.identity.name : identifier
    switch log.destination {
    case .logger(let logger): logger(shown, event, fileName, functionName, lineNumber)
    case .trace: Records.log(logLine(shown, event, fileName, lineNumber), about: origin)
    }
  }
}

extension UnaryOperator where Input == Output, InputFailure == OutputFailure {
  fileprivate static func logEvents(
    _ events: Set<LoggingEvent.SignalProducer>, _ lines: EventLines
  ) -> Self {
    let operation = Operation("logEvents()", older: "-logAll", isTransparent: true)
    var unary = hooking(operation) { logging(events, lines, $0) }
    if events.contains(.starting) || events.contains(.started) {
      unary.aroundStart = (
        before: { if events.contains(.starting) { lines.write("starting", $0) } },
        after: { if events.contains(.started) { lines.write("started", $0) } }
      )
    }
    return unary
  }

  private static func logging(
    _ events: Set<LoggingEvent.SignalProducer>, _ lines: EventLines, _ origin: Origin
  ) -> Hooks<Input, InputFailure> {
    func hook(_ event: LoggingEvent.SignalProducer) -> (() -> Void)? {
      events.contains(event) ? { lines.write(event.rawValue, origin) } : nil
    }
    func hook<Content>(_ event: LoggingEvent.SignalProducer) -> ((Content) -> Void)? {
      events.contains(event) ? { lines.write("\(event.rawValue) \($0)", origin) } : nil
    }
    return Hooks(
      value: hook(.value), failed: hook(.failed), completed: hook(.completed),
      interrupted: hook(.interrupted), terminated: hook(.terminated), disposed: hook(.disposed))
  }
}

extension Signal {
  /// Writes a line for each event of the chosen kinds, as it passes.
  ///
  ///     query.logEvents()                        // [query] value swift (Search.swift:12)
  ///     query.logEvents(events: [.failed], to: .trace)
  ///
  /// - *Events*: all are forwarded as they are.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread, before the event is forwarded.
  ///
  /// The stream keeps its name.
  ///
  /// - Parameters:
  ///   - identifier: what the line calls the stream, if not by its name.
  ///   - events: the kinds of events that are written.
  ///   - fileName: the file that the line names.
  ///   - functionName: the function that a logger is told of.
  ///   - lineNumber: the line in `fileName`.
  ///   - log: where the lines go.
  public func logEvents(
    identifier: String = "",
    events: Set<LoggingEvent.Signal> = Set(LoggingEvent.Signal.allCases),
    fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
    to log: EventLog = .standardOutput
  ) -> Signal {
    let lines = EventLines(
      identifier: identifier, fileName: fileName, functionName: functionName,
      lineNumber: lineNumber, log: log)
    let chosen = Set(events.compactMap { LoggingEvent.SignalProducer(rawValue: $0.rawValue) })
    return applying(.logEvents(chosen, lines), place: lines.place)
  }

  /// Tells `logger` of each event of the chosen kinds, as it passes. See
  /// `logEvents(identifier:events:fileName:functionName:lineNumber:to:)`.
  @preconcurrency
  public func logEvents(
    identifier: String = "",
    events: Set<LoggingEvent.Signal> = Set(LoggingEvent.Signal.allCases),
    fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
    logger: @escaping @Sendable (String, String, String, String, Int) -> Void
  ) -> Signal {
    logEvents(
      identifier: identifier, events: events, fileName: fileName, functionName: functionName,
      lineNumber: lineNumber, to: .logger(logger))
  }
}

extension SignalProducer {
  /// Writes a line for each event of the chosen kinds, as it passes, and around each start. See
  /// `Signal.logEvents(identifier:events:fileName:functionName:lineNumber:to:)`.
  public func logEvents(
    identifier: String = "",
    events: Set<LoggingEvent.SignalProducer> = Set(LoggingEvent.SignalProducer.allCases),
    fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
    to log: EventLog = .standardOutput
  ) -> SignalProducer {
    let lines = EventLines(
      identifier: identifier, fileName: fileName, functionName: functionName,
      lineNumber: lineNumber, log: log)
    return applying(.logEvents(events, lines), place: lines.place)
  }

  /// Tells `logger` of each event of the chosen kinds, as it passes, and around each start. See
  /// `Signal.logEvents(identifier:events:fileName:functionName:lineNumber:logger:)`.
  @preconcurrency
  public func logEvents(
    identifier: String = "",
    events: Set<LoggingEvent.SignalProducer> = Set(LoggingEvent.SignalProducer.allCases),
    fileName: String = #fileID, functionName: String = #function, lineNumber: Int = #line,
    logger: @escaping @Sendable (String, String, String, String, Int) -> Void
  ) -> SignalProducer {
    logEvents(
      identifier: identifier, events: events, fileName: fileName, functionName: functionName,
      lineNumber: lineNumber, to: .logger(logger))
  }
}
