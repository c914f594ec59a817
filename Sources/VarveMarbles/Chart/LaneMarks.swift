/// A mark on a lane, for renderers that do not draw with characters.
package struct LaneMark: Sendable {
  /// The columns of the mark: several if the values are too close to be drawn separately.
  package var columns: ClosedRange<Int>
  /// The number of values.
  package var values: Int
  /// The text of the value, if it is the only one.
  package var text: String
  /// The event of the last value.
  package var tag: LaneTag
  /// The end in the last column, if there is one.
  package var ending: LaneEnding?
  /// The event of the end.
  package var endTag: LaneTag
  /// Whether the stream, or a run of it, begins in the first column.
  package var starts: Bool
}

extension Lane {
  /// Returns the marks of the lane, from left to right: no more than it has columns.
  ///
  /// - Parameter width: returns the width, in columns, of a mark of a number of values. Values that
  ///   are closer together are combined into one mark.
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

  /// The ranges of columns in which the stream was alive.
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
  /// Returns this mark and the next combined; nil if there is room for both, or if something
  /// between them has to stay visible.
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
