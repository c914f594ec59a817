/// The events of one block, by column, in the order in which their thread wrote them.
///
/// A reader reuses the columns, so that reading allocates nothing per event and a filter decodes
/// only what it needs. Every requested column has `count` elements.
public struct EventColumns: Sendable {
  /// The number of events.
  public var count = 0
  /// The thread incarnation that wrote them.
  public var ring: UInt32 = 0
  /// The number of the first event in its ring; the others follow without a gap.
  public var firstSequence: UInt64 = 0
  /// The times at which the events happened.
  public var ticks: [UInt64] = []
  /// The kinds of the events (`RecordKind.rawValue`; a newer recorder may write unknown kinds).
  public var kinds: [UInt8] = []
  /// The stream that each event belongs to, or the scheduler for hops.
  public var streams: [UInt32] = []
  /// The subscription that feeds the stream, or the hop's ID.
  public var subscriptions: [UInt64] = []
  /// The cause, as a number of events back in the same ring; 0 for none, `UInt32.max` for those in
  /// `farCauses`.
  public var backs: [UInt32] = []
  /// The encoding of each payload (`PayloadKind.rawValue`).
  public var payloadKinds: [UInt8] = []
  /// Payloads of one word: the bits of the integer, floating-point number, or Boolean. For text and
  /// bytes, the length of the value before it was cut.
  public var words: [UInt64] = []
  /// The start of each event's text or bytes in `heap`; one more element than events, so that event
  /// `i` has `heap[textStarts[i]..<textStarts[i + 1]]`.
  public var textStarts: [UInt32] = []
  /// The text and bytes of all events, one after the other.
  public var heap: [UInt8] = []
  /// Causes in other rings or far back, by the event's index in this block, in the recorder's
  /// order. Empty for nearly all blocks.
  public var farCauses: [(index: Int, cause: EventName)] = []

  /// Creates columns without events.
  public init() {}

  /// Returns the name of the event at an index.
  public func name(_ index: Int) -> EventName {
    EventName(ring: ring, sequence: firstSequence + UInt64(index))
  }
}

/// A selection of columns: the others are not inflated.
public struct ColumnSet: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt16

  /// Creates a set from its bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// `ticks`.
  public static let ticks = ColumnSet(rawValue: 1 << 0)
  /// `kinds`.
  public static let kinds = ColumnSet(rawValue: 1 << 1)
  /// `streams`.
  public static let streams = ColumnSet(rawValue: 1 << 2)
  /// `subscriptions`.
  public static let subscriptions = ColumnSet(rawValue: 1 << 3)
  /// `backs` and `farCauses`.
  public static let causes = ColumnSet(rawValue: 1 << 4)
  /// `payloadKinds`, `words`, `textStarts` and `heap`.
  public static let payloads = ColumnSet(rawValue: 1 << 5)
  /// `payloadKinds`, and `words` except those of text and bytes, whose words are arbitrary.
  public static let words = ColumnSet(rawValue: 1 << 6)
  /// Every column.
  public static let all: ColumnSet = [.ticks, .kinds, .streams, .subscriptions, .causes, .payloads]
}
