/// What kind of stream it is, as its operator or source says: what analyses go by, rather than by
/// names.
///
/// The bits are part of the file format (`Docs/Format.md`): they are never reused. A stream without
/// any of them is cold, has one input, and forwards what it gets.
public struct StreamTraits: OptionSet, Sendable, Hashable {
  /// The bits, as a file holds them.
  public let rawValue: UInt32

  /// Creates traits from a file's bits; those that are not known are kept.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The work goes on whether or not anybody observes: a signal, the input of a pipe, a property.
  /// Everything else is cold and does nothing until it is started.
  public static let hot = StreamTraits(rawValue: 1 << 0)
  /// Several inputs become one stream (`merge`, `combineLatest`, `zip`, `sample`).
  public static let joins = StreamTraits(rawValue: 1 << 1)
  /// Nothing is delivered before each input has delivered (`combineLatest`, `zip`, `sample`,
  /// `skip(until:)`).
  public static let needsAllInputs = StreamTraits(rawValue: 1 << 2)
  /// Each value of the input becomes a stream of its own, and these become one (`flatMap`,
  /// `flatten`).
  public static let makesStreams = StreamTraits(rawValue: 1 << 3)
  /// Inner streams run side by side, so that an older one may answer after a newer one (`.merge`,
  /// `.concurrent`).
  public static let runsSideBySide = StreamTraits(rawValue: 1 << 4)
  /// A new inner stream, or a newer value, takes the place of the one before it (`.latest`,
  /// `debounce`, `throttle`).
  public static let replaces = StreamTraits(rawValue: 1 << 5)
  /// Values are delivered as work of a scheduler (`observe(on:)`, `delay`, `debounce`).
  public static let hops = StreamTraits(rawValue: 1 << 6)
  /// The input is started as work of a scheduler (`start(on:)`).
  public static let startsElsewhere = StreamTraits(rawValue: 1 << 7)
  /// Values are put aside, to be delivered later or together (`zip`, `delay`, `collect`).
  public static let holds = StreamTraits(rawValue: 1 << 8)
  /// Values of the past are delivered to whoever comes later (a property, a replay subject).
  public static let replays = StreamTraits(rawValue: 1 << 9)
  /// It may complete before its input does (`take(first:)`, `take(until:)`, `timeout`).
  public static let endsEarly = StreamTraits(rawValue: 1 << 10)
  /// Values of the input may go no further (`filter`, `skipRepeats`, `sample`).
  public static let swallows = StreamTraits(rawValue: 1 << 11)
  /// A failure of the input need not be one of the stream (`retry`, `flatMapError`).
  public static let handlesFailure = StreamTraits(rawValue: 1 << 12)
  /// The input is started again after it has ended (`repeat`, `retry`).
  public static let restarts = StreamTraits(rawValue: 1 << 13)
  /// It stands for a signal or a property that a producer observes, and need not have events of its
  /// own.
  public static let standsIn = StreamTraits(rawValue: 1 << 14)
  /// It is its input under another name (`named(_:)`).
  public static let renames = StreamTraits(rawValue: 1 << 15)
  /// Work of the user's own is done when it is started or passed (`on`, a start handler).
  public static let hasEffects = StreamTraits(rawValue: 1 << 16)
}
