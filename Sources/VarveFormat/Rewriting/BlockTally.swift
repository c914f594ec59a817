/// How many events some blocks of one ring hold within a time.
///
/// A ring's blocks follow each other in time, so those within a time lie side by side.
struct BlockTally {
  private let blocks: [BlockSummary]
  /// Events of all blocks before each one, and of all.
  private let events: [UInt64]

  init(_ blocks: some Sequence<BlockSummary>) {
    self.blocks = blocks.sorted { $0.ticks.lowerBound < $1.ticks.lowerBound }
    events = self.blocks.reduce(into: [0]) { sums, block in
      sums.append(sums[sums.count - 1] + UInt64(block.count))
    }
  }

  /// Events of the blocks that lie wholly within `ticks`. Takes the logarithm of their number.
  func count(within ticks: ClosedRange<UInt64>) -> UInt64 {
    let first = place { $0.ticks.lowerBound >= ticks.lowerBound }
    let end = place { $0.ticks.upperBound > ticks.upperBound }
    return first < end ? events[end] - events[first] : 0
  }

  /// The first block that `isBehind` holds for, which it does for all that follow.
  private func place(_ isBehind: (BlockSummary) -> Bool) -> Int {
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(blocks[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
