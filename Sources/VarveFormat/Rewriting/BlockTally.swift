/// The number of events that some blocks of one ring contain within a time range.
///
/// A ring's blocks follow each other in time, so the blocks within a range are adjacent.
struct BlockTally {
  private let blocks: [BlockSummary]
  /// The number of events in all blocks before each one, and in all blocks.
  private let events: [UInt64]

  init(_ blocks: some Sequence<BlockSummary>) {
    self.blocks = blocks.sorted { $0.ticks.lowerBound < $1.ticks.lowerBound }
    events = self.blocks.reduce(into: [0]) { sums, block in
      sums.append(sums[sums.count - 1] + UInt64(block.count))
    }
  }

  /// Returns the number of events in the blocks that lie wholly within `ticks`.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of blocks.
  func count(within ticks: ClosedRange<UInt64>) -> UInt64 {
    let first = place { $0.ticks.lowerBound >= ticks.lowerBound }
    let end = place { $0.ticks.upperBound > ticks.upperBound }
    return first < end ? events[end] - events[first] : 0
  }

  /// Returns the first block that satisfies `isBehind`, as must all blocks after it.
  private func place(_ isBehind: (BlockSummary) -> Bool) -> Int {
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(blocks[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
