/// Numbers that are collected, block after block, in memory that stays.
///
/// An array in a class would be checked for exclusive access and for being unique at each append;
/// on a path that every event takes that costs more than the append.
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
