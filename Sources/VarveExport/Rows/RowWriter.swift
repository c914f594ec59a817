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

  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .real: true
    case .nothing, .text, .bytes: false
    }
  }

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
  /// The widths of the columns, nil for those that are left out.
  private var widths: [Int?]?
  private var isNumber: [Bool] = []
  /// Whether places are shown without folders, for lack of room.
  private var isBare = false
  /// The titles of the columns that a terminal has no room for.
  private var leftOut: [String] = []
  private var changed: UInt64 = 0
  /// The number of rows so far.
  package private(set) var count: UInt64 = 0

  /// The number of rows by which the widths of the columns are decided.
  private static let mostHeld = 1_000
  /// The width to which a column of text may be cut.
  private static let narrowest = 8
  /// Columns that the next command needs: they are never cut.
  private static let needed: Set<String> = ["event", "thread", "place", "cause_place"]
  private static let places: Set<String> = ["place", "cause_place"]
  /// Columns that lead from one table to another: they say nothing to people.
  private static let links: Set<String> = ["id", "cause_id"]

  /// Prepares to write rows with the given titles.
  package init(_ titles: [String], _ form: Form, style: OutputStyle, output: ByteOutput) {
    self.titles = titles
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
    guard !leftOut.isEmpty else { return CSVText.notes(changed) }
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
      if widths != nil { return writeLine(cells) }
      held.append(cells)
      if held.count == Self.mostHeld { writeHeld() }
    }
  }

  /// Writes what comes after the last row.
  package func end() {
    switch form {
    case .json: output.write(count == 0 ? "[]\n" : "\n]\n")
    case .text: if widths == nil, count > 0 { writeHeld() }
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
    isNumber = titles.indices.map { column in
      held.contains { $0[column].isNumber }
        && held.allSatisfy { $0[column].isNumber || $0[column] == .nothing }
    }
    func widest() -> [Int] {
      let texts = held.map(texts)
      return titles.indices.map { column in
        max(DisplayWidth.of(titles[column]), texts.map { DisplayWidth.of($0[column]) }.max() ?? 0)
      }
    }
    var widths = fit(widest())
    if let room = style.width, widths.reduce(-2, { $0 + ($1.map { $0 + 2 } ?? 0) }) > room {
      isBare = true
      widths = fit(widest())
    }
    self.widths = widths
    line(titles.map { .init($0, .dim) })
    for cells in held { writeLine(cells) }
    held = []
  }

  /// Shortens texts, then leaves out columns until a line fits: those that are empty first, then
  /// links, then the last ones. What the next command needs stays.
  private func fit(_ widths: [Int]) -> [Int?] {
    guard let room = style.width else { return widths }
    let empty = widths.indices.filter { column in
      held.allSatisfy { $0[column] == .nothing || $0[column] == .text("") }
    }
    let others = widths.indices.filter { !empty.contains($0) && !Self.needed.contains(titles[$0]) }
    let order =
      empty + others.filter { Self.links.contains(titles[$0]) }
      + others.reversed().filter { !Self.links.contains(titles[$0]) }
    let fit = ColumnFit.widths(
      widths.indices.map { column in
        let rank = order.firstIndex(of: column)
        return isNumber[column] || Self.needed.contains(titles[column])
          ? .whole(widths[column], rank: rank)
          : .text(widths[column], readable: 10, least: Self.narrowest, rank: rank)
      }, in: room)
    leftOut = titles.indices.filter { fit[$0] == nil && !empty.contains($0) }
      .map { style.escaped(titles[$0]) }
    return fit
  }

  /// Returns the texts of a row.
  private func texts(_ cells: [RowCell]) -> [String] {
    cells.enumerated().map { column, cell in
      let text = style.escaped(cell.plain)
      guard isBare, Self.places.contains(titles[column]) else { return text }
      return text.split(separator: "/").last.map { String($0) } ?? text
    }
  }

  private func writeLine(_ cells: [RowCell]) { line(texts(cells).map { TextTable.Cell($0) }) }

  private func line(_ cells: [TextTable.Cell]) {
    guard let widths else { return }
    let last = widths.lastIndex { $0 != nil }
    let parts = cells.enumerated().compactMap { column, cell in
      widths[column].map { width in
        var cell = cell
        // The last text is cut at its end, with the line.
        if style.width != nil, column != last { cell.text = style.short(cell.text, to: width) }
        return (cell: cell, width: width, isNumber: isNumber[column])
      }
    }
    output.write(style.tableLine(parts) + "\n")
  }
}
