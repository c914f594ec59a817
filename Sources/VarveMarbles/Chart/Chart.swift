/// A marble chart for human readers: one lane per stream, all on a common axis.
package struct Chart {
  /// A line of the chart.
  package struct Row {
    /// The lane's name, indented and cut to the chart's label width.
    package var label: String
    /// The glyphs of the line.
    package var glyphs: [LaneGlyph]
    /// The index of its lane; nil for the ruler and for lost events.
    package var lane: Int?
  }

  /// A value for which there was no room on its lane.
  package struct Unseen {
    /// The index of its lane.
    package var lane: Int
    /// The event of the value.
    package var tag: LaneTag
    /// The text of the value.
    package var text: String
  }

  /// The ruler, followed by the lanes in order.
  package let rows: [Row]
  /// The width of the labels in columns.
  package let labelWidth: Int
  /// The characters of the chart, with the scale of its counts.
  package let glyphs: GlyphSet
  /// The single values that are drawn as a sign or truncated, lane by lane.
  package let unseen: [Unseen]

  /// Draws the lanes.
  ///
  /// - Parameters:
  ///   - lost: the columns in which events are missing.
  ///   - leastLabel: the width that labels have at least, for lines that are added below.
  package init(
    axis: TimeAxis, lanes: [Lane], lost: Set<Int> = [], leastLabel: Int = 0, glyphs: GlyphSet
  ) {
    let own = lanes.map { DisplayWidth.of($0.process + $0.name) + 2 * $0.depth }.max() ?? 0
    let longest = max(own, leastLabel)
    let width = min(longest, Self.widestLabel)
    var glyphs = glyphs
    glyphs.most = lanes.lazy.map(\.mostValues).max() ?? 0
    self.glyphs = glyphs
    var rows = [Row(label: "", glyphs: AxisRuler.draw(axis, glyphs: glyphs))]
    var unseen: [Unseen] = []
    if !lost.isEmpty {
      let marks = (0..<axis.columns).map { lost.contains($0) ? glyphs.lost : " " }
      rows.append(Row(label: "(lost)", glyphs: marks.map { LaneGlyph($0, .failed) }))
    }
    for (index, lane) in lanes.enumerated() {
      let drawing = LaneDrawing(lane, glyphs: glyphs).drawn(folds: axis.folds)
      let label = Self.label(lane, width: width, glyphs: glyphs)
      rows.append(Row(label: label, glyphs: drawing.row, lane: index))
      unseen += drawing.unseen.map { Unseen(lane: index, tag: $0.tag, text: $0.text) }
    }
    self.rows = rows
    self.unseen = unseen
    labelWidth = max(width, lost.isEmpty ? 0 : 6)
  }

  /// The greatest width of the labels in columns.
  package static let widestLabel = 28

  private static func label(_ lane: Lane, width: Int, glyphs: GlyphSet) -> String {
    let indentation = String(repeating: " ", count: 2 * lane.depth)
    let room = width - 2 * lane.depth - DisplayWidth.of(lane.process)
    return indentation + lane.process + NameCut.cut(lane.name, to: room, ellipsis: glyphs.ellipsis)
  }

  /// Truncates a long name in the middle: its end distinguishes operators, its beginning sources.
  package static func middleCut(_ name: String, to width: Int, ellipsis: String) -> String {
    guard DisplayWidth.of(name) > width else { return name }
    let room = max(width - ellipsis.count, 0)
    var head = ""
    var tail: [Character] = []
    var used = 0
    var takesFront = false
    var front = name.startIndex
    var back = name.endIndex
    while front < back {
      takesFront.toggle()
      let character = takesFront ? name[front] : name[name.index(before: back)]
      used += DisplayWidth.of(character)
      if used > room { break }
      if takesFront {
        head.append(character)
        front = name.index(after: front)
      } else {
        tail.append(character)
        back = name.index(before: back)
      }
    }
    return head + ellipsis + String(tail.reversed())
  }
}
