/// The events of one block, column by column, in the order in which their thread wrote them.
///
/// A reader fills the same columns again and again, so that reading allocates nothing per event and
/// a filter touches only what it asks for. All columns that were asked for have `count` elements.
public struct EventColumns: Sendable {
  /// How many events.
  public var count = 0
  /// The thread incarnation that wrote them.
  public var ring: UInt32 = 0
  /// Number of the first in its ring; the others follow without a gap.
  public var firstSequence: UInt64 = 0
  /// When each happened.
  public var ticks: [UInt64] = []
  /// What each tells (`RecordKind.rawValue`; a newer recorder may write kinds unknown here).
  public var kinds: [UInt8] = []
  /// The stream that each is about, or the scheduler for hops.
  public var streams: [UInt32] = []
  /// The subscription that feeds the stream, or the hop's id.
  public var subscriptions: [UInt64] = []
  /// The cause: so many events back in the same ring; 0 none; `UInt32.max` see `farCauses`.
  public var backs: [UInt32] = []
  /// How each payload is written (`PayloadKind.rawValue`).
  public var payloadKinds: [UInt8] = []
  /// Payloads of one word: the bits of the integer, the floating-point number or the boolean. For
  /// text and bytes, the length that the value had before it was cut.
  public var words: [UInt64] = []
  /// Where each event's text or bytes begin in `heap`; one more element than events, so that event
  /// `i` has `heap[textStarts[i]..<textStarts[i + 1]]`.
  public var textStarts: [UInt32] = []
  /// Text and bytes of all events, one after the other.
  public var heap: [UInt8] = []
  /// Causes in other rings or far back, by the event's index in this block; in the order in which
  /// the recorder named them. Empty for nearly all blocks.
  public var farCauses: [(index: Int, cause: EventName)] = []

  /// Columns without events.
  public init() {}

  /// What the event at an index is called.
  public func name(_ index: Int) -> EventName {
    EventName(ring: ring, sequence: firstSequence + UInt64(index))
  }
}

/// Which columns a caller needs: the others are not inflated.
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
  /// Every column.
  public static let all: ColumnSet = [.ticks, .kinds, .streams, .subscriptions, .causes, .payloads]
}
