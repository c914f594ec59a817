/// Decodes the blocks of a file, one at a time. It keeps the block that it has read last, so that
/// asking for further columns of it costs no second reading.
final class BlockDecoder {
  private let source: BlockSource
  private let events = EventDecoder()
  /// The offset of the block at hand.
  private(set) var offset: UInt64?

  init(_ file: TraceFile, seed: UInt32) { source = BlockSource(file, seed: seed) }

  /// Reads and checks a block.
  func read(_ summary: BlockSummary, at place: UInt64) throws(TraceFileError) {
    offset = nil
    let (header, bytes) = try source.block(at: place, bytes: Int(summary.storedBytes))
    guard header.codec == BlockCodec.columns else {
      throw TraceFileError(
        .newerVersion, "a later version of Varve packed the block; update varve", offset: place)
    }
    guard let found = EventBlockHeader.summary(bytes, header, offset: place),
      found.count == summary.count, found.name(0) == summary.name(0)
    else {
      throw TraceFileError(.damaged, "the block is not the one that is listed", offset: place)
    }
    let payload = UnsafeRawBufferPointer(rebasing: bytes[header.headerBytes...])
    do throws(MalformedBytes) {
      try events.begin(payload, summary: found, rawBytes: header.rawBytes)
    } catch {
      throw .malformed(place)
    }
    offset = place
  }

  /// Fills the columns asked for from the block at hand.
  func decode(_ wanted: ColumnSet, into columns: inout EventColumns) throws(TraceFileError) {
    do throws(MalformedBytes) {
      try events.decode(wanted, into: &columns)
    } catch {
      throw .malformed(offset)
    }
  }
}

extension TraceFileError {
  fileprivate static func malformed(_ offset: UInt64?) -> TraceFileError {
    TraceFileError(.damaged, "the block's columns contradict each other", offset: offset)
  }
}
