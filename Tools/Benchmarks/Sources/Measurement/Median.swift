extension [Double] {
  /// The middle of the sorted values; 0 when there are none.
  public var median: Double {
    let sorted = self.sorted()
    guard !sorted.isEmpty else { return 0 }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
