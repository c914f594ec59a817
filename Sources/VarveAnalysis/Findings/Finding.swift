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
    /// Something fails and is started again, over and over, without a value between.
    case retries
    /// A join holds more and more values of one input, because another is slower.
    case join
    /// An execution, or an inner stream, never ends, and what waits for it cannot begin.
    case stuck
    /// The same work was started several times.
    case restarted
    /// A stream that delivers on one scheduler or thread delivered on another.
    case thread
    /// A property was read before a write that was on its way.
    case early
    /// Of several inputs some have no answer.
    case partial
    /// One cause made a join deliver twice, the first time with old and new values mixed.
    case glitch
    /// A later cause arrived before an earlier one.
    case overtaken
    /// Threads read a property and then set it, and lost changes that others made in between.
    case race
    /// A failure was handled where no observer sees it.
    case handled
    /// A thread waits, or works, and does not go on.
    case hang
    /// A producer was made, and never started.
    case unstarted
    /// A property that is set for the time of a run was not set back when the run was given up.
    case unreset
  }

  /// What to ask next, to see more of a finding.
  public enum Question: Sendable, Hashable {
    /// `why` of an event.
    case why(EventName)
    /// `why-silent` of a stream.
    case whySilent(UInt32)
    /// `backtrace` of an event.
    case backtrace(EventName)
    /// `replay` around an event.
    case around(EventName)
    /// `latency`.
    case latency
    /// `streams --open`.
    case open
    /// `postmortem`.
    case postmortem
    /// `tasks`.
    case tasks
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
  /// The finding in a sentence; nil for kinds that are worded where they are shown.
  public var sentence: FindingSentence?
  /// The line of the program to look at; nil for kinds whose place is that of their stream.
  public var place: FindingPlace?
  /// What to ask next; nil for kinds with a question of their own.
  public var question: Question?
  /// How sure it is that this is the cause of what a user sees, from 0 to 100. The surest is shown
  /// first.
  public var weight = 50

  init(_ kind: Kind) { self.kind = kind }

  /// Creates a finding that is worded by its rule.
  init(
    _ kind: Kind, weight: Int, place: FindingPlace?, _ sentence: FindingSentence,
    stream: UInt32? = nil, evidence: [EventName] = [], question: Question? = nil
  ) {
    self.init(kind)
    self.weight = weight
    self.place = place
    self.sentence = sentence
    self.stream = stream
    self.evidence = evidence
    self.question = question ?? evidence.first.map { .why($0) }
  }
}
