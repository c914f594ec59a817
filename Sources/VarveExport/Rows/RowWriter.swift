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
  private var widths: [Int]?
  private var isNumber: [Bool] = []
  private var changed: UInt64 = 0
  /// The number of rows so far.
  package private(set) var count: UInt64 = 0

  /// The number of rows by which the widths of the columns are decided.
  private static let mostHeld = 1_000
  /// The width to which a column of text may be cut.
  private static let narrowest = 8
  /// Columns that the next command needs: they are never cut.
  private static let needed: Set<String> = ["event", "cause", "place", "cause_place", "id"]

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

  /// What was changed for the sake of spreadsheets.
  package var notes: [String] { CSVText.notes(changed) }

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
    let texts = held.map { $0.map { TerminalText.escaped($0.plain) } }
    let titles = titles.map { TerminalText.escaped($0) }
    var widths = titles.indices.map { column in
      max(DisplayWidth.of(titles[column]), texts.map { DisplayWidth.of($0[column]) }.max() ?? 0)
    }
    isNumber = titles.indices.map { column in
      held.contains { $0[column].isNumber }
        && held.allSatisfy { $0[column].isNumber || $0[column] == .nothing }
    }
    narrow(&widths)
    self.widths = widths
    line(titles.map { .init($0, .dim) })
    for cells in held { writeLine(cells) }
    held = []
  }

  /// Takes columns from the widest texts until the line fits.
  private func narrow(_ widths: inout [Int]) {
    guard let room = style.width else { return }
    while widths.reduce(0, +) + 2 * (widths.count - 1) > room {
      let candidates = widths.indices.filter {
        !isNumber[$0] && !Self.needed.contains(titles[$0]) && widths[$0] > Self.narrowest
      }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { return }
      widths[widest] -= 1
    }
  }

  private func writeLine(_ cells: [RowCell]) {
    line(cells.map { TextTable.Cell(TerminalText.escaped($0.plain)) })
  }

  private func line(_ cells: [TextTable.Cell]) {
    guard let widths else { return }
    let parts = cells.enumerated().map { column, cell in
      var cell = cell
      if style.width != nil { cell.text = style.short(cell.text, to: widths[column]) }
      return (cell: cell, width: widths[column], isNumber: isNumber[column])
    }
    output.write(style.tableLine(parts) + "\n")
  }
}
