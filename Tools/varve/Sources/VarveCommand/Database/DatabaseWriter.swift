internal import CSQLite
internal import VarveAnalysis
internal import VarveFormat
internal import VarvePlatform
internal import VarveProbe

/// Writes a trace as a database of SQLite.
///
/// Everything is one transaction of prepared statements, whose cells point into the trace's columns:
/// nothing is allocated for an event. Several events are added by one statement, each behind all others
/// if they come thread by thread. The file is new, so there is no journal.
final class DatabaseWriter {
  private let database: SQLiteDatabase
  private let tables: TraceTables
  private var clock: TickConverter
  /// Adds `batch` events, or one.
  private let records: RecordRows
  private let record: RecordRows
  private let further: SQLiteStatement
  private var failure: SQLiteError?
  /// Events that have no number: the trace has too many threads.
  private(set) var leftOut: UInt64 = 0
  private var reasons: [String: UnsafeMutablePointer<CChar>] = [:]
  /// The rows of `counts` so far, by stream and kind.
  private var counts: [UInt64: Count] = [:]

  /// The memory for pages of the database that were changed or may be needed again, in KiB. Sorting
  /// takes as much beside it, and rows are added at few places: more makes nothing faster. Nor does
  /// another thread for sorting: it takes half as much time again, and saves hardly any.
  private static let cacheSize = 1_536
  /// The number of rows of `counts` that are kept in memory.
  private static let mostCounts = 1 << 16

  /// The number of events that are added at once: the start of a statement costs as much as an event.
  private static let batch = 16

  /// How many events of a kind a stream had.
  private struct Count {
    var events: Int64 = 0
    var first = Int64.max
    var last = Int64.min

    mutating func add(_ time: Int64) {
      events += 1
      first = min(first, time)
      last = max(last, time)
    }
  }

  /// Creates the tables in an empty file.
  init(
    _ path: String, _ tables: TraceTables, _ tasks: TaskRows, losses: [TraceLoss]
  ) throws(SQLiteError) {
    self.tables = tables
    clock = TickConverter(tables.reader.time)
    database = try SQLiteDatabase(path)
    try database.run(
      """
      PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -\(Self.cacheSize);
      PRAGMA temp_store = FILE; PRAGMA threads = 0; BEGIN
      """)
    try tables.write(losses, to: database)
    for statement in TraceSchema.stored { try database.run(statement) }
    try tasks.write(to: database)
    let kinds = try SQLiteStatement("INSERT INTO kinds VALUES (?, ?)", in: database)
    let types = try SQLiteStatement("INSERT INTO value_types VALUES (?, ?)", in: database)
    for raw in UInt8.min...UInt8.max {
      try kinds.run(.integer(Int64(raw)), .text(RecordKind.name(of: raw)))
      try types.run(.integer(Int64(raw)), SQLCell(EventValue.typeName(raw)))
    }
    records = try RecordRows(Self.batch, in: database)
    record = try RecordRows(1, in: database)
    further = try SQLiteStatement("INSERT INTO further_causes VALUES (?, ?)", in: database)
  }

  deinit { for text in reasons.values { free(text) } }

  /// Adds rows; returns false when no more can be written.
  func write(_ page: EventPage) -> Bool {
    page.forEachRun { entries, block in
      // Cells point into the block, so nothing is left waiting for events of the next.
      for start in stride(from: 0, to: entries.count, by: Self.batch) where failure == nil {
        let end = min(start + Self.batch, entries.count)
        add(entries[start..<end], block)
      }
    }
    return failure == nil
  }

  /// Makes the indices and views, and ends the transaction.
  func end(_ damage: [TraceFileError]) throws(SQLiteError) {
    if let failure { throw failure }
    try writeCounts()
    let damaged = try SQLiteStatement("INSERT INTO damage VALUES (?, ?)", in: database)
    for error in damage {
      try damaged.run(error.offset.map { SQLCell($0) } ?? .null, .text(error.description))
    }
    for statement in TraceSchema.indices + TraceSchema.overRecords { try database.run(statement) }
    for entry in TraceSchema.views { try database.run(entry.statement) }
    try database.run("ANALYZE sqlite_schema; COMMIT")
  }

  /// Adds at most `batch` events of a block.
  private func add(
    _ entries: Slice<UnsafeBufferPointer<EventPage.Entry>>, _ block: ColumnPointers
  ) {
    // If the last event has a number, those before it on its thread have one.
    let last = entries.last.flatMap { tables.numbers.number(block.name(Int($0.index))) }
    if entries.count == Self.batch, last != nil {
      for (row, entry) in entries.enumerated() {
        bind(Int(entry.index), block, row, of: records)
      }
      run(records)
    } else {
      for entry in entries where failure == nil {
        if bind(Int(entry.index), block, 0, of: record) { run(record) }
      }
    }
  }

  private func run(_ rows: RecordRows) {
    if failure == nil, !rows.run() { failure = database.error }
  }

  /// Fills a row with an event; returns false if the event has no number.
  @discardableResult
  private func bind(
    _ index: Int, _ block: ColumnPointers, _ row: Int, of rows: RecordRows
  ) -> Bool {
    let event = block.name(index)
    guard let id = tables.numbers.number(event) else {
      leftOut += 1
      return false
    }
    let (kind, word, raw) = (block.kinds[index], block.words[index], block.payloadKinds[index])
    let isHop = RecordKind(rawValue: kind)?.isHop ?? false
    let statement = rows.begin(row)
    func put(_ cell: RecordRows.Cell, _ number: Int64) {
      sqlite3_bind_int64(statement, rows.fill(cell), number)
    }
    let time = clock.nanoseconds(sinceStart: block.ticks[index])
    put(.id, id)
    put(.time, time)
    put(.kind, Int64(kind))
    let stream = block.streams[index]
    if isHop {
      put(.scheduler, Int64(stream))
    } else if stream != 0 {
      put(.stream, Int64(stream))
      count(stream, kind, time)
    }
    let subscription = block.subscriptions[index]
    if subscription != 0 { put(.subscription, Int64(bitPattern: subscription)) }
    put(.type, Int64(raw))
    let text = block.text(index)
    if EventValue.bind(raw, word, text, to: statement, rows.place(.value)) {
      _ = rows.fill(.value)
    }
    if let kept = EventValue.bytes(raw, word, text.count) {
      put(.bytes, kept.whole)
      put(.truncated, kept.isCut ? 1 : 0)
    }
    if raw >= PayloadKind.reason.rawValue,
      let reason = ReasonNames.name(kind: kind, payload: raw, word: word)
    {
      sqlite3_bind_text(statement, rows.fill(.reason), kept(reason), -1, nil)
    }
    if let cause = cause(of: index, event, block, id) { put(.cause, cause) }
    rows.end()
    return true
  }

  private func count(_ stream: UInt32, _ kind: UInt8, _ time: Int64) {
    counts[UInt64(stream) << 8 | UInt64(kind), default: Count()].add(time)
    guard counts.count >= Self.mostCounts else { return }
    do throws(SQLiteError) {
      try writeCounts()
    } catch {
      failure = error
    }
  }

  private func writeCounts() throws(SQLiteError) {
    let row = try SQLiteStatement(TraceSchema.addCount, in: database)
    for (key, count) in counts.sorted(by: { $0.key < $1.key }) {
      try row.run(
        .integer(Int64(key >> 8)), .integer(Int64(key & 0xff)), .integer(count.events),
        .integer(count.first), .integer(count.last))
    }
    counts.removeAll(keepingCapacity: true)
  }

  /// Returns the nearest cause of an event; writes rows for the others.
  private func cause(
    of index: Int, _ event: EventName, _ block: ColumnPointers, _ id: Int64
  ) -> Int64? {
    let back = UInt64(block.backs[index])
    if back == 0 { return nil }
    if !block.hasNamedCauses, back != UInt32.max, back < event.sequence { return id - Int64(back) }
    var first: Int64?
    block.forEachCause(of: index) { name in
      guard let number = tables.numbers.number(name) else { return }
      if first == nil { first = number } else { addFurther(number, of: id) }
    }
    return first
  }

  private func addFurther(_ cause: Int64, of id: Int64) {
    guard failure == nil else { return }
    do throws(SQLiteError) {
      try further.run(.integer(id), .integer(cause))
    } catch {
      failure = error
    }
  }

  /// Returns a reason in memory that stays.
  private func kept(_ reason: String) -> UnsafePointer<CChar>? {
    if let known = reasons[reason] { return UnsafePointer(known) }
    guard let copy = strdup(reason) else { return nil }
    reasons[reason] = copy
    return UnsafePointer(copy)
  }
}
