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
  private let kept: Set<String>
  private let least: [String: Int]
  private let droppable: [String]
  private let hasHeading: Bool
  private let endsInNames: Bool

  /// Prepares a table.
  ///
  /// - Parameters:
  ///   - kept: the columns of text that are never shortened, such as places.
  ///   - least: the widths below which texts are not shortened, if they are others than usual.
  ///   - droppable: the columns that a narrow terminal has no room for, the first to go first.
  ///   - hasHeading: whether the titles are shown.
  ///   - endsInNames: whether the last column has names, and not texts, which are cut at their ends.
  init(
    _ titles: [(title: String, isNumber: Bool)], style: OutputStyle, keeping kept: Set<String> = [],
    least: [String: Int] = [:], dropping droppable: [String] = [], hasHeading: Bool = true,
    endsInNames: Bool = false
  ) {
    self.titles = titles
    self.style = style
    self.kept = kept
    self.least = least
    self.droppable = droppable
    self.hasHeading = hasHeading
    self.endsInNames = endsInNames
  }

  /// Adds a row.
  mutating func add(_ cells: [Cell]) { rows.append(cells) }

  /// The lines, starting with the titles. If they must fit, texts shorten and columns go.
  var lines: [String] {
    let heading = hasHeading ? [titles.map { Cell($0.title, .dim) }] : []
    let widths = titles.indices.map { column in
      (heading + rows).map { DisplayWidth.of($0[column].text) }.max() ?? 0
    }
    let shown = style.width.map { fit(widths, in: $0) } ?? widths
    return (heading + rows).map { cells in
      style.tableLine(
        cells.indices.compactMap { column in
          guard let width = shown[column] else { return nil }
          var cell = cells[column]
          if width < widths[column], column < cells.count - 1 || endsInNames {
            cell.text = style.short(cell.text, to: width)
          }
          return (cell, width, titles[column].isNumber)
        })
    }
  }

  private func fit(_ widths: [Int], in room: Int) -> [Int?] {
    ColumnFit.widths(
      titles.indices.map { column in
        let (title, isNumber) = titles[column]
        let rank = droppable.firstIndex(of: title)
        return isNumber || kept.contains(title)
          ? .whole(widths[column], rank: rank) : .text(widths[column], rank: rank)
      }, in: room)
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
