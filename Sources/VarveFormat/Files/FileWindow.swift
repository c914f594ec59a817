internal import VarvePlatform

/// Looks at a file piece by piece: whoever walks from block to block reads a system call's worth at
/// a time, and passes over what he does not look at.
final class FileWindow {
  private static let bytes = 16 << 10

  private let file: TraceFile
  private let buffer = Scratch<UInt8>()
  private var start: UInt64 = 0
  private var count = 0

  init(_ file: TraceFile) { self.file = file }

  /// Bytes from `offset` on: `count` of them, or fewer where the file ends. They are valid until
  /// the next call.
  func bytes(at offset: UInt64, count wanted: Int) throws(TraceFileError)
    -> UnsafeRawBufferPointer
  {
    let isInside = offset >= start && offset - start <= UInt64(count)
    let skipped = isInside ? Int(offset - start) : 0
    if isInside && count - skipped >= wanted { return part(skipped, wanted) }
    let size = max(wanted, Self.bytes)
    let target = UnsafeMutableRawBufferPointer(start: buffer.reserve(size), count: size)
    start = offset
    count = 0
    count = try file.read(into: target, at: offset)
    return part(0, min(wanted, count))
  }

  private func part(_ from: Int, _ length: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: buffer.base + from, count: length)
  }

  /// The first block header from `offset` on whose checksum holds, before `end`; nil when there is
  /// none.
  func findBlock(from offset: UInt64, before end: UInt64, seed: UInt32)
    throws(TraceFileError) -> UInt64?
  {
    var position = offset
    while position < end {
      let bytes = try bytes(at: position, count: Self.bytes)
      guard bytes.count >= BlockHeader.leastBytes else { return nil }
      if let found = firstHeader(in: bytes, seed: seed) {
        let place = position + UInt64(found)
        return place < end ? place : nil
      }
      // A header that lies across the end of this piece is looked at again.
      guard bytes.count == Self.bytes else { return nil }
      position += UInt64(bytes.count - TraceLimits.blockHeaderBytes)
    }
    return nil
  }

  private func firstHeader(in bytes: UnsafeRawBufferPointer, seed: UInt32) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var offset = 0
    while let hit = memchr(base + offset, Int32(BlockHeader.magicBytes[0]), bytes.count - offset) {
      offset = UnsafeRawPointer(hit) - base
      let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      if BlockHeader(rest, seed: seed) != nil { return offset }
      offset += 1
      guard offset < bytes.count else { return nil }
    }
    return nil
  }
}
