internal import VarveFormat
internal import VarveProbe

/// Spares those who ask only for what was left at the end most ends of work: nearly all work ends
/// soon after it began, in the same block.
enum FinishedWork {
  /// The number of pieces of work within one another from which on a block is left as it is.
  private static let deepest = 64

  /// Of the selected events of a block, removes the ends of work that begins in the block. The
  /// beginnings stand for these: `others` is 1 for them.
  ///
  /// A block in which work begins within itself, as in a damaged file, is left as it is.
  static func fold(_ batch: EventBatch) {
    var others: [UInt32] = []
    swap(&others, &batch.others)
    others.removeAll(keepingCapacity: true)
    others.append(contentsOf: repeatElement(0, count: batch.columns.count))
    batch.sift { rows, columns in
      others.withUnsafeMutableBufferPointer { others in
        if !mark(rows, columns, in: others) { others.update(repeating: 0) }
      }
      rows.removeAll { columns.kinds[Int($0)] == ended && others[Int($0)] != 0 }
    }
    swap(&others, &batch.others)
  }

  private static let began = RecordKind.hopBegan.rawValue
  private static let ended = RecordKind.hopEnded.rawValue

  /// Marks each end of work whose beginning is among the rows, and that beginning. Returns false
  /// when the rows contradict each other.
  private static func mark(
    _ rows: [UInt32], _ columns: ColumnPointers, in others: UnsafeMutableBufferPointer<UInt32>
  ) -> Bool {
    let (kinds, hops) = (columns.kinds, columns.subscriptions)
    var open: [Int] = []
    for row in rows {
      let index = Int(row)
      guard kinds[index] == began || kinds[index] == ended else { continue }
      let place = open.lastIndex { hops[$0] == hops[index] }
      if kinds[index] == began {
        guard place == nil, open.count < deepest else { return false }
        open.append(index)
      } else if let place {
        others[open[place]] = 1
        others[index] = 1
        open.remove(at: place)
      }
    }
    return true
  }
}
