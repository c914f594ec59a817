internal import VarveMarbles

/// A table for people: columns as wide as their cells, numbers right-aligned.
struct TextTable {
  struct Cell {
    var text: String
    var colour: Colour?

    init(_ text: String, _ colour: Colour? = nil) {
      self.text = text
      self.colour = colour
    }
  }

  private let titles: [(title: String, isNumber: Bool)]
  private var rows: [[Cell]] = []
  private let style: OutputStyle

  init(_ titles: [(title: String, isNumber: Bool)], style: OutputStyle) {
    self.titles = titles
    self.style = style
  }

  /// Adds a row. If lines must fit, text cells except the last are cut in the middle.
  mutating func add(_ cells: [Cell]) {
    rows.append(
      cells.enumerated().map { column, cell in
        let isWhole = titles[column].isNumber || column == cells.count - 1
        return isWhole ? cell : Cell(style.short(cell.text), cell.colour)
      })
  }

  /// The lines, starting with the titles.
  var lines: [String] {
    let widths = titles.indices.map { column in
      max(
        DisplayWidth.of(titles[column].title),
        rows.map { DisplayWidth.of($0[column].text) }.max() ?? 0)
    }
    return ([titles.map { Cell($0.title, .dim) }] + rows).map { cells in
      style.tableLine(
        cells.enumerated().map { (cell: $1, width: widths[$0], isNumber: titles[$0].isNumber) })
    }
  }
}

extension OutputStyle {
  /// Returns a line of a table: cells as wide as their columns, numbers right-aligned.
  func tableLine(_ cells: [(cell: TextTable.Cell, width: Int, isNumber: Bool)]) -> String {
    var line = ""
    for (column, (cell, width, isNumber)) in cells.enumerated() {
      let gap = DisplayWidth.gap(after: cell.text, to: width)
      let text = cell.colour.map { paint(cell.text, $0) } ?? cell.text
      line += (column == 0 ? "" : "  ") + (isNumber ? gap + text : text + gap)
    }
    while line.last == " " { line.removeLast() }
    return fitted(line)
  }
}

extension DisplayWidth {
  /// Returns the spaces that pad a text to a number of columns.
  static func gap(after text: String, to columns: Int) -> String {
    String(repeating: " ", count: max(columns - of(text), 0))
  }
}
