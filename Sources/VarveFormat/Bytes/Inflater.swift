internal import CZlib

/// An unpacker of raw deflate streams with a known unpacked size, one after the other with the same
/// state.
final class Inflater {
  // zlib keeps a pointer to the stream, which must not move.
  private let stream: UnsafeMutablePointer<z_stream>

  init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let outcome = inflateInit2_(
      stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(outcome == Z_OK, "zlib has no memory")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Fills `out` completely; returns false if `packed` is damaged or contains more or less than
  /// that.
  func inflate(_ packed: UnsafeRawBufferPointer, into out: UnsafeMutableRawBufferPointer) -> Bool {
    guard let target = out.baseAddress, let source = packed.baseAddress else { return false }
    inflateReset(stream)
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: source.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(packed.count)
    stream.pointee.next_out = target.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(out.count)
    let outcome = CZlib.inflate(stream, Z_FINISH)
    return outcome == Z_STREAM_END && stream.pointee.avail_out == 0
      && stream.pointee.avail_in == 0
  }
}
