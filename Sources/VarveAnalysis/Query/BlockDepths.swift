import VarveFormat

/// How many blocks lie beside each other in time, at most, while one of them lasts: so many may have
/// to be held at once by whoever puts their events into one order.
struct BlockDepths {
  private let depths: [Int]

  /// Of some of a trace's blocks, by their places there.
  init(of candidates: [Int], in blocks: [BlockSummary]) {
    let spans = candidates.map { blocks[$0].ticks }
    let starts = spans.map(\.lowerBound).sorted()
    let ends = spans.map(\.upperBound).sorted()
    // It can only become deeper where a block begins: so deep is it there.
    let atStart = starts.indices.map { place in
      place + 1 - ends.partitionPoint { $0 >= starts[place] }
    }
    var depths = [Int](repeating: 1, count: spans.count)
    // The beginnings that are deeper than all later ones looked at so far, in their order: the first
    // of them within a block's time is the deepest there.
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

  /// Of one of `candidates`, by its place among them.
  subscript(candidate: Int) -> Int { depths[candidate] }
}
