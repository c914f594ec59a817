import VarveFormat

/// For each block, the maximum number of blocks that overlap at any time within it: up to that many
/// have to be held at once to put their events in order.
struct BlockDepths {
  private let depths: [Int]

  /// Computes the depths of some of a trace's blocks, given by index.
  init(of candidates: [Int], in blocks: [BlockSummary]) {
    let spans = candidates.map { blocks[$0].ticks }
    let starts = spans.map(\.lowerBound).sorted()
    let ends = spans.map(\.upperBound).sorted()
    // The depth can only grow where a block begins, so computing it there is enough.
    let atStart = starts.indices.map { place in
      place + 1 - ends.partitionPoint { $0 >= starts[place] }
    }
    var depths = [Int](repeating: 1, count: spans.count)
    // The starts that are deeper than all later ones examined so far, in order. The first of them
    // within a block's time is the deepest there.
    var deepest: [Int] = []
    var seen = 0
    for block in spans.indices.sorted(by: { spans[$0].upperBound < spans[$1].upperBound }) {
      while seen < starts.count, starts[seen] <= spans[block].upperBound {
        while let last = deepest.last, atStart[last] <= atStart[seen] { deepest.removeLast() }
        deepest.append(seen)
        seen += 1
      }
      let first = starts.partitionPoint { $0 >= spans[block].lowerBound }
      depths[block] = atStart[deepest[deepest.partitionPoint { $0 >= first }]]
    }
    self.depths = depths
  }

  /// The depth at a candidate, given by its position among `candidates`.
  subscript(candidate: Int) -> Int { depths[candidate] }
}
