/// The streams that a recorder wants to record, and how much of each. Patterns match displayed
/// names: a stream derived from `login` is called `login.map(_:)` and so matches `login*`.
public struct StreamSelection: Sendable, Hashable {
  /// A rule that records one in so many values of some streams. Each recorded value carries the
  /// number left out before it, and the last such number is recorded when the recording or the
  /// stream ends: a process killed before that leaves up to `oneIn` - 1 values of each stream
  /// uncounted.
  public struct Sampling: Sendable, Hashable {
    /// The streams that the rule applies to.
    public var streams: NameGlob
    /// The sampling period: one value in so many is recorded; 1 records all.
    public var oneIn: Int

    /// Creates a rule.
    public init(_ streams: NameGlob, oneIn: Int) {
      self.streams = streams
      self.oneIn = oneIn
    }
  }

  /// A rule that sets how much is recorded of some streams' values.
  public struct Detail: Sendable, Hashable {
    /// The streams that the rule applies to.
    public var streams: NameGlob
    /// The detail in which values are recorded.
    public var values: ValueDetail

    /// Creates a rule.
    public init(_ streams: NameGlob, _ values: ValueDetail) {
      self.streams = streams
      self.values = values
    }
  }

  /// The only streams to record; all, if empty.
  public var included: [NameGlob] = []
  /// Streams that are not recorded.
  public var excluded: [NameGlob] = []
  /// Streams that are sampled; the first matching rule applies.
  public var samplings: [Sampling] = []
  /// Streams whose values are recorded in a detail other than the recorder's; of several matching
  /// rules, the one that records least applies.
  public var details: [Detail] = []

  /// Creates a selection of everything.
  public init() {}

  /// Returns what to record of a stream with this name.
  public func verdict(on name: String) -> StreamVerdict {
    let isWanted =
      (included.isEmpty || included.contains { $0.matches(name) })
      && !excluded.contains { $0.matches(name) }
    guard isWanted else { return .unwanted }
    let sampling = samplings.first { $0.streams.matches(name) }
    let detail = details.filter { $0.streams.matches(name) }.map(\.values).max()
    return StreamVerdict(oneIn: sampling?.oneIn ?? 1, detail: detail)
  }
}

/// The detail in which values are recorded.
public enum ValueDetail: UInt8, Sendable, Hashable, CaseIterable, Comparable {
  /// Numbers, text, and types with a compact form as they are; other values as a description.
  case described = 0
  /// Numbers, text, and types with a compact form as they are; only the type of other values.
  case typesOfOthers = 1
  /// Only the type of every value.
  case types = 2
  /// Nothing.
  case withheld = 3

  /// Returns whether one detail records more than another.
  public static func < (one: ValueDetail, other: ValueDetail) -> Bool {
    one.rawValue < other.rawValue
  }

  /// The equivalent part of a wish.
  public var wish: Wish {
    switch self {
    case .described: []
    case .typesOfOthers: .typesOnly
    case .types: [.typesOnly, .withholdValues]
    case .withheld: .withholdValues
    }
  }
}

/// What a recorder wants of one stream, packed into one word.
public struct StreamVerdict: Sendable, Hashable {
  /// The bits. The lowest: whether the stream is recorded; the next three: 1 + the detail of its
  /// values, or 0 for the recorder's; the rest: the sampling period.
  public let rawValue: UInt32

  /// Creates a verdict from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Creates a verdict for a recorded stream.
  public init(oneIn: Int, detail: ValueDetail?) {
    let period = UInt32(clamping: min(max(oneIn, 1), 1 << 24))
    rawValue = 1 | UInt32(detail.map { $0.rawValue + 1 } ?? 0) << 1 | period << 4
  }

  /// The verdict for a stream that is not recorded.
  public static let unwanted = StreamVerdict(rawValue: 0)
  /// The verdict for a stream that is recorded as the recorder's wish says.
  public static let whole = StreamVerdict(oneIn: 1, detail: nil)

  /// Whether the stream is recorded.
  public var isWanted: Bool { rawValue & 1 != 0 }
  /// The sampling period: one value in so many is recorded.
  public var oneIn: UInt32 { rawValue >> 4 }

  /// Returns what to record of the stream, where `wish` applies to all streams.
  public func wish(within wish: Wish) -> Wish {
    guard let detail = ValueDetail(rawValue: UInt8(rawValue >> 1 & 7) &- 1) else { return wish }
    return wish.subtracting([.typesOnly, .withholdValues]).union(detail.wish)
  }
}
