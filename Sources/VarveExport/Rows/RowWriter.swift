internal import VarveMarbles

/// A cell of a row whose columns are not known beforehand.
package enum RowCell: Sendable, Hashable {
  case nothing
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])

  /// The cell as text that is not safe to print.
  fileprivate var plain: String {
    switch self {
    case .nothing: ""
    case .integer(let number): String(number)
    case .real(let number): RealText.text(number)
    case .text(let text): text
    case .bytes(let bytes): Self.hex(bytes)
    }
  }

  fileprivate var json: String {
    switch self {
    case .nothing: "null"
    case .integer(let number): String(number)
    case .real(let number): RealText.json(number)
    case .text(let text): JSONText.quoted(text)
    case .bytes(let bytes): "\"\(Self.hex(bytes))\""
    }
  }

  var isNumber: Bool {
    switch self {
    case .integer, .real: true
    case .nothing, .text, .bytes: false
    }
  }

  /// Whether there is nothing to show.
  var isEmpty: Bool { self == .nothing || self == .text("") }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String(UInt16($0) | 256, radix: 16).dropFirst() }.joined()
  }
}

/// Writes rows, such as the answers to a query, in one of four forms. Memory does not grow with them.
package final class RowWriter {
  package enum Form { case text, ndjson, json, csv }

  private let form: Form
  private let titles: [String]
  private let keys: [String]
  private let style: OutputStyle
  private let output: ByteOutput
  private var held: [[RowCell]] = []
  /// The columns that are shown; nil until the first rows are known.
  private var layout: RowLayout?
  /// Whether all columns were asked for by their names, so that none may go.
  private let keepsAll: Bool
  /// Whether each row is a block with a line for each column, because there is no room beside each other.
  private var isExpanded = false
  private var changed: UInt64 = 0
  /// The number of rows so far.
  package private(set) var count: UInt64 = 0

  /// The number of rows by which the widths of the columns are decided.
  private static let mostHeld = 1_000
  /// The number of blocks so far.
  private var written: UInt64 = 0
  private static let places: Set<String> = ["place", "cause_place"]

  /// Prepares to write rows with the given titles.
  ///
  /// - Parameter keepsAll: whether rows are shown as blocks, with a line for each column, where a
  ///   terminal has no room for all columns; otherwise some are left out.
  package init(
    _ titles: [String], _ form: Form, style: OutputStyle, keepsAll: Bool = false, output: ByteOutput
  ) {
    self.titles = titles
    self.keepsAll = keepsAll
    self.form = form
    self.style = style
    self.output = output
    keys = titles.map { JSONText.quoted($0) }
    if form == .csv {
      output.write(
        titles.map { CSVText.quoted(CSVText.harmless($0)) }.joined(separator: ",") + "\r\n")
    }
  }

  /// What was changed for the sake of spreadsheets, and what a terminal has no room for.
  package var notes: [String] {
    guard !isExpanded, let leftOut = layout?.leftOut, !leftOut.isEmpty else {
      return CSVText.notes(changed)
    }
    let columns = leftOut.count == 1 ? "column" : "columns"
    let names = leftOut.joined(separator: ", ")
    return ["no room for the \(columns) \(names); --format ndjson has all"]
  }

  /// Writes a row.
  package func write(_ cells: [RowCell]) {
    count += 1
    switch form {
    case .ndjson: output.write(object(cells) + "\n")
    case .json: output.write((count == 1 ? "[\n" : ",\n") + object(cells))
    case .csv: output.write(cells.map(csv).joined(separator: ",") + "\r\n")
    case .text:
      if layout != nil { return writeLine(cells) }
      held.append(cells)
      if held.count == Self.mostHeld { writeHeld() }
    }
  }

  /// Writes what comes after the last row.
  package func end() {
    switch form {
    case .json: output.write(count == 0 ? "[]\n" : "\n]\n")
    case .text: if layout == nil, count > 0 { writeHeld() }
    case .ndjson, .csv: break
    }
  }

  private func object(_ cells: [RowCell]) -> String {
    "{\(zip(keys, cells).map { "\($0):\($1.json)" }.joined(separator: ","))}"
  }

  private func csv(_ cell: RowCell) -> String {
    guard case .text(let text) = cell else { return cell.plain }
    let harmless = CSVText.harmless(text)
    if harmless != text { changed += 1 }
    return CSVText.quoted(harmless)
  }

  // MARK: - The table

  private func writeHeld() {
    let titles = titles.map { style.escaped($0) }
    let layout = RowLayout(titles, held, held.map(texts), in: style.width)
    self.layout = layout
    isExpanded = keepsAll && !layout.hasRoom
    if !isExpanded { line(titles.map { .init($0, .dim) }, isTitle: true) }
    for cells in held { writeLine(cells) }
    held = []
  }

  /// Returns the texts of a row. A terminal shows them as other verbs do: places without folders,
  /// types without modules.
  private func texts(_ cells: [RowCell]) -> [String] {
    zip(titles, cells).map { title, cell in
      guard style.width != nil else { return style.escaped(cell.plain) }
      if case .real(let number) = cell { return Self.brief(number) }
      let text = style.escaped(cell.plain)
      if title == "value_type" { return PlainDescription.of(text) }
      guard Self.places.contains(title) else { return text }
      return text.split(separator: "/").last.map { String($0) } ?? text
    }
  }

  /// Returns a number without the digits behind the point that say nothing beside those before it.
  private static func brief(_ number: Double) -> String {
    guard abs(number) >= 100, abs(number) < 1e15 else { return RealText.text(number) }
    let scale = abs(number) >= 1e6 ? 1.0 : 100.0
    let text = RealText.text((number * scale).rounded() / scale)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private func writeLine(_ cells: [RowCell]) {
    if isExpanded { return writeBlock(cells) }
    line(texts(cells).map { TextTable.Cell($0) })
  }

  /// Writes a line for each column of a row, below its number.
  private func writeBlock(_ cells: [RowCell]) {
    written += 1
    let titles = titles.map { style.escaped($0) }
    let width = titles.map { DisplayWidth.of($0) }.max() ?? 0
    output.write((written == 1 ? "" : "\n") + style.paint("row \(written)", .bold) + "\n")
    for (title, text) in zip(titles, texts(cells)) {
      let gap = DisplayWidth.gap(after: title, to: width)
      let value = text.isEmpty ? "" : gap + "  " + text
      output.write(style.fitted("  " + style.paint(title, .dim) + value) + "\n")
    }
  }

  private func line(_ cells: [TextTable.Cell], isTitle: Bool = false) {
    guard let layout else { return }
    let last = layout.widths.lastIndex { $0 != nil }
    let place = titles.firstIndex(of: "place").map { cells[$0].text }
    let parts = cells.enumerated().compactMap { column, cell in
      layout.widths[column].map { width in
        var cell = cell
        // The last text is cut at its end, with the line.
        if isTitle {
          cell.text = DisplayWidth.cut(cell.text, to: width, ellipsis: style.ascii ? ".." : "…")
        } else if style.width != nil, column != last || layout.isNumber[column] {
          cell.text = short(cell.text, to: width, beside: place)
        }
        return (cell: cell, width: width, isNumber: layout.isNumber[column])
      }
    }
    output.write(style.tableLine(parts) + "\n")
  }

  /// Returns a text in fewer columns: first without the place that the line names anyway.
  private func short(_ text: String, to width: Int, beside place: String?) -> String {
    guard DisplayWidth.of(text) > width else { return text }
    return style.short(NameCut.name(text, beside: place), to: width)
  }
}
