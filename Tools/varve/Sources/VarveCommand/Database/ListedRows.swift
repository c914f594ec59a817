internal import VarveExport

/// The rows of an answer that are shown: the first ones, the last ones, both, or all.
struct ListedRows {
  private let head: Int?
  private let tail: Int?
  private var count = 0
  /// The last rows so far, beginning anywhere; the oldest is at `oldest`.
  private var kept: [[RowCell]] = []
  private var oldest = 0

  init(head: Int?, tail: Int?) { (self.head, self.tail) = (head, tail) }

  /// Whether the rows that follow cannot be shown.
  var isComplete: Bool { tail == nil && head.map { count >= $0 } ?? false }

  /// Takes a row; returns it if it is to be shown at once.
  mutating func next(_ row: [RowCell]) -> [RowCell]? {
    count += 1
    if let head, count <= head { return row }
    guard let tail else { return head == nil ? row : nil }
    if kept.count < tail {
      kept.append(row)
    } else if tail > 0 {
      kept[oldest] = row
      oldest = (oldest + 1) % tail
    }
    return nil
  }

  /// The rows that are shown after the last one was taken.
  var last: [[RowCell]] { Array(kept[oldest...] + kept[..<oldest]) }
}
