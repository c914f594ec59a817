internal import CSQLite
internal import VarveAnalysis
internal import VarveFormat
internal import VarvePlatform
internal import VarveProbe

/// Writes a trace as a database of SQLite.
///
/// Everything is one transaction of prepared statements, whose cells point into the trace's columns:
/// nothing is allocated for an event. The file is new, so there is no journal.
final class DatabaseWriter {
  private let database: SQLiteDatabase
  private let tables: TraceTables
  private var clock: TickConverter
  private let record: SQLiteStatement
  private let further: SQLiteStatement
  private var failure: SQLiteError?
  /// Events that have no number: the trace has too many threads.
  private(set) var leftOut: UInt64 = 0
  /// The cells that hold something at the moment: others need not be emptied.
  private var filled: UInt32 = 0
  private var reasons: [String: UnsafeMutablePointer<CChar>] = [:]
  /// The rows of `counts` so far, by stream and kind.
  private var counts: [UInt64: Count] = [:]

  /// The memory for pages of the database that were changed or may be needed again, in KiB. Sorting
  /// takes twice as much beside it, and rows are added at few places: more makes nothing faster.
  private static let cacheSize = 3_072
  /// The number of rows of `counts` that are kept in memory.
  private static let mostCounts = 1 << 16

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

  private enum Cell: Int32 {
    case id = 1
    case time, kind, stream, scheduler, subscription, value, type, reason, cause, bytes, truncated
  }

  /// Creates the tables in an empty file.
  init(_ path: String, _ tables: TraceTables, losses: [TraceLoss]) throws(SQLiteError) {
    self.tables = tables
    clock = TickConverter(tables.reader.time)
    database = try SQLiteDatabase(path)
    try database.run(
      """
      PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -\(Self.cacheSize);
      PRAGMA temp_store = FILE; PRAGMA threads = 1; BEGIN
      """)
    try tables.write(losses, to: database)
    for statement in TraceSchema.stored { try database.run(statement) }
    let kinds = try SQLiteStatement("INSERT INTO kinds VALUES (?, ?)", in: database)
    let types = try SQLiteStatement("INSERT INTO value_types VALUES (?, ?)", in: database)
    for raw in UInt8.min...UInt8.max {
      try kinds.run(.integer(Int64(raw)), .text(RecordKind.name(of: raw)))
      try types.run(.integer(Int64(raw)), SQLCell(EventValue.typeName(raw)))
    }
    record = try SQLiteStatement(
      "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", in: database)
    further = try SQLiteStatement("INSERT INTO further_causes VALUES (?, ?)", in: database)
  }

  deinit { for text in reasons.values { free(text) } }

  /// Adds rows; returns false when no more can be written.
  func write(_ page: EventPage) -> Bool {
    page.forEachRun { entries, block, batch in
      for entry in entries where failure == nil { add(Int(entry.index), block, batch) }
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

  private func add(_ index: Int, _ block: ColumnPointers, _ batch: EventBatch) {
    let statement = record.handle
    let event = block.name(index)
    guard let id = tables.numbers.number(event) else {
      leftOut += 1
      return
    }
    let (kind, word, raw) = (block.kinds[index], block.words[index], block.payloadKinds[index])
    let isHop = RecordKind(rawValue: kind)?.isHop ?? false
    var now: UInt32 = 0
    func put(_ cell: Cell, _ number: Int64) {
      sqlite3_bind_int64(statement, cell.rawValue, number)
      now |= 1 << UInt32(cell.rawValue)
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
    if EventValue.bind(raw, word, text, to: statement, Cell.value.rawValue) {
      now |= 1 << UInt32(Cell.value.rawValue)
    }
    if let kept = EventValue.bytes(raw, word, text.count) {
      put(.bytes, kept.whole)
      put(.truncated, kept.isCut ? 1 : 0)
    }
    if raw == PayloadKind.reason.rawValue, let reason = ReasonNames.name(kind: kind, word: word) {
      sqlite3_bind_text(statement, Cell.reason.rawValue, kept(reason), -1, nil)
      now |= 1 << UInt32(Cell.reason.rawValue)
    }
    if let cause = cause(of: index, event, block, batch, id) { put(.cause, cause) }
    var stale = filled & ~now
    while stale != 0 {
      sqlite3_bind_null(statement, Int32(stale.trailingZeroBitCount))
      stale &= stale - 1
    }
    filled = now
    if sqlite3_step(statement) != SQLITE_DONE { failure = database.error }
    sqlite3_reset(statement)
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
    of index: Int, _ event: EventName, _ block: ColumnPointers, _ batch: EventBatch, _ id: Int64
  ) -> Int64? {
    let back = UInt64(block.backs[index])
    if back == 0 { return nil }
    if !block.hasNamedCauses, back != UInt32.max, back < event.sequence { return id - Int64(back) }
    let all = batch.columns.causes(of: index).compactMap { tables.numbers.number($0) }
    for other in all.dropFirst() where failure == nil {
      do throws(SQLiteError) {
        try further.run(.integer(id), .integer(other))
      } catch {
        failure = error
      }
    }
    return all.first
  }

  /// Returns a reason in memory that stays.
  private func kept(_ reason: String) -> UnsafePointer<CChar>? {
    if let known = reasons[reason] { return UnsafePointer(known) }
    guard let copy = strdup(reason) else { return nil }
    reasons[reason] = copy
    return UnsafePointer(copy)
  }
}
