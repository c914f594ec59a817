extension Array where Element: BitwiseCopyable & ExpressibleByIntegerLiteral {
  /// Resizes the array; its contents are arbitrary afterwards.
  mutating func resize(to count: Int) {
    if self.count > count {
      removeLast(self.count - count)
    } else if self.count < count {
      // A build without optimization would append an element at a time, some two hundred times as
      // slowly, so that a large block took seconds in the debug build of a program that reads it.
      withUnsafeTemporaryAllocation(of: Element.self, capacity: 64) { zeros in
        zeros.initialize(repeating: 0)
        while self.count < count {
          let missing = Swift.min(count - self.count, zeros.count)
          append(contentsOf: UnsafeBufferPointer(start: zeros.baseAddress, count: missing))
        }
      }
    }
  }

  /// Resizes the array and lets `fill` write every element.
  @inline(__always)
  mutating func refill<Failure: Error>(
    count: Int, _ fill: (UnsafeMutablePointer<Element>) throws(Failure) -> Void
  ) throws(Failure) {
    resize(to: count)
    try withUnsafeMutableBufferPointer { buffer throws(Failure) in
      if let base = buffer.baseAddress { try fill(base) }
    }
  }
}
