public import VarveFormat

/// A source of events for queries: a trace's reader, or a few columns in memory.
public protocol EventSource {
  /// The blocks that hold the events.
  var blocks: [BlockSummary] { get }

  /// Decodes the requested columns of block `index` and leaves the other columns unchanged.
  func decode(_ index: Int, into columns: inout EventColumns, columns wanted: ColumnSet)
    throws(TraceFileError)

  /// Whether several threads may decode at once, each into columns of its own.
  var decodesConcurrently: Bool { get }

  /// The definitions of streams, schedulers and threads.
  var definitions: TraceDefinitions { get }

  /// The conversion from ticks to time.
  var time: TraceTime { get }

  /// Returns the index of the block that holds an event; nil when there is none.
  func block(of event: EventName) -> Int?

  /// When the recording began, in nanoseconds since 1970, UTC.
  var started: UInt64 { get }

  /// The ID of the recorded process, which identifies the main thread.
  var pid: UInt32 { get }

  /// The events that are missing, ordered by the start of the loss.
  var losses: [TraceLoss] { get }

  /// The size of the file or files that the events are stored in, in bytes.
  var bytes: UInt64 { get }
}

extension EventSource {
  /// Searches the headers of all blocks.
  public func block(of event: EventName) -> Int? {
    blocks.firstIndex { $0.index(of: event) != nil }
  }

  /// They may not.
  public var decodesConcurrently: Bool { false }

  /// 0: unknown.
  public var pid: UInt32 { 0 }

  /// None.
  public var losses: [TraceLoss] { [] }

  /// 0: unknown.
  public var bytes: UInt64 { 0 }
}
