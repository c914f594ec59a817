/// The common axis of a chart: which column a moment falls into.
///
/// Time runs evenly, except that long stretches in which nothing happened on any lane are folded:
/// a minute of waiting would push all that did happen into two columns.
package struct TimeAxis: Sendable {
  /// A stretch that is drawn to scale.
  package struct Segment: Sendable, Equatable {
    /// What it shows, in nanoseconds since the trace's start.
    package var times: ClosedRange<UInt64>
    /// Where it is drawn.
    package var columns: Range<Int>
  }

  /// A stretch that is left out.
  package struct Fold: Sendable, Equatable {
    /// What it hides.
    package var times: ClosedRange<UInt64>
    /// Where its sign is drawn.
    package var columns: Range<Int>

    /// How long it is.
    package var duration: UInt64 { times.upperBound - times.lowerBound }
  }

  /// How many columns a fold takes.
  package static let foldWidth = 3

  /// What is drawn to scale, from left to right.
  package let segments: [Segment]
  /// What is left out, from left to right; one between each two segments.
  package let folds: [Fold]
  /// How wide the axis is.
  package let columns: Int

  /// Lays out `range` in `columns` columns.
  ///
  /// - Parameter busy: the stretches in which something happened, ascending, not overlapping; pass
  ///   none to fold nothing.
  package init(range: ClosedRange<UInt64>, busy: [ClosedRange<UInt64>] = [], columns: Int) {
    let columns = max(columns, 1)
    let gaps = Self.gapsToFold(range: range, busy: busy, columns: columns)
    self.columns = columns
    (segments, folds) = Self.layOut(range: range, gaps: gaps, columns: columns)
  }

  /// The column of a moment; moments outside the range fall into the first or the last one, and
  /// moments in a fold into the fold's middle.
  package func column(_ time: UInt64) -> Int {
    for (index, segment) in segments.enumerated() where time <= segment.times.upperBound {
      if time < segment.times.lowerBound, index > 0 {
        return folds[index - 1].columns.lowerBound + 1
      }
      return Self.column(time, in: segment)
    }
    return columns - 1
  }

  /// How long a column lasts.
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
  /// Folds the longest idle stretch as long as it takes more than a fifth of what is left to draw,
  /// and is long beside most others: where everything is slow, slowness is what there is to see.
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
      // Each of those that follow has a column, however short it is.
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
