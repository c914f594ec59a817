internal import CSQLite

/// An error of SQLite: what it says, and where in the statement it is.
struct SQLiteError: Error {
  let message: String
  /// The number of bytes of the statement before the mistake; nil when that is not known.
  let offset: Int?
}

/// A connection to a database.
final class SQLiteDatabase {
  /// SQLite's own handle.
  let handle: OpaquePointer

  /// Opens a database for this thread alone.
  ///
  /// - Parameter path: its file; `:memory:` for none.
  init(_ path: String) throws(SQLiteError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close(opened)
      throw SQLiteError(message: message, offset: nil)
    }
    handle = opened
  }

  deinit { sqlite3_close(handle) }

  /// Runs statements that return nothing.
  func run(_ statements: String) throws(SQLiteError) {
    guard sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK else { throw error }
  }

  /// The last error.
  var error: SQLiteError {
    let offset = Int(varve_error_offset(handle))
    return SQLiteError(
      message: String(cString: sqlite3_errmsg(handle)), offset: offset < 0 ? nil : offset)
  }
}

/// A prepared statement.
final class SQLiteStatement {
  /// SQLite's own handle.
  let handle: OpaquePointer
  private let database: SQLiteDatabase

  /// Prepares a statement.
  init(_ text: String, in database: SQLiteDatabase) throws(SQLiteError) {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(database.handle, text, -1, &prepared, nil) == SQLITE_OK, let prepared
    else { throw database.error }
    handle = prepared
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  /// Runs a statement that returns nothing, with the given cells.
  func run(_ cells: SQLCell...) throws(SQLiteError) { try run(cells) }

  /// Runs it with these values for its parameters.
  func run(_ cells: [SQLCell]) throws(SQLiteError) {
    for (index, cell) in cells.enumerated() { bind(cell, Int32(index + 1)) }
    guard sqlite3_step(handle) == SQLITE_DONE else { throw database.error }
    sqlite3_reset(handle)
  }

  private func bind(_ cell: SQLCell, _ place: Int32) {
    switch cell {
    case .null: sqlite3_bind_null(handle, place)
    case .integer(let number): sqlite3_bind_int64(handle, place, number)
    case .text(let text):
      varve_bind_copied_text(handle, place, text, Int32(text.utf8.count))
    }
  }
}

/// A cell of the tables of what events refer to.
enum SQLCell {
  case null
  case integer(Int64)
  case text(String)

  /// A text, or nothing.
  init(_ text: String?) { self = text.map { .text($0) } ?? .null }

  /// A number, or nothing.
  init(_ number: UInt64?) {
    self = number.map { SQLCell($0) } ?? .null
  }

  /// A number. SQLite's integers are signed: a larger one becomes text rather than another number.
  init(_ number: UInt64) {
    self = Int64(exactly: number).map { .integer($0) } ?? .text("\(number)")
  }
}
