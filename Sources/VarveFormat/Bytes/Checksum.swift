internal import CZlib

/// Returns the CRC-32 that zlib, PNG, and gzip compute. `seed` is the checksum of preceding bytes.
@inline(__always)
func checksum(_ bytes: UnsafeRawBufferPointer, seed: UInt32 = 0) -> UInt32 {
  guard let base = bytes.baseAddress else { return seed }
  return UInt32(
    truncatingIfNeeded: crc32_z(
      UInt(seed), base.assumingMemoryBound(to: UInt8.self), bytes.count))
}
