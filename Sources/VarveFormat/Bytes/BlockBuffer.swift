/// A growing, reusable buffer of raw bytes. A block is assembled in one, so that it takes one
/// `write`, and no allocation once the buffer has its size.
final class BlockBuffer {
  private(set) var base: UnsafeMutableRawPointer
  private(set) var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = capacity
    base = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { base.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  func removeAll() { count = 0 }

  /// Makes room for `extra` more bytes and returns their address. `advance(by:)` keeps them.
  @inline(__always)
  func room(for extra: Int) -> UnsafeMutableRawPointer {
    if count &+ extra > capacity { grow(to: count + extra) }
    return base + count
  }

  @inline(__always)
  func advance(by extra: Int) { count &+= extra }

  /// Discards what was written past `count`.
  func truncate(to count: Int) { self.count = count }

  func append(_ byte: UInt8) {
    room(for: 1).storeBytes(of: byte, as: UInt8.self)
    count += 1
  }

  func append(varint number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    room(for: bytes.count).copyMemory(from: start, byteCount: bytes.count)
    count += bytes.count
  }

  func appendZeros(_ extra: Int) {
    room(for: extra).initializeMemory(as: UInt8.self, repeating: 0, count: extra)
    count += extra
  }

  /// Returns a part of what was written, to be overwritten.
  func part(_ range: Range<Int>) -> UnsafeMutableRawBufferPointer {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return UnsafeMutableRawBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  @inline(never)
  private func grow(to least: Int) {
    let larger = max(least, capacity * 2)
    let fresh = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    fresh.copyMemory(from: base, byteCount: count)
    base.deallocate()
    base = fresh
    capacity = larger
  }
}
