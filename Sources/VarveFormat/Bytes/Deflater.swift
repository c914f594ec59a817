internal import CZlib

/// A packer of bytes into raw deflate streams, one after the other with the same state.
final class Deflater {
  /// The effort to look for repetition. Any inflater reads all strategies.
  enum Strategy {
    /// Repeats are looked for, at zlib's first level.
    case repeats
    /// Only runs of one byte are looked for.
    case runs
    /// Only the frequencies of bytes are used.
    case frequencies

    fileprivate var zlib: Int32 {
      switch self {
      case .repeats: Z_DEFAULT_STRATEGY
      case .runs: Z_RLE
      case .frequencies: Z_HUFFMAN_ONLY
      }
    }
  }

  // zlib keeps a pointer to the stream, which must not move.
  private let stream: UnsafeMutablePointer<z_stream>

  init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let outcome = deflateInit2_(
      stream, 1, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(outcome == Z_OK, "zlib has no memory")
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Appends `bytes`, packed; returns the packed size.
  func append(_ bytes: UnsafeRawBufferPointer, to out: BlockBuffer, _ strategy: Strategy) -> Int {
    deflateReset(stream)
    deflateParams(stream, 1, strategy.zlib)
    let most = Int(deflateBound(stream, UInt(bytes.count)))
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(bytes.count)
    stream.pointee.next_out = out.room(for: most).assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(most)
    let outcome = deflate(stream, Z_FINISH)
    precondition(outcome == Z_STREAM_END, "zlib needs more room than its own bound")
    let taken = most - Int(stream.pointee.avail_out)
    out.advance(by: taken)
    return taken
  }
}
