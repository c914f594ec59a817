/// Something on a lane that is to be drawn, for those who draw otherwise than with characters.
package struct LaneMark: Sendable {
  /// The columns that it stands for: several where values lie too close to be told apart.
  package var columns: ClosedRange<Int>
  /// How many values.
  package var values: Int
  /// The text of the value, if it is the only one.
  package var text: String
  /// Which event the last value is.
  package var tag: LaneTag
  /// The end in the last column, if there is one.
  package var ending: LaneEnding?
  /// Which event the end is.
  package var endTag: LaneTag
  /// Whether the stream, or a run of it, begins in the first column.
  package var starts: Bool
}

extension Lane {
  /// What is to be drawn, from left to right: no more marks than the lane has columns.
  ///
  /// - Parameter width: how many columns a mark of so many values takes. Values that come closer
  ///   are one mark.
  package func marks(width: (Int) -> Int) -> [LaneMark] {
    var marks: [LaneMark] = []
    for column in cells.indices {
      let cell = cells[column]
      guard cell.values > 0 || cell.ending != nil || cell.starts else { continue }
      let mark = LaneMark(
        columns: column...column, values: cell.values, text: cell.text, tag: cell.tag,
        ending: cell.ending, endTag: cell.endTag, starts: cell.starts)
      if let last = marks.last, let joined = last.joined(with: mark, width: width) {
        marks[marks.count - 1] = joined
      } else {
        marks.append(mark)
      }
    }
    return marks
  }

  /// The columns in which the stream lived, in stretches.
  package var lives: [ClosedRange<Int>] {
    var stretches: [ClosedRange<Int>] = []
    for column in alive.indices where alive[column] {
      if let last = stretches.last, last.upperBound == column - 1, !cells[column].startsAgain {
        stretches[stretches.count - 1] = last.lowerBound...column
      } else {
        stretches.append(column...column)
      }
    }
    return stretches
  }
}

extension LaneMark {
  /// This mark and the next as one; nil where there is room for both, or something between that has
  /// to be seen.
  fileprivate func joined(with next: LaneMark, width: (Int) -> Int) -> LaneMark? {
    guard values > 0, next.values > 0, ending == nil, !next.starts,
      next.columns.lowerBound - columns.upperBound < width(max(values, next.values))
    else { return nil }
    var joined = next
    joined.columns = columns.lowerBound...next.columns.upperBound
    joined.values += values
    joined.text = ""
    joined.starts = starts
    return joined
  }
}
