/// A source of block payloads, checked and unpacked. What it returns is valid until the next call.
package final class BlockSource {
  private let file: TraceFile
  private let seed: UInt32
  private let stored = Scratch<UInt8>()
  private let raw = Scratch<UInt8>()
  private let inflater = Inflater()

  init(_ file: TraceFile, seed: UInt32) {
    self.file = file
    self.seed = seed
  }

  /// Creates a source for the blocks of a trace that is being read.
  package convenience init(_ reader: TraceReader) {
    self.init(reader.file, seed: reader.header.id.seed)
  }

  /// Returns a whole block, with header and payload as stored.
  func block(at offset: UInt64, bytes count: Int) throws(TraceFileError)
    -> (header: BlockHeader, bytes: UnsafeRawBufferPointer)
  {
    let target = UnsafeMutableRawBufferPointer(start: stored.reserve(count), count: count)
    let got = try file.read(into: target, at: offset)
    let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(target)[..<got])
    guard let header = BlockHeader(bytes, seed: seed), header.wholeBytes == count, got == count
    else {
      throw TraceFileError(.damaged, "the block's header is damaged", offset: offset)
    }
    let payload = UnsafeRawBufferPointer(rebasing: bytes[header.headerBytes...])
    guard header.accepts(payload, seed: seed) else {
      throw TraceFileError(.damaged, "the block contradicts its checksum", offset: offset)
    }
    return (header, bytes)
  }

  /// Returns the unpacked payload of a block other than an event block.
  func payload(_ header: BlockHeader, at offset: UInt64) throws(TraceFileError)
    -> UnsafeRawBufferPointer
  {
    let (found, bytes) = try block(at: offset, bytes: header.wholeBytes)
    let payload = UnsafeRawBufferPointer(rebasing: bytes[found.headerBytes...])
    switch found.codec {
    case BlockCodec.stored: return payload
    case BlockCodec.deflated where header.kind == BlockKind.losses,
      BlockCodec.deflated where header.kind == BlockKind.anchors:
      // Otherwise a file could list far more than it has bytes for.
      throw TraceFileError(
        .damaged, "the block is deflated, and such blocks are stored as they are", offset: offset)
    case BlockCodec.deflated: return try unpack(payload, found, at: offset)
    default:
      throw TraceFileError(
        .newerVersion, "a later version of Varve packed the block; update varve", offset: offset)
    }
  }

  private func unpack(
    _ payload: UnsafeRawBufferPointer, _ header: BlockHeader, at offset: UInt64
  ) throws(TraceFileError) -> UnsafeRawBufferPointer {
    guard header.rawBytes <= payload.count * TraceLimits.unpackingRatio else {
      throw TraceFileError(.damaged, "the block claims to be larger than it can be", offset: offset)
    }
    let target = UnsafeMutableRawBufferPointer(
      start: raw.reserve(header.rawBytes), count: header.rawBytes)
    guard inflater.inflate(payload, into: target) else {
      throw TraceFileError(.damaged, "the block cannot be unpacked", offset: offset)
    }
    return UnsafeRawBufferPointer(target)
  }
}
