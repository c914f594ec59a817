/// The line above a chart: ticks with their times at even steps, and the duration of each fold.
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
    for segment in axis.segments {
      var time = (segment.times.lowerBound + step - 1) / step * step
      while time <= segment.times.upperBound {
        let label = ElapsedTime.exact(nanoseconds: time)
        ruler.write("\(glyphs.tick)\(label)", at: axis.column(time), role: .line)
        time += step
      }
    }
    return ruler.row
  }

  /// Writes a label, provided that there is room for it with a free column on each side.
  private mutating func write(_ label: String, at column: Int, role: LaneGlyph.Role) {
    let label = glyphs == .ascii ? label.map { $0 == "µ" ? "u" : $0 } : Array(label)
    let end = column + label.count
    guard end <= row.count else { return }
    let around = max(column - 1, 0)..<min(end + 1, row.count)
    guard row[around].allSatisfy({ $0.role == .blank }) else { return }
    for (offset, character) in label.enumerated() {
      row[column + offset] = LaneGlyph(character, role)
    }
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
