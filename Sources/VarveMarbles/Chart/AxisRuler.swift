/// The line above a chart: ticks with their times, at even steps and behind each fold, and the
/// durations of folds.
package struct AxisRuler {
  private var row: [LaneGlyph]
  private let glyphs: GlyphSet

  private init(columns: Int, glyphs: GlyphSet) {
    row = Array(repeating: LaneGlyph(" ", .blank), count: columns)
    self.glyphs = glyphs
  }

  /// Returns the ruler of an axis.
  package static func draw(_ axis: TimeAxis, glyphs: GlyphSet) -> [LaneGlyph] {
    var ruler = AxisRuler(columns: axis.columns, glyphs: glyphs)
    for fold in axis.folds {
      let length = ElapsedTime.short(nanoseconds: fold.duration)
      ruler.write("\(glyphs.idle)\(length)", at: fold.columns.lowerBound, role: .idle)
    }
    let step = Self.step(atLeast: axis.columnDuration * 10)
    for (index, segment) in axis.segments.enumerated() {
      var isTold = false
      var time = (segment.times.lowerBound + step - 1) / step * step
      while time <= segment.times.upperBound {
        isTold = ruler.write(time, on: axis) || isTold
        time += step
      }
      // What follows a fold has a time: nobody can count the columns up to it.
      if index > 0, !isTold { ruler.tell(segment, on: axis) }
    }
    return ruler.row
  }

  private mutating func write(_ time: UInt64, on axis: TimeAxis) -> Bool {
    let label = ElapsedTime.exact(nanoseconds: time)
    return write("\(glyphs.tick)\(label)", at: axis.column(time), role: .line)
  }

  /// Writes the time at which a segment begins, if need be in the place of the fold's length.
  private mutating func tell(_ segment: TimeAxis.Segment, on axis: TimeAxis) {
    let finest = Self.step(atLeast: axis.columnDuration)
    let time = (segment.times.lowerBound + finest - 1) / finest * finest
    guard !write(time, on: axis) else { return }
    let whole = row
    var column = axis.column(time)
    while column > 0, row[column - 1].role == .idle { column -= 1 }
    while row.indices.contains(column), row[column].role != .line {
      row[column] = LaneGlyph(" ", .blank)
      column += 1
      if column > axis.column(time), row.indices.contains(column), row[column].role == .blank {
        break
      }
    }
    if !write(time, on: axis) { row = whole }
  }

  /// Writes a label and returns true, provided that there is room for it with a free column on each
  /// side.
  @discardableResult
  private mutating func write(_ label: String, at column: Int, role: LaneGlyph.Role) -> Bool {
    let label = glyphs.marksNumbers ? label.map { $0 == "µ" ? "u" : $0 } : Array(label)
    let end = column + label.count
    guard end <= row.count else { return false }
    let around = max(column - 1, 0)..<min(end + 1, row.count)
    guard row[around].allSatisfy({ $0.role == .blank }) else { return false }
    for (offset, character) in label.enumerated() {
      row[column + offset] = LaneGlyph(character, role)
    }
    return true
  }

  /// Returns the smallest of 1, 2, 5, 10, 20, 50, … nanoseconds that is not less than `duration`.
  package static func step(atLeast duration: Double) -> UInt64 {
    var power: UInt64 = 1
    while power < 1_000_000_000_000_000 {
      for factor: UInt64 in [1, 2, 5] where Double(power * factor) >= duration {
        return power * factor
      }
      power *= 10
    }
    return power
  }
}
