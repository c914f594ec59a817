/// A map from events to blocks. The blocks of a ring are in the order of their events.
struct BlockMap: Sendable {
  /// The indices of each ring's blocks.
  private var byRing: [UInt32: [Int32]] = [:]

  init(_ blocks: [BlockSummary]) {
    for (index, block) in blocks.enumerated() {
      byRing[block.ring, default: []].append(Int32(index))
    }
  }

  /// Returns the block that contains an event; nil if none does.
  func block(of event: EventName, in blocks: [BlockSummary]) -> Int? {
    guard let indices = byRing[event.ring] else { return nil }
    let after = indices.partitionPoint { blocks[Int($0)].firstSequence > event.sequence }
    guard after > 0 else { return nil }
    let index = Int(indices[after - 1])
    return blocks[index].index(of: event).map { _ in index }
  }
}

extension RandomAccessCollection where Index == Int {
  /// Returns the first index whose element satisfies `isAfter`, as must all elements after it.
  package func partitionPoint(_ isAfter: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
