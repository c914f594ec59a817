internal import VarveProbe

/// Reads a trace: one that was finished, one that is still being written, one whose writer died.
///
/// Opening reads the file's index, or the headers of its blocks when there is none, and the rings
/// of its sidecar. Events are read block by block, when asked for; memory does not grow with the
/// file. Several threads may decode at once.
public final class TraceReader: Sendable {
  /// The file's path.
  public let path: String
  /// What the file says of itself.
  public let header: TraceHeader
  /// How the recording ended.
  public let ending: TraceEnding
  /// Streams, schedulers and threads.
  public let definitions: TraceDefinitions
  /// Where the events are, in the order of event numbers: the file's blocks, then what still lies
  /// in the sidecar's rings (their `offset` is nil).
  public let blocks: [BlockSummary]
  /// Events that the recorder had to drop.
  public let losses: [TraceLoss]
  /// What of the file could not be read. Blocks are checked when they are decoded, so `verify()`
  /// may find more.
  public let damage: [TraceDamage]
  /// What else deserves to be said: a sidecar of another trace was ignored.
  public let warnings: [String]
  /// Pairs of ticks and time, by ticks.
  public let anchors: [ClockAnchor]
  /// The file's size, its sidecar not counted.
  public let bytes: UInt64

  /// Opens a trace.
  public init(path: String) throws(TraceFileError) {
    throw TraceFileError(.wrongUse, "not built yet")
  }

  /// How many events there are.
  public var events: UInt64 { 0 }

  /// Decodes the columns asked for of block `index`; the other columns are left as they are.
  /// `columns.count`, `ring`, `firstSequence` and `firstEvent` are always set.
  public func decode(_ index: Int, into columns: inout EventColumns, columns wanted: ColumnSet)
    throws(TraceFileError)
  {}

  /// How many blocks have been inflated, wholly or in part, since the trace was opened.
  public var inflatedBlocks: Int { 0 }

  /// Nanoseconds between the trace's start and a tick, which may lie before it.
  public func nanoseconds(sinceStart ticks: UInt64) -> Int64 { 0 }

  /// The number of the event that a reference names; nil when no block holds it.
  public func eventNumber(of reference: RecordReference) -> UInt64? { nil }

  /// Where the event with a number was recorded; nil when no block holds it.
  public func reference(ofEvent number: UInt64) -> RecordReference? { nil }

  /// The block that holds an event; nil when none does.
  public func block(ofEvent number: UInt64) -> Int? { nil }

  /// Reads every block and checks every checksum; returns all damage, what was known at opening
  /// included.
  public func verify() -> [TraceDamage] { [] }

  /// The same trace as it is now: what was appended since this reader was made is read, the rest
  /// is taken over.
  public func refreshed() throws(TraceFileError) -> TraceReader { self }
}
