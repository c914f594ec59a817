/// A list of numbers that reuses its memory from block to block.
///
/// An array in a class would check for exclusive access and uniqueness at each append; on a path
/// that every event takes, that costs more than the append.
final class NumberList<Number: FixedWidthInteger> {
  private(set) var base: UnsafeMutablePointer<Number>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 64) {
    self.capacity = capacity
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  @inline(__always)
  func append(_ number: Number) {
    if count == capacity { grow() }
    base[count] = number
    count &+= 1
  }

  func removeAll() { count = 0 }

  @inline(never)
  private func grow() {
    let fresh = UnsafeMutablePointer<Number>.allocate(capacity: capacity * 2)
    fresh.moveInitialize(from: base, count: count)
    base.deallocate()
    base = fresh
    capacity *= 2
  }
}
