public import VarveFormat

/// Something in a trace that somebody ought to look at, with its evidence.
public struct Finding: Sendable {
  /// What kind of thing was found.
  public enum Kind: String, Sendable, CaseIterable {
    /// Observations of a stream pile up and do not end.
    case leak
    /// A stream that is observed delivered nothing.
    case silence
    /// A stream delivered far more, far faster than anything that set it off.
    case storm
    /// A stream's values come back to itself.
    case feedback
    /// Results of an older request arrived after a newer one had been made.
    case stale
    /// Work waited long behind other work.
    case backlog
    /// A failure ended a stream, and nobody handled it.
    case failure
    /// A value came back into its own delivery, and the program was stopped; or work scheduled itself
    /// for so long that backtraces leave out where it began.
    case recursion
    /// Events are missing.
    case loss
  }

  /// What was found.
  public var kind: Kind
  /// The stream that it is about; nil when it is about none.
  public var stream: UInt32?
  /// The scheduler that it is about.
  public var scheduler: UInt32?
  /// The thread that it is about, by ring.
  public var ring: UInt32?
  /// How many: observations, values, pieces of work, events.
  public var count: UInt64 = 0
  /// How long, in nanoseconds, where that says something.
  public var nanoseconds: UInt64 = 0
  /// Another stream that plays a part.
  public var other: UInt32?
  /// Why, when it is a silence.
  public var silence: Silence?
  /// Events to look at, the most telling one first.
  public var evidence: [EventName] = []

  init(_ kind: Kind) { self.kind = kind }
}
