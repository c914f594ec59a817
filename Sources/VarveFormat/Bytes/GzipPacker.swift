internal import CZlib

/// A packer of bytes into files of gzip, as other programs' formats contain them.
package final class GzipPacker {
  // zlib keeps a pointer to the stream, which must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  /// The largest window, and gzip's frame.
  private static let window: Int32 = 15 + 16

  /// Creates a packer.
  package init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let outcome = deflateInit2_(
      stream, 1, Z_DEFLATED, Self.window, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(outcome == Z_OK, "zlib has no memory")
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Returns `bytes`, packed.
  package func packed(_ bytes: [UInt8]) -> [UInt8] {
    deflateReset(stream)
    return bytes.withUnsafeBufferPointer { bytes in
      let most = Int(deflateBound(stream, UInt(bytes.count)))
      return [UInt8](unsafeUninitializedCapacity: most) { out, count in
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        stream.pointee.avail_in = UInt32(bytes.count)
        stream.pointee.next_out = out.baseAddress
        stream.pointee.avail_out = UInt32(most)
        let outcome = deflate(stream, Z_FINISH)
        precondition(outcome == Z_STREAM_END, "zlib needs more room than its own bound")
        count = most - Int(stream.pointee.avail_out)
      }
    }
  }
}
