internal import VarveProbe

/// Writes a trace file: a header, blocks as they come, an index and a trailer at the end.
///
/// Every append is one block and one `write`; when it returns, the block is in the file as far as
/// this process can do anything about it. When it throws, nothing of the block counts: the file is
/// as before, and the same append may be tried again.
///
/// A writer belongs to one thread at a time. It keeps its buffers: after the first blocks it
/// allocates nothing per event.
public final class TraceWriter {
  /// What the file's header says.
  public let header: TraceHeader
  /// Events written so far.
  public private(set) var events: UInt64 = 0
  /// Bytes written so far.
  public private(set) var bytes: UInt64 = 0

  /// Creates a file at `path`, or empties the one that is there, and writes the header.
  public init(creating path: String, header: TraceHeader) throws(TraceFileError) {
    throw TraceFileError(.wrongUse, "not built yet")
  }

  /// Writes the header to an open, empty file. The writer closes `descriptor` when it goes away.
  public init(descriptor: Int32, header: TraceHeader) throws(TraceFileError) {
    throw TraceFileError(.wrongUse, "not built yet")
  }

  /// Writes records, whole and one after the other as they lie in a ring, as one block of columns;
  /// as several if there are very many.
  ///
  /// - Parameters:
  ///   - records: the records.
  ///   - ring: the ring's id.
  ///   - firstSequence: the number of the first of them in its ring, from 1.
  public func append(records: UnsafeRawBufferPointer, ring: UInt32, firstSequence: UInt64)
    throws(TraceFileError)
  {}

  /// Writes definitions. They must be in the file before the block whose records refer to them.
  public func append(definitions: [TraceDefinition]) throws(TraceFileError) {}

  /// Writes definitions as `DefinitionCodec` has encoded them, one after the other.
  public func append(definitionLog: UnsafeRawBufferPointer) throws(TraceFileError) {}

  /// Writes that events are missing.
  public func append(losses: [TraceLoss]) throws(TraceFileError) {}

  /// Writes what the monotonic clock showed at some tick.
  public func append(anchor: ClockAnchor) throws(TraceFileError) {}

  /// Writes the index and the trailer. Nothing may be appended afterwards.
  public func finish(ending: TraceEnding) throws(TraceFileError) {}
}
