public import VarveFormat
public import VarveProbe

/// A place on the way to a stream at which values stopped.
public struct Stop: Sendable {
  /// How values stopped.
  public enum Reason: Sendable, Hashable {
    /// It swallowed them.
    case swallowed(AbsorptionReason)
    /// It swallowed values as repeated that differ from those that it let pass before them.
    case confused
    /// It ended, although its inputs had not.
    case ended
    /// It is a source, and it ended.
    case sourceEnded
    /// Its observation of its input was disposed of.
    case disposed
    /// The last observation of it was disposed of, and what came afterwards found no observer.
    case abandoned
    /// It failed, and the failure reached an observer outside all streams.
    case failed
    /// One of its inner streams failed, and with it, it ended for good, although its input went on.
    case endedByInner
    /// Its input failed, and it did not: it handled the failure.
    case handledFailure
    /// It started its input again after each end or failure.
    case restarted
    /// Its input took too long, and it failed.
    case timedOut
    /// It gave up inner streams for newer ones after a part of their values.
    case cutOff
    /// It gave up inner streams for newer ones before they had answered.
    case gaveUp
    /// Values came before it was observed for the first time.
    case unobserved
    /// Late observers received only some of the values that had come before.
    case replayedFewer
    /// It waited for a first value of one of its inputs (by position) while others had sent.
    case waited(input: Int)
    /// Work that would deliver values is still queued on a scheduler.
    case queued(scheduler: UInt32)
    /// It is a producer that was made and never started.
    case neverStarted
    /// It is a source to which nothing was sent.
    case sourceSilent
    /// It is a property that did not change, and its changes alone are observed.
    case unchanged
    /// It is the newest run of something that earlier runs of which fed the stream; it has sent
    /// nothing and has not ended.
    case stuck
    /// Another reason why a stream is silent.
    case silent(Silence.Reason)
  }

  /// The stream; if there are several similar ones, the newest.
  public var stream: UInt32
  /// The number of similar streams that it stands for.
  public var streams = 1
  /// How values stopped.
  public var reason: Reason
  /// The number of values, failures, runs or producers that it stopped.
  public var stopped: UInt64 = 0
  /// The number of which these are a part; 0 if that does not apply.
  public var received: UInt64 = 0
  /// The number of values stopped after the asked stream's last value.
  public var since: UInt64 = 0
  /// The number of values that came upstream after it.
  public var more: UInt64 = 0
  /// Whether there may have been more values than counted in `more`.
  public var hasMore = false
  /// The event at which values stopped, if it is a single one.
  public var moment: EventMoment?
  /// The last few values or failures that it stopped.
  public var examples: [EventName] = []
  /// For values taken for repeated ones, the values that they were compared with.
  public var kept: [EventName] = []
  /// The stream that receives this one's values on the way to the asked one; nil for that one. Its line
  /// tells more if this one has none of its own, as the parts of an action do not.
  public var below: UInt32?
  /// The stream whose own end ended it, or whose value made it let go of its first input, if that is
  /// not its first input: a trigger, or a replacement.
  public var trigger: UInt32?
  /// The operator that waited for the first change of a property that had a value; nil if none did.
  public var waiting: UInt32?
  /// The stack of the code responsible, if it is not the stream's own place.
  public var author: UInt32?
  /// The stack of the code from which the other side of an order of events came.
  public var otherAuthor: UInt32?
  /// The way out of the code that it runs on which it does not end, if the source shows a single one.
  public var exit: Place?
  /// When it began to be observed, for an end soon afterwards.
  public var began: EventMoment?
  /// The number of streams between it and the asked stream.
  public var distance = 0
  /// How telling it is, from 0 to 100.
  public var weight = 0

  init(_ stream: UInt32, _ reason: Reason) {
    self.stream = stream
    self.reason = reason
  }
}
