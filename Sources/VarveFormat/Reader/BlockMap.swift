/// Finds the block that holds an event, by the event's number or by ring and sequence number.
struct BlockMap: Sendable {
  /// By ring, the numbers of its blocks in the order of sequence numbers.
  private var byRing: [UInt32: [Int32]] = [:]

  init(_ blocks: [BlockSummary]) {
    for (index, block) in blocks.enumerated() {
      byRing[block.ring, default: []].append(Int32(index))
    }
    for (ring, indices) in byRing {
      let isSorted = zip(indices, indices.dropFirst()).allSatisfy { one, other in
        blocks[Int(one)].firstSequence < blocks[Int(other)].firstSequence
      }
      guard !isSorted else { continue }
      byRing[ring] = indices.sorted {
        blocks[Int($0)].firstSequence < blocks[Int($1)].firstSequence
      }
    }
  }

  /// The block that holds an event's number; nil when none does.
  func block(ofEvent number: UInt64, in blocks: [BlockSummary]) -> Int? {
    let after = blocks.partitionPoint { $0.firstEvent > number }
    guard after > 0 else { return nil }
    let block = blocks[after - 1]
    return number - block.firstEvent < UInt64(block.count) ? after - 1 : nil
  }

  /// The block that holds the record that a reference names; nil when none does.
  func block(of reference: RecordReference, in blocks: [BlockSummary]) -> Int? {
    guard let indices = byRing[reference.ring] else { return nil }
    let after = indices.partitionPoint { blocks[Int($0)].firstSequence > reference.sequence }
    guard after > 0 else { return nil }
    let index = Int(indices[after - 1])
    let block = blocks[index]
    return reference.sequence - block.firstSequence < UInt64(block.count) ? index : nil
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
