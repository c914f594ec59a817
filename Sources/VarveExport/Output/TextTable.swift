internal import VarveMarbles

/// A table for people: columns as wide as their cells, numbers to the right.
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

  /// Adds a row. Where lines have to fit, all words but the last ones are cut in their middles.
  mutating func add(_ cells: [Cell]) {
    rows.append(
      cells.enumerated().map { column, cell in
        let isWhole = titles[column].isNumber || column == cells.count - 1
        return isWhole ? cell : Cell(style.short(cell.text), cell.colour)
      })
  }

  /// The lines, that with the titles first.
  var lines: [String] {
    let widths = titles.indices.map { column in
      max(
        DisplayWidth.of(titles[column].title),
        rows.map { DisplayWidth.of($0[column].text) }.max() ?? 0)
    }
    return ([titles.map { Cell($0.title, .dim) }] + rows).map { style.fitted(line($0, widths)) }
  }

  private func line(_ cells: [Cell], _ widths: [Int]) -> String {
    var line = ""
    for (column, cell) in cells.enumerated() {
      let padding = String(
        repeating: " ", count: max(widths[column] - DisplayWidth.of(cell.text), 0))
      let text = cell.colour.map { style.paint(cell.text, $0) } ?? cell.text
      line +=
        (column == 0 ? "" : "  ") + (titles[column].isNumber ? padding + text : text + padding)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
