/// Memory for numbers that is used again and again. What it holds is undefined after `reserve`.
final class Scratch<Element: BitwiseCopyable> {
  private(set) var base: UnsafeMutablePointer<Element>
  private var capacity: Int

  init(capacity: Int = 0) {
    self.capacity = capacity
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  /// Makes room for `count` elements; what was there is gone.
  @discardableResult
  func reserve(_ count: Int) -> UnsafeMutablePointer<Element> {
    if count > capacity {
      base.deallocate()
      capacity = max(count, capacity * 2)
      base = .allocate(capacity: capacity)
    }
    return base
  }
}
