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
