public import VarveAnalysis
public import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// A table of what each stream did.
public struct StreamsText {
  /// A row of the table.
  public struct Row {
    /// The summary of the stream.
    public var stream: StreamSummary
    /// The branches of a tree before the name, or an empty string.
    public var branch: String
    /// The shown part of the name.
    public var name: String
    /// The name of the stream above that this one feeds, if the two are part of a circle.
    public var feedsBack: String?

    /// Creates a row that shows `name`; nil shows the whole name of the stream.
    public init(
      _ stream: StreamSummary, branch: String = "", name: String? = nil, feedsBack: String? = nil
    ) {
      self.stream = stream
      self.branch = branch
      self.name = name ?? stream.definition.name
      self.feedsBack = feedsBack
    }
  }

  private let style: OutputStyle
  private let time: TraceTime
  private let duration: UInt64
  private let processes: ProcessNames

  /// Prepares to write tables.
  ///
  /// - Parameters:
  ///   - time: the trace's clock.
  ///   - span: the time that the trace covers.
  ///   - processes: the processes of a trace of several, whose number each stream is told with.
  ///   - style: the width, the colours, and what else lines depend on.
  public init(
    time: TraceTime, span: TraceSpan, processes: ProcessNames = ProcessNames([]),
    style: OutputStyle
  ) {
    self.time = time
    self.processes = processes
    self.style = style
    duration = span.duration
  }

  /// Writes the table, with a line break after each line.
  ///
  /// Lines are built one by one: `rows` is iterated twice, first for the widths of the columns,
  /// then for their contents.
  public func write(_ rows: some Sequence<Row>, to output: ByteOutput) {
    let (layout, legend) = layout(of: rows)
    func write(_ cell: (Column) -> TextTable.Cell) {
      output.write(style.tableLine(layout.map { (cell($1), $0, $1.isNumber) }) + "\n")
    }
    write { TextTable.Cell($0.title, .dim) }
    for row in rows where output.isOpen {
      write { column in
        let text = column.text(row)
        return TextTable.Cell(text, column.colour(row, text))
      }
    }
    guard let legend, output.isOpen else { return }
    output.write("\n" + style.hanging(legend).map { style.paint($0, .dim) + "\n" }.joined())
  }

  /// A column. It is left out if it is empty for every stream, unless it is always shown.
  private struct Column {
    var title: String
    var isNumber = false
    var isAlwaysThere = false
    var text: (Row) -> String
    var colour: (Row, String) -> Colour?
  }

  private typealias Layout = [(width: Int, column: Column)]

  /// Returns the columns, and what explains the branches.
  private func layout(of rows: some Sequence<Row>) -> (columns: Layout, legend: String?) {
    let columns = columns
    var widths = columns.map { DisplayWidth.of($0.title) }
    var isTold = columns.map(\.isAlwaysThere)
    var known: Set<String> = []
    var hasTwins = false
    var branches = TreeBranches(ascii: style.ascii)
    for row in rows {
      branches.add(row.branch, name: DisplayWidth.of(style.name(row.name)))
      hasTwins = !known.insert(identity(row)).inserted || hasTwins
      for (index, column) in columns.enumerated() {
        let text = column.text(row)
        let named =
          column.title == Self.place && text.isEmpty && style.width != nil
          ? place(in: row.name) : nil
        widths[index] = max(widths[index], DisplayWidth.of(named ?? text))
        isTold[index] = isTold[index] || text != "" && text != empty
      }
    }
    // In a tree, the streams above and below tell those of the same name apart.
    let shown = columns.indices.filter { index in
      isTold[index] && (columns[index].title != Self.id || hasTwins && branches.deepest == 0)
    }
    let layout = shown.map { (widths[$0], columns[$0]) }
    guard let room = style.width else { return (layout, nil) }
    var names = Self.names(of: fit(layout, branches, in: room), layout)
    if !branches.fit(in: names) {
      branches.isNarrow = true
      names = Self.names(of: fit(layout, branches, in: room), layout)
    }
    return (fitting(layout, branches, in: room), branches.legend(in: names))
  }

  /// What tells streams apart.
  private func identity(_ row: Row) -> String {
    let stream = row.stream
    return "\(row.name) \(stream.recording) \(stream.definition.place?.description ?? "")"
  }

  /// The columns that a narrow terminal has no room for, the first to go first. The stream and its
  /// place are always shown.
  private static let droppable = [
    "FIRST", "SUBSCRIBED", "OPERATOR", "ABSORBED", "INTERRUPTED", "COMPLETED", "LAST", "OPEN",
    "RATE", "FAILED", "ID", "VALUES", "PROCESS", "FEEDS BACK",
  ]

  private func fit(_ layout: Layout, _ branches: TreeBranches, in room: Int) -> [Int?] {
    ColumnFit.widths(
      layout.map { width, column in
        column.isAlwaysThere
          ? .text(
            min(width, max(branches.wanted, DisplayWidth.of(column.title))),
            readable: branches.readable(atLeast: room < 100 ? 26 : 36, in: room))
          : .whole(width, rank: Self.droppable.firstIndex(of: column.title))
      }, in: room)
  }

  /// Returns the width of the names.
  private static func names(of fit: [Int?], _ layout: Layout) -> Int {
    zip(layout, fit).first { $0.0.column.isAlwaysThere }?.1 ?? 0
  }

  /// Shortens names and leaves out columns until a line fits.
  private func fitting(_ layout: Layout, _ branches: TreeBranches, in room: Int) -> Layout {
    let fit = fit(layout, branches, in: room)
    let names = Self.names(of: fit, layout)
    return zip(layout, fit).compactMap { column, width in
      guard let width else { return nil }
      var shortened = column.column
      if shortened.isAlwaysThere {
        shortened.text = { shown($0, branches, in: width) }
      } else if shortened.title == Self.place {
        // A name that shortens loses the place within it, and the line would have none.
        shortened.text = { row in
          let own = column.column.text(row)
          guard own.isEmpty, row.branch.isEmpty, DisplayWidth.of(row.name) > names else {
            return own
          }
          return place(in: row.name) ?? ""
        }
      }
      return (width, shortened)
    }
  }

  private static let place = "PLACE"
  private static let id = "ID"

  /// Returns the place that a name begins with, as `property@Shop.swift:14.producer` does.
  private func place(in name: String) -> String? {
    guard let sign = name.firstIndex(of: "@"),
      let colon = name[sign...].firstIndex(of: ":"), !name[..<colon].contains("(")
    else { return nil }
    let digits = name[name.index(after: colon)...].prefix(while: \.isNumber)
    return digits.isEmpty
      ? nil : style.escaped(name[name.index(after: sign)...colon] + String(digits))
  }

  /// Returns the branches and the name in a number of columns.
  private func shown(_ row: Row, _ branches: TreeBranches, in width: Int) -> String {
    let branch = branches.shown(row.branch, in: width)
    let name = style.name(row.name)
    let room = max(width - DisplayWidth.of(branch), 1)
    guard DisplayWidth.of(name) > room else { return branch + name }
    let place = row.stream.definition.place?.description
    return branch + style.short(NameCut.name(name, beside: place), to: room)
  }

  private var columns: [Column] {
    [
      Column(
        title: "STREAM", isAlwaysThere: true,
        text: { $0.branch + style.name($0.name) },
        colour: { row, _ in .stream(row.stream.definition.name) }),
      text(Self.id, isNumber: true) { "\($0.definition.id)" },
      // Its name takes too much room; the first page has it.
      text("PROCESS", isNumber: true) { processes[$0.recording] == nil ? "" : "\($0.recording)" },
      text("OPERATOR") { style.escaped($0.definition.operation) },
      number("VALUES", \.values),
      number("FAILED", colour: .failed, \.failed),
      number("COMPLETED", \.completed),
      number("INTERRUPTED", \.interrupted),
      number("ABSORBED", \.absorbed),
      text("RATE", isNumber: true) { rate($0) },
      number("SUBSCRIBED", \.subscriptions),
      number("OPEN", \.open),
      text("FIRST", isNumber: true) { moment($0.firstTick) },
      text("LAST", isNumber: true) { moment($0.lastTick) },
      text(Self.place) { style.escaped($0.definition.place?.description ?? "") },
      Column(
        title: "FEEDS BACK", text: { $0.feedsBack.map { style.name($0) } ?? "" },
        colour: { row, _ in row.feedsBack.map { .stream($0) } }),
    ]
  }

  private var empty: String { style.ascii ? "-" : "·" }

  private func number(
    _ title: String, colour: Colour? = nil, _ path: KeyPath<StreamSummary, UInt64>
  ) -> Column {
    Column(
      title: title, isNumber: true,
      text: { row in
        let count = row.stream[keyPath: path]
        return count == 0 ? empty : Counted.grouped(count)
      },
      colour: { $1 == empty ? .dim : colour })
  }

  private func text(
    _ title: String, isNumber: Bool = false, _ cell: @escaping (StreamSummary) -> String
  ) -> Column {
    Column(
      title: title, isNumber: isNumber, text: { cell($0.stream) },
      colour: { _, _ in isNumber ? nil : .dim })
  }

  /// Returns the rate of values and ends per second, over the time in which the stream delivered.
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
}

extension ElapsedTime {
  /// Returns three decimals, in seconds or milliseconds, so that moments in a column line up.
  static func fixed(nanoseconds: UInt64, inSeconds: Bool) -> String {
    let thousandths = nanoseconds / (inSeconds ? 1_000_000 : 1_000)
    let digits = String(thousandths % 1_000 + 1_000).dropFirst()
    return "\(thousandths / 1_000).\(digits) \(inSeconds ? "s" : "ms")"
  }
}
