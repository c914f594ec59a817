/// The parts of a log line besides the event, and the log that takes the line.
private struct EventLines: Sendable {
  let identifier: String
  let file: String
  let function: String
  let line: UInt
  let log: EventLog

  var place: SourcePlace { SourcePlace(file: file, line: line) }

  /// Logs an event without content.
  func write(_ kind: LoggingEvent.SignalProducer, _ stream: StreamLog, _ subscription: UInt64) {
    write(kind, content: nil, stream, subscription)
  }

  /// Logs a value or a failure.
  func write<Content>(
    _ kind: LoggingEvent.SignalProducer, _ content: Content, _ stream: StreamLog,
    _ subscription: UInt64
  ) {
    guard case .trace = log.destination else {
      return write(kind, content: "\(content)", stream, subscription)
    }
    // The content is rendered only if there is a trace, and only if it may be traced.
    if StreamLog.hasTrace {
      write(kind, content: StreamLog.text(of: content), stream, subscription)
    }
  }

  private func write(
    _ kind: LoggingEvent.SignalProducer, content: String?, _ stream: StreamLog,
    _ subscription: UInt64
  ) {
    let event = LoggedEvent(
      identifier: identifier.isEmpty ? stream.name : identifier, kind: kind,
      content: content, time: .now, thread: .current, subscription: subscription,
      file: file, function: function, line: line)
    switch log.destination {
    case .events(let action): action(event)
    case .trace: stream.write(event.untimed)
    }
  }
}

extension UnaryOperator where Input == Output, InputFailure == OutputFailure {
  fileprivate static func logEvents(
    _ events: Set<LoggingEvent.SignalProducer>, _ lines: EventLines
  ) -> Self {
    let operation = Operation("logEvents()", isTransparent: true)
    var unary = Self(operation) { LogStage(events, lines) }
    if events.contains(.starting) || events.contains(.started) {
      unary.aroundStart = (
        before: { if events.contains(.starting) { lines.write(.starting, $0, 0) } },
        after: { if events.contains(.started) { lines.write(.started, $0, 0) } }
      )
    }
    return unary
  }
}

private final class LogStage<Value, Failure: Error>: ForwardingStage<Value, Value, Failure> {
  private let events: Set<LoggingEvent.SignalProducer>
  private let logsValues: Bool
  private let lines: EventLines
  private var isDisposed = false

  init(
    _ events: Set<LoggingEvent.SignalProducer>, _ lines: EventLines
  ) {
    self.events = events
    logsValues = events.contains(.value)
    self.lines = lines
    super.init()
  }

  // An unreachable signal is deallocated without an event.
  deinit { dispose() }

  override func receive(_ value: Value) {
    if logsValues { lines.write(.value, value, log, feed) }
    forward(value)
  }

  override func terminate(_ termination: Termination<Failure>) {
    switch termination {
    case .failed(let failure):
      if events.contains(.failed) { lines.write(.failed, failure, log, feed) }
    case .completed: note(.completed)
    case .interrupted: note(.interrupted)
    }
    note(.terminated)
    finish(termination)
    dispose()
  }

  private func note(_ kind: LoggingEvent.SignalProducer) {
    if events.contains(kind) { lines.write(kind, log, feed) }
  }

  private func dispose() {
    guard !isDisposed else { return }
    isDisposed = true
    note(.disposed)
  }
}

extension Signal {
  /// Logs a line for each event of the chosen kinds as it passes.
  ///
  ///     query.logEvents()  // 14:31:07.250113 [query] value swift (Search.swift:12, main thread, …
  ///     query.logEvents(events: [.failed], to: .trace)
  ///
  /// - *Events*: all events are forwarded unchanged.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread, before the event is forwarded.
  ///
  /// The stream keeps its name.
  ///
  /// - Parameters:
  ///   - identifier: the identifier of the stream in the lines; if empty, its name.
  ///   - events: the kinds of events to log.
  ///   - file: the file to show.
  ///   - function: the function to show.
  ///   - line: the line in `file`.
  ///   - log: the destination of the lines.
  public func logEvents(
    identifier: String = "",
    events: Set<LoggingEvent.Signal> = Set(LoggingEvent.Signal.allCases),
    file: String = #fileID, function: String = #function, line: UInt = #line,
    to log: EventLog = .standardOutput
  ) -> Signal {
    let lines = EventLines(
      identifier: identifier, file: file, function: function, line: line, log: log)
    let chosen = Set(events.compactMap { LoggingEvent.SignalProducer(rawValue: $0.rawValue) })
    return applying(.logEvents(chosen, lines), place: lines.place)
  }
}

extension SignalProducer {
  /// Logs a line for each event of the chosen kinds as it passes, and around each start. See
  /// `Signal.logEvents(identifier:events:file:function:line:to:)`.
  public func logEvents(
    identifier: String = "",
    events: Set<LoggingEvent.SignalProducer> = Set(LoggingEvent.SignalProducer.allCases),
    file: String = #fileID, function: String = #function, line: UInt = #line,
    to log: EventLog = .standardOutput
  ) -> SignalProducer {
    let lines = EventLines(
      identifier: identifier, file: file, function: function, line: line, log: log)
    return applying(.logEvents(events, lines), place: lines.place)
  }
}
