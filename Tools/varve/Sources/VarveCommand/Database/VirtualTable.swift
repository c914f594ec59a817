internal import CSQLite
internal import VarveAnalysis
internal import VarveFormat
internal import VarvePlatform

/// A table that SQLite reads out of a trace.
protocol VirtualTable: AnyObject {
  /// The columns, as `CREATE TABLE` declares them.
  static var columns: String { get }
  /// The trace that it reads.
  var trace: QueriedTrace { get }

  init(_ trace: QueriedTrace)

  /// Chooses a way to read it.
  func plan(_ plan: inout TablePlan)
  /// Creates a cursor.
  func cursor() -> any TableCursor
}

/// A position in a virtual table.
protocol TableCursor: AnyObject {
  var isAtEnd: Bool { get }
  var rowNumber: Int64 { get }
  func start(_ plan: String, _ number: Int32, _ values: [OpaquePointer]) throws(SelectionError)
  func step()
  func give(_ column: Int32, to context: OpaquePointer?)
}

/// What SQLite asks of a table, and how the table would answer.
struct TablePlan {
  /// SQLite's own description.
  let asked: UnsafeMutablePointer<sqlite3_index_info>
  /// The conditions that are handed to the cursor, in order.
  private(set) var code: [UInt8] = []
  private var handed: Int32 = 0

  init(_ asked: UnsafeMutablePointer<sqlite3_index_info>) { self.asked = asked }

  /// The conditions that can be used, by their positions.
  var constraints: [(position: Int, column: Int32, operation: UInt8)] {
    (0..<Int(asked.pointee.nConstraint)).compactMap { position in
      let one = asked.pointee.aConstraint[position]
      guard one.usable != 0, comparesAsBytes(position, one.op) else { return nil }
      return (position, one.iColumn, one.op)
    }
  }

  /// Whether texts that are compared are equal when their bytes are.
  private func comparesAsBytes(_ position: Int, _ operation: UInt8) -> Bool {
    guard Int32(operation) == SQLITE_INDEX_CONSTRAINT_EQ,
      let collation = sqlite3_vtab_collation(asked, Int32(position))
    else { return true }
    return strcasecmp(collation, "BINARY") == 0
  }

  /// Has the value of a condition handed to the cursor. SQLite tests the condition nonetheless.
  mutating func hand(_ position: Int, _ code: [UInt8]) {
    handed += 1
    asked.pointee.aConstraintUsage[position].argvIndex = handed
    self.code += code
  }

  /// Says how much of the table is read.
  func say(rows: Double, cost: Double, number: Int32 = 0, isInOrder: Bool = false) {
    asked.pointee.estimatedRows = Int64(max(rows, 1))
    asked.pointee.estimatedCost = max(cost, 1)
    asked.pointee.idxNum = number
    if rows <= 1 { asked.pointee.idxFlags = SQLITE_INDEX_SCAN_UNIQUE }
    if isInOrder { asked.pointee.orderByConsumed = 1 }
    guard !code.isEmpty, let text = sqlite3_malloc(Int32(code.count + 1)) else { return }
    let bytes = text.assumingMemoryBound(to: CChar.self)
    for (index, byte) in code.enumerated() { bytes[index] = CChar(bitPattern: byte) }
    bytes[code.count] = 0
    asked.pointee.idxStr = bytes
    asked.pointee.needToFreeIdxStr = 1
  }
}

extension VirtualTable {
  /// Gives a database this table under a name. The trace must outlive the database.
  static func add(_ name: String, of trace: QueriedTrace, to database: SQLiteDatabase)
    throws(SQLiteError)
  {
    // SQLite keeps the address of the module as long as the database is open: until the process ends.
    let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    module.initialize(to: Self.module)
    let table = Unmanaged.passRetained(VirtualTableOwner(Self.self, trace))
    let code = sqlite3_create_module_v2(
      database.handle, name, module, table.toOpaque(),
      { if let it = $0 { Unmanaged<VirtualTableOwner>.fromOpaque(it).release() } })
    guard code == SQLITE_OK else { throw database.error }
  }

  private static var module: sqlite3_module {
    var module = sqlite3_module()
    // Without a function that creates it, the table is there without being created.
    module.xConnect = VirtualTableCalls.connect
    module.xDisconnect = VirtualTableCalls.disconnect
    module.xBestIndex = VirtualTableCalls.plan
    module.xOpen = VirtualTableCalls.open
    module.xClose = VirtualTableCalls.close
    module.xFilter = VirtualTableCalls.start
    module.xNext = VirtualTableCalls.step
    module.xEof = VirtualTableCalls.isAtEnd
    module.xColumn = VirtualTableCalls.give
    module.xRowid = VirtualTableCalls.row
    return module
  }
}

/// What SQLite keeps for a module: how to make its table.
final class VirtualTableOwner {
  let columns: String
  let table: any VirtualTable

  init<Table: VirtualTable>(_ type: Table.Type, _ trace: QueriedTrace) {
    columns = type.columns
    table = type.init(trace)
  }
}

/// A cursor as SQLite keeps it.
final class VirtualCursorOwner {
  let cursor: any TableCursor
  init(_ cursor: any TableCursor) { self.cursor = cursor }
}

/// The functions that SQLite calls.
private enum VirtualTableCalls {
  static let connect:
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, Int32, UnsafePointer<UnsafePointer<CChar>?>?,
      UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
      UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> Int32 = { database, owner, _, _, made, _ in
      guard let owner, let made else { return SQLITE_ERROR }
      let it = Unmanaged<VirtualTableOwner>.fromOpaque(owner).takeUnretainedValue()
      let code = sqlite3_declare_vtab(database, "CREATE TABLE x (\(it.columns))")
      guard code == SQLITE_OK else { return code }
      let table = UnsafeMutablePointer<varve_table>.allocate(capacity: 1)
      table.initialize(to: varve_table(base: sqlite3_vtab(), owner: owner))
      made.pointee = UnsafeMutableRawPointer(table).assumingMemoryBound(to: sqlite3_vtab.self)
      return SQLITE_OK
    }

  static let disconnect: @convention(c) (UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 = { table in
    if let table {
      UnsafeMutableRawPointer(table).assumingMemoryBound(to: varve_table.self).deallocate()
    }
    return SQLITE_OK
  }

  static let plan:
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vtab>?, UnsafeMutablePointer<sqlite3_index_info>?
    ) -> Int32 = { table, asked in
      guard let table = owner(of: table), let asked else { return SQLITE_ERROR }
      var plan = TablePlan(asked)
      table.plan(&plan)
      return SQLITE_OK
    }

  static let open:
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vtab>?,
      UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
    ) -> Int32 = { table, made in
      guard let table = owner(of: table), let made else { return SQLITE_ERROR }
      let owner = Unmanaged.passRetained(VirtualCursorOwner(table.cursor()))
      let cursor = UnsafeMutablePointer<varve_cursor>.allocate(capacity: 1)
      cursor.initialize(to: varve_cursor(base: sqlite3_vtab_cursor(), owner: owner.toOpaque()))
      made.pointee = UnsafeMutableRawPointer(cursor).assumingMemoryBound(
        to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }

  static let close: @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 = {
    cursor in
    guard let cursor else { return SQLITE_OK }
    let memory = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: varve_cursor.self)
    if let owner = memory.pointee.owner {
      Unmanaged<VirtualCursorOwner>.fromOpaque(owner).release()
    }
    memory.deallocate()
    return SQLITE_OK
  }

  static let start:
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vtab_cursor>?, Int32, UnsafePointer<CChar>?, Int32,
      UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32 = { pointer, number, plan, count, values in
      guard let cursor = moved(by: pointer) else { return SQLITE_ERROR }
      do throws(SelectionError) {
        let given = (0..<Int(count)).compactMap { values?[$0] }
        try cursor.start(plan.map { String(cString: $0) } ?? "", number, given)
        return SQLITE_OK
      } catch {
        guard let table = pointer?.pointee.pVtab else { return SQLITE_ERROR }
        sqlite3_free(table.pointee.zErrMsg)
        table.pointee.zErrMsg = copy(error.message)
        return SQLITE_ERROR
      }
    }

  static let step: @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 = {
    moved(by: $0)?.step()
    return SQLITE_OK
  }

  static let isAtEnd: @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 = {
    moved(by: $0)?.isAtEnd ?? true ? 1 : 0
  }

  static let give:
    @convention(c) (UnsafeMutablePointer<sqlite3_vtab_cursor>?, OpaquePointer?, Int32) -> Int32 = {
      moved(by: $0)?.give($2, to: $1)
      return SQLITE_OK
    }

  static let row:
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vtab_cursor>?, UnsafeMutablePointer<sqlite3_int64>?
    ) -> Int32 = {
      $1?.pointee = moved(by: $0)?.rowNumber ?? 0
      return SQLITE_OK
    }

  private static func owner(
    of table: UnsafeMutablePointer<sqlite3_vtab>?
  ) -> (any VirtualTable)? {
    table.flatMap {
      UnsafeMutableRawPointer($0).assumingMemoryBound(to: varve_table.self).pointee.owner
    }.map { Unmanaged<VirtualTableOwner>.fromOpaque($0).takeUnretainedValue().table }
  }

  private static func moved(
    by cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
  ) -> (any TableCursor)? {
    cursor.flatMap {
      UnsafeMutableRawPointer($0).assumingMemoryBound(to: varve_cursor.self).pointee.owner
    }.map { Unmanaged<VirtualCursorOwner>.fromOpaque($0).takeUnretainedValue().cursor }
  }

  private static func copy(_ text: String) -> UnsafeMutablePointer<CChar>? {
    let count = text.utf8.count
    guard let memory = sqlite3_malloc(Int32(count + 1)) else { return nil }
    let bytes = memory.assumingMemoryBound(to: CChar.self)
    for (index, byte) in text.utf8.enumerated() { bytes[index] = CChar(bitPattern: byte) }
    bytes[count] = 0
    return bytes
  }
}
