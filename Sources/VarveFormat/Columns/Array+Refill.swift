extension Array where Element: BitwiseCopyable & ExpressibleByIntegerLiteral {
  /// Resizes the array; its contents are arbitrary afterwards.
  mutating func resize(to count: Int) {
    if self.count > count {
      removeLast(self.count - count)
    } else if self.count < count {
      append(contentsOf: repeatElement(0, count: count - self.count))
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
