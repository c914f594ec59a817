/// Finds the block that holds an event. The blocks of a ring lie in the order of their events.
struct BlockMap: Sendable {
  /// By ring, the numbers of its blocks.
  private var byRing: [UInt32: [Int32]] = [:]

  init(_ blocks: [BlockSummary]) {
    for (index, block) in blocks.enumerated() {
      byRing[block.ring, default: []].append(Int32(index))
    }
  }

  /// The block that holds an event; nil when none does.
  func block(of event: EventName, in blocks: [BlockSummary]) -> Int? {
    guard let indices = byRing[event.ring] else { return nil }
    let after = indices.partitionPoint { blocks[Int($0)].firstSequence > event.sequence }
    guard after > 0 else { return nil }
    let index = Int(indices[after - 1])
    return blocks[index].index(of: event).map { _ in index }
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index whose element satisfies `isAfter`, which those before it do not.
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
