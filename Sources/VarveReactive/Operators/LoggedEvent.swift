/// One event as `logEvents` tells of it.
public struct LoggedEvent: Sendable, Hashable {
  /// What the stream is called: its name, unless `logEvents` was given an identifier.
  public let identifier: String
  /// The kind of event.
  public let kind: LoggingEvent.SignalProducer
  /// The value, or the failure, as text; nil for other events.
  public let content: String?
  /// When it came.
  public let time: LogTime
  /// The thread that it came on.
  public let thread: LogThread
  /// The number of the start, or of the observation, that it came through: no two of a process have
  /// the same. 0 for what comes before and after a start.
  public let subscription: UInt64
  /// The file of the call of `logEvents`, as `#fileID` gives it.
  public let file: String
  /// The function of the call.
  public let function: String
  /// The line of the call.
  public let line: UInt

  /// The kind and the content: `value 1`.
  public var event: String { content.map { "\(kind.rawValue) \($0)" } ?? kind.rawValue }
}

extension LoggedEvent {
  /// A line without time and thread, which a trace has in the record itself.
  var untimed: String { "[\(identifier)] \(event) (\(SourcePlace(file: file, line: line)))" }
}

extension LoggedEvent: CustomStringConvertible {
  /// One line: `14:31:07.250113 [query] value 1 (Search.swift:12, main thread, subscription 7)`.
  public var description: String {
    let place = SourcePlace(file: file, line: line)
    let through = subscription == 0 ? "" : ", subscription \(subscription)"
    return "\(time) [\(identifier)] \(event) (\(place), \(thread)\(through))"
  }
}

/// Where `logEvents` writes.
public struct EventLog: Sendable {
  enum Destination: Sendable {
    case events(@Sendable (LoggedEvent) -> Void)
    case trace
  }

  let destination: Destination

  /// A line for each event on the standard output, with time, name, place, thread and subscription.
  public static let standardOutput = EventLog(destination: .events { print($0) })

  /// The trace that is being recorded, if any: such a line as a record of its own kind, with the event
  /// as its cause. A value that must not reach a trace does not reach it in this way either.
  public static let trace = EventLog(destination: .trace)

  /// A closure of your own that gets all there is to know of an event, and may pass it on to any
  /// library for logging.
  ///
  ///     let errors = EventLog.events { event in
  ///       if event.kind == .failed { report(event.description) }
  ///     }
  public static func events(_ action: @escaping @Sendable (LoggedEvent) -> Void) -> EventLog {
    EventLog(destination: .events(action))
  }
}
