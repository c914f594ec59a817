internal import ArgumentParser
internal import CSQLite
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat
internal import VarveMarbles
internal import VarvePlatform

/// `varve query FILE 'SELECT …'`
struct Query: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "Asks a trace in SQL, without an export.",
    discussion: """
      The dialect is SQLite's. The table events has a row for each event, with the keys of the NDJSON \
      form and the place of its stream. Conditions on time_ns, kind, name, stream, operator, place, \
      thread, event and id decide which blocks are read. The flags that select events leave out the \
      others in events, causes and kind_counts, and in the views above them; all_events and all_causes \
      have them nonetheless, and cause_steps tells them as causes. --head and --tail choose rows of the \
      answer. At a terminal, SELECT * shows the columns that there is room for; columns that are named \
      are all shown, each on a line of its own where they have no room beside each other. --schema \
      lists all tables and views; \
      varve export --format sqlite writes a database with the same ones.
      """)

  static let examples = [
    (
      command: "varve query shop.varve 'SELECT * FROM stream_counts ORDER BY deliveries DESC'",
      meaning: "the busiest streams"
    ),
    (
      command: "varve query shop.varve 'SELECT * FROM open_observations'",
      meaning: "what was open at the end"
    ),
    (
      command: "varve query shop.varve 'SELECT * FROM slowest_work LIMIT 10'",
      meaning: "the slowest work"
    ),
    (
      command: "varve query shop.varve \"SELECT * FROM cause_steps WHERE event = '4.1749'\"",
      meaning: "what led to an event"
    ),
    (
      command: "varve query shop.varve -n 'search*' --since -1s 'SELECT * FROM stream_counts'",
      meaning: "some streams at the end"
    ),
    (command: "varve query shop.varve --schema", meaning: "all tables and views"),
  ]

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, ndjson, json, csv

    var form: RowWriter.Form {
      switch self {
      case .text: .text
      case .ndjson: .ndjson
      case .json: .json
      case .csv: .csv
      }
    }
  }

  @Argument(help: TraceInput.oneHelp, completion: .file()) var file: String
  @Argument(help: ArgumentHelp("The question. - reads it from standard input.", valueName: "sql"))
  var question: String?
  @Flag(help: "List the tables and views, and what each answers.") var schema = false
  @Option(help: "text, ndjson, json or csv.") var format = Format.text
  @OptionGroup var symbols: SymbolOptions
  @OptionGroup var selection: SelectionOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    output.page()
    guard schema || question != nil else {
      let command = TraceCommand([file]).line("query")
      throw CommandEnd(
        .wrongUsage, "there is no question; \(command) --schema lists what can be asked about")
    }
    _ = try selection.selection()
    var trace = try OpenedTrace(file, output)
    let chosen = try selection.selection(in: trace.reader)
    let isStrange = selection.warnOfStrangers(chosen, trace.reader.definitions)
    let tables = TraceTables(trace.reader, symbols: symbols.symbolizer(trace.reader))
    let queried = try QueriedTrace(tables, chosen)
    let whole = try QueriedTrace(tables, Selection())
    let database: SQLiteDatabase
    do throws(SQLiteError) {
      database = try self.database(queried, whole)
    } catch {
      throw CommandEnd(.unreadable, "SQLite: \(error.message)")
    }
    let lines = StandardOutput.open()
    var count: UInt64 = 0
    if schema {
      try describe(database, to: lines)
      count = 1
    } else if let question {
      let text = question == "-" ? Self.standardInput() : question
      count = try ask(text, of: database, &trace, to: lines)
    }
    try StandardOutput.close(lines)
    queried.report(whole.damage, queried.passedOver.merged(whole.passedOver))
    trace.report(queried.damage, queried.passedOver)
    try trace.end(found: count > 0, orSay: isStrange ? nil : "the answer has no rows")
  }

  /// Creates a database in memory, with the trace's tables and all views.
  ///
  /// - Parameter whole: the same trace, without a choice of events.
  private func database(
    _ trace: QueriedTrace, _ whole: QueriedTrace
  ) throws(SQLiteError) -> SQLiteDatabase {
    let database = try SQLiteDatabase(":memory:")
    // What does not fit is sorted in files.
    try database.run("PRAGMA temp_store = FILE; PRAGMA cache_size = -16384")
    try database.run("BEGIN")
    try trace.tables.write(trace.reader.losses, to: database)
    try EventTable.add("events", of: trace, to: database)
    try CauseTable.add("causes", of: trace, to: database)
    try EventTable.add("all_events", of: whole, to: database)
    try CauseTable.add("all_causes", of: whole, to: database)
    try CountTable.add("kind_counts", of: trace, to: database)
    try TaskTable.add("tasks", of: whole, to: database)
    for view in TraceSchema.views { try database.run(view.statement) }
    try database.run("COMMIT; PRAGMA query_only = ON")
    // Other files are neither read nor made.
    sqlite3_limit(database.handle, SQLITE_LIMIT_ATTACHED, 0)
    return database
  }

  private static func standardInput() -> String {
    var bytes: [UInt8] = []
    while let line = readLine(strippingNewline: false) { bytes += line.utf8 }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: - Questions

  /// Asks one question, or several after each other, and writes the answers; returns the number of
  /// rows.
  private func ask(
    _ text: String, of database: SQLiteDatabase, _ trace: inout OpenedTrace, to lines: ByteOutput
  ) throws -> UInt64 {
    var rest = text[...]
    var count: UInt64 = 0
    while !rest.allSatisfy(\.isWhitespace), lines.isOpen {
      let statement: OpaquePointer?
      (statement, rest) = try prepare(rest, of: text, database, after: lines)
      guard let statement else { continue }
      defer { sqlite3_finalize(statement) }
      let titles = (0..<sqlite3_column_count(statement)).map {
        sqlite3_column_name(statement, $0).map { String(cString: $0) } ?? ""
      }
      let own = sqlite3_sql(statement).map { String(cString: $0) } ?? ""
      let writer = RowWriter(
        titles, format.form, style: output.style, keepsAll: !Self.takesAllColumns(own),
        output: lines)
      var rows = ListedRows(head: selection.head, tail: selection.tail)
      var code = sqlite3_step(statement)
      while code == SQLITE_ROW, lines.isOpen, !rows.isComplete {
        let row = (0..<sqlite3_column_count(statement)).map { Self.cell(statement, $0) }
        if let row = rows.next(row) { writer.write(row) }
        if !rows.isComplete { code = sqlite3_step(statement) }
      }
      for row in rows.last { writer.write(row) }
      writer.end()
      count += writer.count
      trace.note(writer.notes)
      if code != SQLITE_ROW, code != SQLITE_DONE {
        try StandardOutput.close(lines)
        throw CommandEnd(.wrongUsage, Self.explained(database.error.message))
      }
    }
    return count
  }

  private func prepare(
    _ rest: Substring, of text: String, _ database: SQLiteDatabase, after lines: ByteOutput
  ) throws -> (OpaquePointer?, Substring) {
    var statement: OpaquePointer?
    var length = 0
    let code = String(rest).withCString { start in
      var end: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v2(database.handle, start, -1, &statement, &end)
      length = end.map { $0 - start } ?? 0
      return code
    }
    guard code == SQLITE_OK else {
      let error = database.error
      try StandardOutput.close(lines)
      let before = text.utf8.count - rest.utf8.count
      let place = error.offset.map { offset in
        let end = text.utf8.index(text.startIndex, offsetBy: before + offset)
        return SelectionError.Excerpt(text: text, offset: text[..<end].count)
      }
      throw SelectionError(Self.explained(error.message), excerpt: place)
    }
    return (statement, rest[rest.utf8.index(rest.startIndex, offsetBy: length)...])
  }

  /// Returns whether a question takes columns without naming them: it has a `*` other than that of
  /// `count(*)`.
  private static func takesAllColumns(_ question: String) -> Bool {
    let plain = question.filter { !$0.isWhitespace }
    return plain.replacing("(*)", with: "").contains("*")
  }

  private static func explained(_ message: String) -> String {
    if message.hasPrefix("no such table") || message.hasPrefix("no such column") {
      return "\(message); --schema lists the tables and views with their columns"
    }
    if message.contains("readonly database") || message.contains("attached databases") {
      return "a query changes nothing; varve export --format sqlite writes a database that is yours"
    }
    return message
  }

  private static func cell(_ statement: OpaquePointer, _ column: Int32) -> RowCell {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      guard let text = sqlite3_column_text(statement, column) else { return .nothing }
      let count = Int(sqlite3_column_bytes(statement, column))
      return .text(String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      let count = Int(sqlite3_column_bytes(statement, column))
      let bytes = UnsafeRawBufferPointer(
        start: sqlite3_column_blob(statement, column), count: count)
      return .bytes(Array(bytes))
    default: return .nothing
    }
  }

  // MARK: - The schema

  /// The width of the lists of columns where there is more room.
  private static let widest = 78

  /// Lists the tables and views with their columns.
  private func describe(_ database: SQLiteDatabase, to lines: ByteOutput) throws {
    let virtual = [
      ("events", TraceSchema.eventsAnswer), ("kind_counts", TraceSchema.countsAnswer),
      ("tasks", TraceSchema.tasksAnswer),
      ("causes", TraceSchema.causesAnswer), ("all_events", TraceSchema.allEventsAnswer),
      ("all_causes", TraceSchema.allCausesAnswer),
    ]
    let others = (TraceSchema.views + TraceSchema.definitions).map { ($0.name, $0.answers) }
    let rows = (virtual + others).map { name, answers in
      (name: name, answers: answers, columns: columns(of: name, database))
    }
    guard format == .text else {
      let writer = RowWriter(
        ["name", "answers", "columns"], format.form, style: output.style, output: lines)
      for row in rows {
        writer.write([
          .text(row.name), .text(row.answers), .text(row.columns.joined(separator: " ")),
        ])
      }
      return writer.end()
    }
    let style = output.style
    for row in rows {
      var text = style.hanging("\(row.name): \(row.answers)")
      // Columns are many: a file has them in lines, too.
      var narrow = style
      narrow.width = min(style.width ?? Self.widest, Self.widest)
      text += narrow.wrapped(row.columns.joined(separator: ", "), indent: 4).map { "    " + $0 }
      for line in text { lines.write(line + "\n") }
    }
  }

  private func columns(of name: String, _ database: SQLiteDatabase) -> [String] {
    var statement: OpaquePointer?
    guard
      sqlite3_prepare_v2(database.handle, "SELECT * FROM \(name)", -1, &statement, nil)
        == SQLITE_OK, let statement
    else { return [] }
    defer { sqlite3_finalize(statement) }
    return (0..<sqlite3_column_count(statement)).compactMap {
      sqlite3_column_name(statement, $0).map { String(cString: $0) }
    }
  }
}
