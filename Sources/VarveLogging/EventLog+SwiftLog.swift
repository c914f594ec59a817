// Logging to swift-log. Everything here requires the package trait `SwiftLog`; without it,
// swift-log is not even fetched.
#if SwiftLog
  public import Logging
  public import VarveReactive

  extension EventLog {
    /// Logs events to a swift-log logger. The event is the message, and the rest is metadata.
    ///
    ///     query.logEvents(to: .swiftLog(Logger(label: "search")))
    ///
    /// The metadata are `stream`, `kind`, `subscription` and `thread`. The time is left to the
    /// logger, and the place is that of the call of `logEvents`.
    ///
    /// - Parameters:
    ///   - logger: the logger that receives the messages.
    ///   - level: the level of all events except failures.
    ///   - failureLevel: the level of failures.
    public static func swiftLog(
      _ logger: Logger, level: Logger.Level = .debug, failureLevel: Logger.Level = .error
    ) -> EventLog {
      .events { event in
        logger.log(
          level: event.kind == .failed ? failureLevel : level, "\(event.event)",
          metadata: [
            "stream": "\(event.identifier)", "kind": "\(event.kind.rawValue)",
            "subscription": "\(event.subscription)", "thread": "\(event.thread)",
          ], source: "Varve", file: event.file, function: event.function,
          line: event.line)
      }
    }
  }
#endif
