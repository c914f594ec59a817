public import VarveFormat

/// A problem in a trace that deserves attention, with its evidence.
public struct Finding: Sendable {
  /// What kind of thing was found.
  public enum Kind: String, Sendable, CaseIterable {
    /// Observations of a stream accumulate and do not end.
    case leak
    /// An observed stream delivered nothing.
    case silence
    /// A stream delivered far more values, far faster, than whatever triggered it.
    case storm
    /// A stream's values cause further values of the same stream.
    case feedback
    /// Results of an older request arrived after those of a newer one.
    case stale
    /// Work waited long behind other work.
    case backlog
    /// A failure reached an observer without having been handled.
    case failure
    /// A value re-entered its own delivery, and the program was stopped; or work scheduled itself
    /// for so long that backtraces leave out where it began.
    case recursion
    /// Events are missing.
    case loss
  }

  /// What was found.
  public var kind: Kind
  /// The affected stream, if any.
  public var stream: UInt32?
  /// The affected scheduler, if any.
  public var scheduler: UInt32?
  /// The ring of the affected thread, if any.
  public var ring: UInt32?
  /// The number of observations, values, pieces of work, or events.
  public var count: UInt64 = 0
  /// A duration in nanoseconds, for kinds to which one applies.
  public var nanoseconds: UInt64 = 0
  /// Another stream involved, if any.
  public var other: UInt32?
  /// The reason, for a silence.
  public var silence: Silence?
  /// Events that show the problem, most significant first.
  public var evidence: [EventName] = []

  init(_ kind: Kind) { self.kind = kind }
}
