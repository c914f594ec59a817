/// The kind of a stream, as its operator or source declares it; analyses rely on it rather than on
/// names.
///
/// The bits are part of the file format (`Docs/Format.md`) and are never reused. A stream without
/// any of them is cold, has one input, and forwards what it receives.
public struct StreamTraits: OptionSet, Sendable, Hashable {
  /// The bits, as a file holds them.
  public let rawValue: UInt32

  /// Creates traits from a file's bits; unknown bits are kept.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The work goes on whether or not there are observers: a signal, the input of a pipe, a
  /// property. Every other stream is cold and does nothing until it is started.
  public static let hot = StreamTraits(rawValue: 1 << 0)
  /// Several inputs become one stream (`merge`, `combineLatest`, `zip`, `sample`).
  public static let joins = StreamTraits(rawValue: 1 << 1)
  /// Nothing is delivered until each input has delivered (`combineLatest`, `zip`, `sample`,
  /// `skip(until:)`).
  public static let needsAllInputs = StreamTraits(rawValue: 1 << 2)
  /// Each value of the input becomes an inner stream, and these are joined into one (`flatMap`,
  /// `flatten`).
  public static let makesStreams = StreamTraits(rawValue: 1 << 3)
  /// Inner streams run concurrently, so an older one may answer after a newer one (`.merge`,
  /// `.concurrent`).
  public static let runsSideBySide = StreamTraits(rawValue: 1 << 4)
  /// A new inner stream, or a newer value, replaces the one before it (`.latest`, `debounce`,
  /// `throttle`).
  public static let replaces = StreamTraits(rawValue: 1 << 5)
  /// Values are delivered as work of a scheduler (`observe(on:)`, `delay`, `debounce`).
  public static let hops = StreamTraits(rawValue: 1 << 6)
  /// The input is started as work of a scheduler (`start(on:)`).
  public static let startsElsewhere = StreamTraits(rawValue: 1 << 7)
  /// Values are held, to be delivered later or together (`zip`, `delay`, `collect`).
  public static let holds = StreamTraits(rawValue: 1 << 8)
  /// Past values are delivered to late observers (a property, a replay subject).
  public static let replays = StreamTraits(rawValue: 1 << 9)
  /// It may complete before its input does (`take(first:)`, `take(until:)`, `timeout`).
  public static let endsEarly = StreamTraits(rawValue: 1 << 10)
  /// Values of the input may go no further (`filter`, `skipRepeats`, `sample`).
  public static let swallows = StreamTraits(rawValue: 1 << 11)
  /// A failure of the input does not always fail the stream (`retry`, `flatMapError`).
  public static let handlesFailure = StreamTraits(rawValue: 1 << 12)
  /// The input is started again after it has ended (`repeat`, `retry`).
  public static let restarts = StreamTraits(rawValue: 1 << 13)
  /// It stands for a signal or a property that a producer observes, and may have no events of its
  /// own.
  public static let standsIn = StreamTraits(rawValue: 1 << 14)
  /// It is its input under another name (`named(_:)`).
  public static let renames = StreamTraits(rawValue: 1 << 15)
  /// User code runs when it is started or when events pass (`on`, a start handler).
  public static let hasEffects = StreamTraits(rawValue: 1 << 16)
  /// Each value of the input becomes part of what is delivered, so that none replaces another
  /// (`scan`, `collect`, `reduce`).
  public static let gathers = StreamTraits(rawValue: 1 << 17)
  /// It delivers the outcomes of proposals to a validating property, accepted or not.
  public static let validates = StreamTraits(rawValue: 1 << 18)
  /// Values are delivered no more often than so often, however many come: what is delivered is a
  /// sample of them (`throttle`).
  public static let samples = StreamTraits(rawValue: 1 << 19)
  /// Its failure is thrown to the code that awaits it, which may catch it (a traced sequence, a span).
  public static let throwsFailure = StreamTraits(rawValue: 1 << 20)
}
