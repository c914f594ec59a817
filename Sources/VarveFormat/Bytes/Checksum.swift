internal import CZlib

/// CRC-32 as zlib, PNG and gzip compute it. `seed` is the checksum of what went before.
@inline(__always)
func checksum(_ bytes: UnsafeRawBufferPointer, seed: UInt32 = 0) -> UInt32 {
  guard let base = bytes.baseAddress else { return seed }
  return UInt32(
    truncatingIfNeeded: crc32_z(
      UInt(seed), base.assumingMemoryBound(to: UInt8.self), bytes.count))
}
