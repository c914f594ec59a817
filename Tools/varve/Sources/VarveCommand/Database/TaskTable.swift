internal import CSQLite
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// The tasks of a trace as rows, in the order of `TraceSchema.taskColumns`.
struct TaskRows {
  let rows: [[SQLCell]]
  let damage: [TraceFileError]
  let passedOver: PassedOver

  /// Reads the tasks as they are at the end. A trace without records of tasks is not read.
  init(_ tables: TraceTables) throws(SelectionError) {
    let reader = tables.reader
    guard TraceTasks.areRecorded(in: reader) else {
      (rows, damage, passedOver) = ([], [], PassedOver())
      return
    }
    let tasks = try TraceTasks(reader, includesEnded: true)
    let symbols = tables.symbols
    _ = symbols?.lookUp(tasks.tasks.flatMap { $0.frames + $0.made })
    let words = symbols.map { TaskText.FrameWords($0) }
    func time(_ tick: UInt64?) -> SQLCell {
      tick.map { .integer(reader.time.nanoseconds(sinceStart: $0)) } ?? .null
    }
    rows = tasks.tasks.map { task in
      let kind = words?.kind(of: task) ?? task.kind
      let awaiting = words?.awaited(by: task) ?? task.awaiting
      return [
        SQLCell(task.id), SQLCell(task.name), .text(kind.rawValue),
        .integer(Int64(task.priority)), SQLCell(task.parent), SQLCell(task.maker),
        .text(task.phase.rawValue), SQLCell(awaiting?.rawValue), SQLCell(task.awaitedTask),
        SQLCell(task.executor), .integer(task.isCancelled ? 1 : 0), SQLCell(task.failure),
        SQLCell(words?.maker(of: task)), time(task.born), time(task.since),
      ]
    }
    damage = tasks.damage
    passedOver = tasks.passedOver
  }

  /// Adds the rows to the table of a database.
  func write(to database: SQLiteDatabase) throws(SQLiteError) {
    guard let first = rows.first else { return }
    let cells = first.map { _ in "?" }.joined(separator: ", ")
    let insert = try SQLiteStatement("INSERT INTO tasks VALUES (\(cells))", in: database)
    for row in rows { try insert.run(row) }
  }
}

/// The virtual table `tasks`. The trace is read for it when it is first asked for.
final class TaskTable: VirtualTable {
  static let columns = TraceSchema.taskColumns
  let trace: QueriedTrace
  private var known: TaskRows?

  init(_ trace: QueriedTrace) { self.trace = trace }

  func plan(_ plan: inout TablePlan) {
    let all = Double(trace.reader.events)
    plan.say(rows: all / 10, cost: 1_000 + all / 10)
  }

  func cursor() -> any TableCursor { Cursor(self) }

  private func rows() throws(SelectionError) -> [[SQLCell]] {
    if let known { return known.rows }
    let read = try TaskRows(trace.tables)
    trace.report(read.damage, read.passedOver)
    known = read
    return read.rows
  }

  private final class Cursor: TableCursor {
    private let table: TaskTable
    private var rows: [[SQLCell]] = []
    private var position = 0

    init(_ table: TaskTable) { self.table = table }

    var isAtEnd: Bool { position >= rows.count }
    var rowNumber: Int64 { Int64(position) }

    func start(
      _ plan: String, _ number: Int32, _ values: [OpaquePointer]
    ) throws(SelectionError) {
      rows = try table.rows()
      position = 0
    }

    func step() { position += 1 }

    func give(_ column: Int32, to context: OpaquePointer?) {
      switch rows[position][Int(column)] {
      case .integer(let number): sqlite3_result_int64(context, number)
      case .text(let text): varve_result_copied_text(context, text, Int32(text.utf8.count))
      case .null: sqlite3_result_null(context)
      }
    }
  }
}
