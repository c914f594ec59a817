/// An event that `logEvents` logs.
public struct LoggedEvent: Sendable, Hashable {
  /// The identifier given to `logEvents`, or the name of the stream.
  public let identifier: String
  /// The kind of event.
  public let kind: LoggingEvent.SignalProducer
  /// The value or the failure as text; nil for other events.
  public let content: String?
  /// The time at which the event was sent.
  public let time: LogTime
  /// The thread on which the event was sent.
  public let thread: LogThread
  /// The number of the start or observation through which the event came, unique in the process; 0
  /// for the lines around a start.
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

/// A destination for the lines of `logEvents`.
public struct EventLog: Sendable {
  enum Destination: Sendable {
    case events(@Sendable (LoggedEvent) -> Void)
    case trace
  }

  let destination: Destination

  /// Prints a line for each event to the standard output, with time, name, place, thread and
  /// subscription.
  public static let standardOutput = EventLog(destination: .events { print($0) })

  /// Writes each line to the current recording, if there is one, as a separate kind of record
  /// with the event as its cause. Values that are excluded from traces are excluded here, too.
  public static let trace = EventLog(destination: .trace)

  /// A custom closure that receives all details of each event, for example to pass them on to a
  /// logging library.
  ///
  ///     let errors = EventLog.events { event in
  ///       if event.kind == .failed { report(event.description) }
  ///     }
  public static func events(_ action: @escaping @Sendable (LoggedEvent) -> Void) -> EventLog {
    EventLog(destination: .events(action))
  }
}
