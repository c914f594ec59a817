public import VarveFormat

/// Where a query finds events: a trace's reader, or a few columns in memory.
public protocol EventSource {
  /// Where the events are, block after block.
  var blocks: [BlockSummary] { get }

  /// Decodes the columns asked for of block `index`; the other columns are left as they are.
  func decode(_ index: Int, into columns: inout EventColumns, columns wanted: ColumnSet)
    throws(TraceFileError)

  /// What streams, schedulers and threads are called.
  var definitions: TraceDefinitions { get }

  /// Turns ticks into time.
  var time: TraceTime { get }

  /// The block that holds an event; nil when none does.
  func block(of event: EventName) -> Int?

  /// When the recording began, in nanoseconds since 1970, UTC.
  var started: UInt64 { get }

  /// The id of the process that was recorded: it tells the main thread from others.
  var pid: UInt32 { get }

  /// How many bytes the events and the rest are stored in.
  var bytes: UInt64 { get }
}

extension EventSource {
  /// Looks at all blocks' headers.
  public func block(of event: EventName) -> Int? {
    blocks.firstIndex { $0.index(of: event) != nil }
  }

  /// Unknown.
  public var pid: UInt32 { 0 }

  /// Unknown.
  public var bytes: UInt64 { 0 }
}
