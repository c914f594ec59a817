/// Which streams a recorder wants to hear of, and how much of each. Names are those that people see:
/// what is derived from `login` is called `login.map(_:)`, and so matches `login*`.
public struct StreamSelection: Sendable, Hashable {
  /// One value in so many of some streams is recorded. How many were left out before it is recorded
  /// with it, and how many were left out last when recording or the stream ends: who is killed
  /// before leaves up to `oneIn` - 1 values of each stream uncounted.
  public struct Sampling: Sendable, Hashable {
    /// Which streams.
    public var streams: NameGlob
    /// One in so many; 1 for all.
    public var oneIn: Int

    /// Creates a rule.
    public init(_ streams: NameGlob, oneIn: Int) {
      self.streams = streams
      self.oneIn = oneIn
    }
  }

  /// What is recorded of the values of some streams.
  public struct Detail: Sendable, Hashable {
    /// Which streams.
    public var streams: NameGlob
    /// How much.
    public var values: ValueDetail

    /// Creates a rule.
    public init(_ streams: NameGlob, _ values: ValueDetail) {
      self.streams = streams
      self.values = values
    }
  }

  /// Only streams with one of these names are recorded; all, if there are none.
  public var included: [NameGlob] = []
  /// Streams with one of these names are not recorded.
  public var excluded: [NameGlob] = []
  /// Streams of which some values are recorded; of several rules the first that matches counts.
  public var samplings: [Sampling] = []
  /// Streams whose values are recorded otherwise than the recorder's others; of several rules that
  /// match the one that records least counts.
  public var details: [Detail] = []

  /// Everything.
  public init() {}

  /// What is wanted of a stream with this name.
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

/// What is recorded of values.
public enum ValueDetail: UInt8, Sendable, Hashable, CaseIterable, Comparable {
  /// Numbers, texts and what has a compact form as they are; other values by a description.
  case described = 0
  /// Numbers, texts and what has a compact form as they are; of other values their types.
  case typesOfOthers = 1
  /// Of all values their types.
  case types = 2
  /// Nothing.
  case withheld = 3

  /// Whether one records more than another.
  public static func < (one: ValueDetail, other: ValueDetail) -> Bool {
    one.rawValue < other.rawValue
  }

  /// The same as a part of a wish.
  public var wish: Wish {
    switch self {
    case .described: []
    case .typesOfOthers: .typesOnly
    case .types: [.typesOnly, .withholdValues]
    case .withheld: .withholdValues
    }
  }
}

/// What a recorder wants of one stream, in one word.
public struct StreamVerdict: Sendable, Hashable {
  /// The lowest bit: whether the stream is recorded; the next three: 1 + the detail of its values, or
  /// 0 for the recorder's; the others: one value in so many.
  public let rawValue: UInt32

  /// Creates a verdict from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A verdict on a stream that is recorded.
  public init(oneIn: Int, detail: ValueDetail?) {
    let period = UInt32(clamping: min(max(oneIn, 1), 1 << 24))
    rawValue = 1 | UInt32(detail.map { $0.rawValue + 1 } ?? 0) << 1 | period << 4
  }

  /// The stream is not recorded.
  public static let unwanted = StreamVerdict(rawValue: 0)
  /// The stream is recorded as all are.
  public static let whole = StreamVerdict(oneIn: 1, detail: nil)

  /// Whether the stream is recorded.
  public var isWanted: Bool { rawValue & 1 != 0 }
  /// One value in so many is recorded.
  public var oneIn: UInt32 { rawValue >> 4 }

  /// What is wanted of the stream, where `wish` is what is wanted of all.
  public func wish(within wish: Wish) -> Wish {
    guard let detail = ValueDetail(rawValue: UInt8(rawValue >> 1 & 7) &- 1) else { return wish }
    return wish.subtracting([.typesOnly, .withholdValues]).union(detail.wish)
  }
}
