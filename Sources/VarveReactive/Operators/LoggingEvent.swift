/// The kinds of events that `logEvents` can log.
public enum LoggingEvent {
  /// The kinds of events that can be logged for a signal.
  public enum Signal: String, CaseIterable, Sendable {
    /// A value.
    case value
    /// Completion.
    case completed
    /// A failure.
    case failed
    /// The end, of any kind, after the line for its kind.
    case terminated
    /// The release of the signal's resources.
    case disposed
    /// Interruption.
    case interrupted
  }

  /// The kinds of events that can be logged for a producer.
  public enum SignalProducer: String, CaseIterable, Sendable {
    /// The beginning of a start.
    case starting
    /// The return of a start.
    case started
    /// A value.
    case value
    /// Completion.
    case completed
    /// A failure.
    case failed
    /// The end, of any kind, after the line for its kind.
    case terminated
    /// The release of the start's resources.
    case disposed
    /// Interruption.
    case interrupted
  }
}
