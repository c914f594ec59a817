/// The conversion of the cells of a lane to glyphs.
///
/// The rules, in this order: An end takes precedence in its column. A start takes its column, or
/// the one after the end that it follows. Values take their column, or a free one before an end or
/// after a start, so that a result that arrives at the same time as its completion is visible. A
/// single value is written out as far as there is room up to the next sign; several values are
/// counted. What another scheduler was given to deliver has a sign before it, and the line that
/// leads there begins where it was given, both only where there is nothing else.
struct LaneDrawing {
  private enum Slot {
    case free, starts, ends(LaneEnding), values(Lane.Cell)

    var isFree: Bool { if case .free = self { true } else { false } }
    var isEnd: Bool { if case .ends = self { true } else { false } }
  }

  private let lane: Lane
  private let glyphs: GlyphSet
  private var slots: [Slot]

  init(_ lane: Lane, glyphs: GlyphSet) {
    self.lane = lane
    self.glyphs = glyphs
    slots = Array(repeating: .free, count: lane.cells.count)
    placeEnds()
    placeStarts()
    placeValues()
  }

  private mutating func placeEnds() {
    for (column, cell) in lane.cells.enumerated() {
      if let ending = cell.ending { slots[column] = .ends(ending) }
    }
  }

  private mutating func placeStarts() {
    for (column, cell) in lane.cells.enumerated() where cell.starts {
      let wanted = cell.ending == nil ? column : cell.startsAgain ? column + 1 : column - 1
      if isFree(wanted), lane.cells[wanted].values == 0 || wanted == column {
        slots[wanted] = .starts
      }
    }
  }

  private mutating func placeValues() {
    for (column, cell) in lane.cells.enumerated() where cell.values > 0 {
      let before = slots[column].isEnd
      let wanted = isFree(column) ? column : before ? column - 1 : column + 1
      guard isFree(wanted), wanted == column || !isTaken(wanted) else { continue }
      slots[wanted] = .values(cell)
    }
  }

  private func isFree(_ column: Int) -> Bool {
    slots.indices.contains(column) && slots[column].isFree
  }

  private func isTaken(_ column: Int) -> Bool { lane.cells[column].values > 0 }
}

extension LaneDrawing {
  /// A value that is not, or not completely, written on its lane.
  struct Unseen {
    var column: Int
    var tag: LaneTag
    var text: String
  }

  /// Returns the glyphs, one per column, and the values for which there was no room.
  func drawn(folds: [TimeAxis.Fold]) -> (row: [LaneGlyph], unseen: [Unseen]) {
    var row = lane.alive.map { LaneGlyph($0 ? glyphs.line : " ", $0 ? .line : .blank) }
    for fold in folds where fold.columns.allSatisfy({ lane.alive[$0] }) {
      for column in fold.columns { row[column] = LaneGlyph(glyphs.idle, .idle) }
    }
    var unseen: [Unseen] = []
    var starts: [Int: Int] = [:]
    for column in slots.indices {
      if case .values(let cell) = slots[column], cell.values == 1 {
        let (start, isWhole) = write(cell.text, at: column, in: &row)
        if !isWhole {
          unseen.append(Unseen(column: column, tag: cell.tag, text: cell.text))
        }
        starts[column] = start
      } else if let glyph = glyph(slots[column]) {
        row[column] = glyph
        starts[column] = column
      }
    }
    drawHops(starts, in: &row)
    return (row, unseen)
  }

  /// Draws what leads to deliveries on other schedulers.
  ///
  /// - Parameter starts: where the text or sign of each column begins.
  private func drawHops(_ starts: [Int: Int], in row: inout [LaneGlyph]) {
    for (column, cell) in lane.cells.enumerated() {
      guard let given = cell.givenAt, let start = starts[isBeside(column) ? column - 1 : column],
        start > 0, row[start - 1].role == .line
      else { continue }
      row[start - 1] = LaneGlyph(glyphs.handed, .hop)
      var at = start - 2
      while at >= given, at >= 0, row[at].role == .line {
        row[at] = LaneGlyph(glyphs.queued, .hop)
        at -= 1
      }
    }
  }

  /// Returns whether the values of a column stand before it, because it shows an end.
  private func isBeside(_ column: Int) -> Bool {
    guard lane.cells[column].values > 0, slots[column].isEnd, column > 0, !isTaken(column - 1),
      case .values = slots[column - 1]
    else { return false }
    return true
  }

  private func glyph(_ slot: Slot) -> LaneGlyph? {
    switch slot {
    case .free: nil
    case .starts: LaneGlyph(glyphs.started, .started)
    case .ends(.completed): LaneGlyph(glyphs.completed, .completed)
    case .ends(.failed): LaneGlyph(glyphs.failed, .failed)
    case .ends(.interrupted): LaneGlyph(glyphs.interrupted, .interrupted)
    case .values(let cell): LaneGlyph(glyphs.count(cell.values), .count)
    }
  }

  /// Writes a value and returns where it begins, and whether the whole text is visible. A value
  /// without a text is drawn as a sign.
  private func write(
    _ text: String, at column: Int, in row: inout [LaneGlyph]
  ) -> (start: Int, isWhole: Bool) {
    let wanted =
      glyphs.marksNumbers && text.first?.isNumber == true ? "\(glyphs.value)\(text)" : text
    guard let (start, shown) = fit(wanted, at: column, in: row) else {
      row[column] = LaneGlyph(glyphs.value, .value)
      return (column, text.isEmpty)
    }
    var at = start
    // Characters without width were not counted when the room was determined.
    for character in shown where DisplayWidth.of(character) > 0 {
      row[at] = LaneGlyph(character, .value)
      at += 1
      if DisplayWidth.of(character) == 2 {
        row[at] = LaneGlyph(nil, .value)
        at += 1
      }
    }
    return (start, shown == wanted)
  }

  /// Returns the position of a value's text and the visible part of it, or nil if it has to be
  /// drawn as a sign.
  private func fit(
    _ text: String, at column: Int, in row: [LaneGlyph]
  ) -> (start: Int, text: String)? {
    let width = DisplayWidth.of(text)
    guard width > 0 else { return nil }
    let right = freeColumns(after: column)
    if width <= right { return (column, text) }
    let left = freeColumns(before: column, in: row)
    if width <= right + left { return (column - (width - right), text) }
    let room = right + left
    return room >= 4
      ? (column - left, DisplayWidth.cut(text, to: room, ellipsis: glyphs.ellipsis)) : nil
  }

  /// Returns the number of columns, from `column` on, that the text may take. One column stays free
  /// before another value.
  private func freeColumns(after column: Int) -> Int {
    guard let next = slots.indices.dropFirst(column + 1).first(where: { !slots[$0].isFree }) else {
      return slots.count - column
    }
    let needsGap = if case .values = slots[next] { next - column > 1 } else { false }
    return next - column - (needsGap ? 1 : 0)
  }

  /// Returns the number of columns to the left into which the text may extend if the stream ends
  /// right after it.
  private func freeColumns(before column: Int, in row: [LaneGlyph]) -> Int {
    let next = column + freeColumns(after: column)
    guard slots.indices.contains(next), slots[next].isEnd else { return 0 }
    var free = 0
    while isFree(column - free - 1), row[column - free - 1].role == .line { free += 1 }
    return max(free - 1, 0)
  }
}
