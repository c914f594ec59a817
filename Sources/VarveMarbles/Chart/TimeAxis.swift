/// The common time axis of a chart, which maps times to columns.
///
/// The axis is linear, except that long periods without events on any lane are folded: otherwise, a
/// minute of waiting would squeeze all events into two columns.
package struct TimeAxis: Sendable {
  /// A period that is drawn to scale.
  package struct Segment: Sendable, Equatable {
    /// The times of the period, in nanoseconds since the start of the trace.
    package var times: ClosedRange<UInt64>
    /// The columns of the period.
    package var columns: Range<Int>
  }

  /// A period that is omitted.
  package struct Fold: Sendable, Equatable {
    /// The omitted times.
    package var times: ClosedRange<UInt64>
    /// The columns of its sign.
    package var columns: Range<Int>

    /// The duration of the omitted period.
    package var duration: UInt64 { times.upperBound - times.lowerBound }
  }

  /// The width of a fold in columns.
  package static let foldWidth = 3

  /// The periods that are drawn to scale, from left to right.
  package let segments: [Segment]
  /// The omitted periods, from left to right, one between each two segments.
  package let folds: [Fold]
  /// The width of the axis in columns.
  package let columns: Int

  /// Lays out `range` in `columns` columns.
  ///
  /// - Parameter busy: the periods with events, ascending and not overlapping; pass none to fold
  ///   nothing.
  package init(range: ClosedRange<UInt64>, busy: [ClosedRange<UInt64>] = [], columns: Int) {
    let columns = max(columns, 1)
    let gaps = Self.gapsToFold(range: range, busy: busy, columns: columns)
    self.columns = columns
    (segments, folds) = Self.layOut(range: range, gaps: gaps, columns: columns)
  }

  /// Returns the column of a time. Times outside the range map to the first or last column, and
  /// times in a fold to the middle of the fold.
  package func column(_ time: UInt64) -> Int {
    for (index, segment) in segments.enumerated() where time <= segment.times.upperBound {
      if time < segment.times.lowerBound, index > 0 {
        return folds[index - 1].columns.lowerBound + 1
      }
      return Self.column(time, in: segment)
    }
    return columns - 1
  }

  /// The duration of a column, in nanoseconds.
  package var columnDuration: Double {
    guard let segment = segments.first, !segment.columns.isEmpty else { return 0 }
    let length = segment.times.upperBound - segment.times.lowerBound
    return Double(length) / Double(segment.columns.count)
  }

  private static func column(_ time: UInt64, in segment: Segment) -> Int {
    let length = segment.times.upperBound - segment.times.lowerBound
    guard time > segment.times.lowerBound, length > 0 else { return segment.columns.lowerBound }
    let offset = Double(time - segment.times.lowerBound) / Double(length)
    let column = segment.columns.lowerBound + Int(offset * Double(segment.columns.count))
    return min(column, segment.columns.upperBound - 1)
  }
}

extension TimeAxis {
  /// Returns the idle periods to fold: the longest one is folded, repeatedly, while it takes more
  /// than a fifth of the time left to draw and is long compared with most others. If all periods
  /// are long, they are shown.
  private static func gapsToFold(
    range: ClosedRange<UInt64>, busy: [ClosedRange<UInt64>], columns: Int
  ) -> [ClosedRange<UInt64>] {
    let stretches = idleStretches(range: range, busy: busy)
    guard let usual = stretches.dropFirst(stretches.count / 4).first else { return [] }
    let ordinary = (usual.upperBound - usual.lowerBound).multipliedReportingOverflow(by: 4)
    var visible = range.upperBound - range.lowerBound
    var gaps: [ClosedRange<UInt64>] = []
    for gap in stretches {
      let hidden = gap.upperBound - gap.lowerBound
      guard gaps.count < columns / 16, hidden > 2, hidden > visible / 5,
        stretches.count == 1 || !ordinary.overflow && hidden > ordinary.partialValue
      else { break }
      let margin = min(hidden / 8, (visible - hidden) / 24)
      gaps.append(gap.lowerBound + margin...gap.upperBound - margin)
      visible -= hidden - 2 * margin
    }
    return gaps.sorted { $0.lowerBound < $1.lowerBound }
  }

  private static func idleStretches(
    range: ClosedRange<UInt64>, busy: [ClosedRange<UInt64>]
  ) -> [ClosedRange<UInt64>] {
    func length(_ gap: ClosedRange<UInt64>) -> UInt64 { gap.upperBound - gap.lowerBound }
    return zip(busy, busy.dropFirst())
      .filter { $0.upperBound < $1.lowerBound }
      .map { $0.upperBound...$1.lowerBound }
      .filter { range.contains($0.lowerBound) && range.contains($0.upperBound) }
      .sorted { (length($0), $1.lowerBound) > (length($1), $0.lowerBound) }
  }

  private static func layOut(
    range: ClosedRange<UInt64>, gaps: [ClosedRange<UInt64>], columns: Int
  ) -> ([Segment], [Fold]) {
    let starts = [range.lowerBound] + gaps.map(\.upperBound)
    let ends = gaps.map(\.lowerBound) + [range.upperBound]
    let lengths = zip(starts, ends).map { $1 - $0 }
    let visible = max(lengths.reduce(0, +), 1)
    let room = columns - gaps.count * foldWidth
    var segments: [Segment] = []
    var folds: [Fold] = []
    var shown: UInt64 = 0
    for index in starts.indices {
      shown += lengths[index]
      let first = folds.last?.columns.upperBound ?? 0
      let share = Int((Double(shown) / Double(visible) * Double(room)).rounded())
      // Each following segment has at least one column, however short it is.
      let most = columns - (gaps.count - index) * (foldWidth + 1)
      let last = min(max(share + folds.count * foldWidth, first + 1), most)
      let end = index == gaps.count ? columns : last
      segments.append(Segment(times: starts[index]...ends[index], columns: first..<end))
      if index < gaps.count {
        folds.append(Fold(times: gaps[index], columns: end..<end + foldWidth))
      }
    }
    return (segments, folds)
  }
}
