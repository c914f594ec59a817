public import VarveAnalysis
public import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// What each stream did, as a table for people.
public struct StreamsText {
  /// A stream's place in the table.
  public struct Row {
    /// What it did.
    public var stream: StreamSummary
    /// What stands before its name: the branches of a tree, or nothing.
    public var branch: String
    /// What is shown of its name.
    public var name: String

    /// Creates a row that shows `name` of the stream's name; nil for all of it.
    public init(_ stream: StreamSummary, branch: String = "", name: String? = nil) {
      self.stream = stream
      self.branch = branch
      self.name = name ?? stream.definition.name
    }
  }

  private let style: OutputStyle
  private let time: TraceTime
  private let duration: UInt64

  /// Prepares to write tables.
  public init(time: TraceTime, span: TraceSpan, style: OutputStyle) {
    self.time = time
    self.style = style
    duration = span.duration
  }

  /// A column: columns that say nothing of any stream are left out.
  private struct Column {
    var title: String
    var isNumber: Bool
    var cells: [String]
    var colours: [Colour?]
  }

  /// The table, with a line break after each line.
  public func text(_ rows: [Row]) -> String {
    let columns = columns(rows)
    let widths = columns.map { column in
      max(DisplayWidth.of(column.title), column.cells.map { DisplayWidth.of($0) }.max() ?? 0)
    }
    var lines = [line(columns.map { ($0.title, $0.isNumber, Colour.dim) }, widths)]
    for index in rows.indices {
      lines.append(
        line(columns.map { ($0.cells[index], $0.isNumber, $0.colours[index]) }, widths))
    }
    return lines.map { style.fitted($0) + "\n" }.joined()
  }

  private func columns(_ rows: [Row]) -> [Column] {
    let names = rows.map { style.short($0.branch + TerminalText.escaped($0.name)) }
    let name = Column(
      title: "STREAM", isNumber: false, cells: names,
      colours: rows.map { .stream($0.stream.definition.name) })
    let told = [
      text("OPERATOR", rows) { TerminalText.escaped($0.definition.operation) },
      number("VALUES", rows, \.values),
      number("FAILED", rows, colour: .failed, \.failed),
      number("COMPLETED", rows, \.completed),
      number("INTERRUPTED", rows, \.interrupted),
      number("ABSORBED", rows, \.absorbed),
      text("RATE", rows, isNumber: true) { rate($0) },
      number("SUBSCRIBED", rows, \.subscriptions),
      number("OPEN", rows, \.open),
      text("FIRST", rows, isNumber: true) { moment($0.firstTick) },
      text("LAST", rows, isNumber: true) { moment($0.lastTick) },
      text("PLACE", rows) { TerminalText.escaped($0.definition.place?.description ?? "") },
    ]
    return [name] + told.filter { column in column.cells.contains { $0 != "" && $0 != empty } }
  }

  private var empty: String { style.ascii ? "-" : "·" }

  private func number(
    _ title: String, _ rows: [Row], colour: Colour? = nil, _ path: KeyPath<StreamSummary, UInt64>
  ) -> Column {
    let counts = rows.map { $0.stream[keyPath: path] }
    return Column(
      title: title, isNumber: true, cells: counts.map { $0 == 0 ? empty : Counted.grouped($0) },
      colours: counts.map { $0 == 0 ? .dim : colour })
  }

  private func text(
    _ title: String, _ rows: [Row], isNumber: Bool = false, _ cell: (StreamSummary) -> String
  ) -> Column {
    let cells = rows.map { cell($0.stream) }
    return Column(
      title: title, isNumber: isNumber, cells: cells,
      colours: cells.map { _ in isNumber ? nil : .dim })
  }

  /// Values and ends a second, over the time in which the stream delivered.
  private func rate(_ stream: StreamSummary) -> String {
    guard let first = stream.firstTick, let last = stream.lastTick, stream.events > 1 else {
      return ""
    }
    let span = time.nanoseconds(sinceStart: last) - time.nanoseconds(sinceStart: first)
    guard span > 0 else { return "" }
    let rate = Double(stream.events - 1) / Double(span) * 1e9
    let scaled: (Double, String) =
      rate >= 1e6 ? (rate / 1e6, " M/s") : rate >= 1e3 ? (rate / 1e3, " k/s") : (rate, "/s")
    let digits = scaled.0 >= 100 ? 1.0 : scaled.0 >= 10 ? 10.0 : 100.0
    let text = RealText.text((scaled.0 * digits).rounded() / digits)
    return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + scaled.1
  }

  private func moment(_ tick: UInt64?) -> String {
    guard let tick else { return "" }
    let nanoseconds = UInt64(max(time.nanoseconds(sinceStart: tick), 0))
    return ElapsedTime.fixed(nanoseconds: nanoseconds, inSeconds: duration >= 100_000_000)
  }

  private func line(_ cells: [(text: String, isNumber: Bool, colour: Colour?)], _ widths: [Int])
    -> String
  {
    var line = ""
    for (index, cell) in cells.enumerated() {
      let padding = String(
        repeating: " ", count: max(0, widths[index] - DisplayWidth.of(cell.text)))
      let text = cell.colour.map { style.paint(cell.text, $0) } ?? cell.text
      line += (index == 0 ? "" : "  ") + (cell.isNumber ? padding + text : text + padding)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}

extension ElapsedTime {
  /// Three digits after the point, in seconds or milliseconds: moments below each other line up.
  static func fixed(nanoseconds: UInt64, inSeconds: Bool) -> String {
    let thousandths = nanoseconds / (inSeconds ? 1_000_000 : 1_000)
    let digits = String(thousandths % 1_000 + 1_000).dropFirst()
    return "\(thousandths / 1_000).\(digits) \(inSeconds ? "s" : "ms")"
  }
}
