internal import CSQLite

/// A statement that adds some rows to the table of events.
///
/// Its cells keep what they hold from one run to the next, and most rows fill the same ones: only those
/// that a row leaves are emptied.
final class RecordRows {
  /// The columns.
  enum Cell: Int32 {
    case id, time, kind, stream, scheduler, subscription, value, type, reason, cause, bytes
    case truncated

    static let count: Int32 = 12
  }

  private let statement: SQLiteStatement
  /// The cells of each row that hold something, a bit for each.
  private var filled: [UInt32]
  /// The row that is being filled, and its cells so far.
  private var row = 0
  private var now: UInt32 = 0

  /// Prepares to add a number of rows at once.
  init(_ count: Int, in database: SQLiteDatabase) throws(SQLiteError) {
    let row = "(" + Array(repeating: "?", count: Int(Cell.count)).joined(separator: ", ") + ")"
    let rows = Array(repeating: row, count: count).joined(separator: ", ")
    statement = try SQLiteStatement("INSERT INTO records VALUES \(rows)", in: database)
    filled = Array(repeating: 0, count: count)
  }

  /// Begins a row; returns the statement, to bind cells of it.
  func begin(_ row: Int) -> OpaquePointer {
    (self.row, now) = (row, 0)
    return statement.handle
  }

  /// The number of a cell of the row among all of the statement.
  func place(_ cell: Cell) -> Int32 { Int32(row) * Cell.count + cell.rawValue + 1 }

  /// Notes that a cell is filled, and returns its number.
  func fill(_ cell: Cell) -> Int32 {
    now |= 1 << UInt32(cell.rawValue)
    return place(cell)
  }

  /// Empties the cells that were filled by an earlier run, and not by this one.
  func end() {
    var stale = filled[row] & ~now
    while stale != 0 {
      let first = Int32(row) * Cell.count + 1
      sqlite3_bind_null(statement.handle, first + Int32(stale.trailingZeroBitCount))
      stale &= stale - 1
    }
    filled[row] = now
  }

  /// Adds the rows; returns false if that failed.
  func run() -> Bool {
    defer { sqlite3_reset(statement.handle) }
    return sqlite3_step(statement.handle) == SQLITE_DONE
  }
}
