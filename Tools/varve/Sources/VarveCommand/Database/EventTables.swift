internal import CSQLite
internal import VarveAnalysis
internal import VarveFormat

/// The virtual table `events`.
final class EventTable: VirtualTable {
  static let columns = TraceSchema.eventColumns
  let trace: QueriedTrace

  init(_ trace: QueriedTrace) { self.trace = trace }

  func plan(_ plan: inout TablePlan) {
    let all = Double(trace.reader.events)
    var share = 1.0
    var isOne = false
    for (position, column, operation) in plan.constraints {
      guard var condition = HandedCondition(column: column, operation: operation) else { continue }
      if condition.column == .kind, varve_take_all_in(plan.asked, Int32(position)) != 0 {
        condition.comparison = .among
      }
      plan.hand(position, condition.code)
      share *= condition.share
      isOne = isOne || condition.column == .id || condition.column == .event
    }
    let used = plan.asked.pointee.colUsed
    let needed = EventColumn.allCases.reduce(into: ColumnSet.ticks) { set, column in
      if used & 1 << UInt64(column.rawValue) != 0 { set.formUnion(column.columns) }
    }
    let order = plan.asked.pointee
    let isInOrder =
      order.nOrderBy == 1 && order.aOrderBy[0].iColumn == EventColumn.time.rawValue
      && order.aOrderBy[0].desc == 0
    plan.say(
      rows: isOne ? 1 : all * share, cost: isOne ? 50 : 1_000 + all * share,
      number: Int32(needed.rawValue), isInOrder: isInOrder)
  }

  func cursor() -> any TableCursor { Cursor(trace) }

  private final class Cursor: TableCursor {
    private let trace: QueriedTrace
    private let events: EventCursor

    init(_ trace: QueriedTrace) {
      self.trace = trace
      events = EventCursor(trace)
    }

    deinit { events.close() }

    var isAtEnd: Bool { events.isAtEnd }
    var rowNumber: Int64 { trace.tables.numbers.number(events.event) ?? 0 }

    func start(
      _ plan: String, _ number: Int32, _ values: [OpaquePointer]
    ) throws(SelectionError) {
      let code = Array(plan.utf8)
      let conditions = values.indices.compactMap { index -> (HandedCondition, OpaquePointer)? in
        guard index * 2 + 1 < code.count else { return nil }
        return HandedCondition(code: (code[index * 2], code[index * 2 + 1])).map {
          ($0, values[index])
        }
      }
      try events.start(
        try WantedEvents(conditions, in: trace),
        ColumnSet(rawValue: UInt16(truncatingIfNeeded: number)))
    }

    func step() { events.step() }

    func give(_ column: Int32, to context: OpaquePointer?) {
      if let column = EventColumn(rawValue: column) { events.give(column, to: context) }
    }
  }
}

/// The virtual table `causes`: an event, and an event that led to it.
final class CauseTable: VirtualTable {
  static let columns = TraceSchema.causeColumns
  let trace: QueriedTrace

  init(_ trace: QueriedTrace) { self.trace = trace }

  func plan(_ plan: inout TablePlan) {
    let all = Double(trace.reader.events)
    for (position, column, operation) in plan.constraints
    where column == 0 && Int32(operation) == SQLITE_INDEX_CONSTRAINT_EQ {
      plan.hand(position, [0x69])
      return plan.say(rows: 2, cost: 50)
    }
    plan.say(rows: all, cost: 1_000 + all)
  }

  func cursor() -> any TableCursor { Cursor(trace) }

  private final class Cursor: TableCursor {
    private let trace: QueriedTrace
    private let events: EventCursor
    private var causes: [Int64] = []
    private var position = 0

    init(_ trace: QueriedTrace) {
      self.trace = trace
      events = EventCursor(trace)
    }

    deinit { events.close() }

    var isAtEnd: Bool { events.isAtEnd }
    var rowNumber: Int64 { event }
    private var event: Int64 { trace.tables.numbers.number(events.event) ?? 0 }

    func start(
      _ plan: String, _ number: Int32, _ values: [OpaquePointer]
    ) throws(SelectionError) {
      if plan.isEmpty {
        try events.start(.some(trace.selection), .causes)
      } else if let value = values.first, sqlite3_value_type(value) == SQLITE_INTEGER,
        let one = trace.tables.numbers.event(sqlite3_value_int64(value))
      {
        try events.start(.one(one), .all)
      } else {
        try events.start(.nothing, .causes)
      }
      find()
    }

    func step() {
      position += 1
      guard position >= causes.count else { return }
      events.step()
      find()
    }

    /// Stays at the event, or goes on to the next one with a cause.
    private func find() {
      position = 0
      while !events.isAtEnd {
        let found =
          events.columns.backs[events.index] == 0 ? [] : events.columns.causes(of: events.index)
        causes = found.compactMap { trace.tables.numbers.number($0) }
        if !causes.isEmpty { return }
        events.step()
      }
    }

    func give(_ column: Int32, to context: OpaquePointer?) {
      sqlite3_result_int64(context, column == 0 ? event : causes[position])
    }
  }
}

/// The virtual table `kind_counts`.
final class CountTable: VirtualTable {
  static let columns = TraceSchema.countColumns
  let trace: QueriedTrace

  init(_ trace: QueriedTrace) { self.trace = trace }

  func plan(_ plan: inout TablePlan) {
    let rows = Double(max(trace.reader.definitions.streams.count, 1)) * 4
    plan.say(rows: rows, cost: rows + Double(trace.reader.events) / 50)
  }

  func cursor() -> any TableCursor { Cursor(trace) }

  private final class Cursor: TableCursor {
    private let trace: QueriedTrace
    private var rows: [KindCounts.Row] = []
    private var position = 0

    init(_ trace: QueriedTrace) { self.trace = trace }

    var isAtEnd: Bool { position >= rows.count }
    var rowNumber: Int64 { Int64(position) }

    func start(
      _ plan: String, _ number: Int32, _ values: [OpaquePointer]
    ) throws(SelectionError) {
      rows = try trace.counts.rows()
      trace.report(trace.counts.damage, trace.counts.passedOver)
      position = 0
    }

    func step() { position += 1 }

    func give(_ column: Int32, to context: OpaquePointer?) {
      let (row, time) = (rows[position], trace.reader.time)
      switch column {
      case 0: sqlite3_result_int64(context, Int64(row.stream))
      case 1: trace.names.give(.name, of: row.stream, to: context)
      case 2: trace.names.give(kind: row.kind, to: context)
      case 3: sqlite3_result_int64(context, row.count)
      case 4: sqlite3_result_int64(context, time.nanoseconds(sinceStart: row.first))
      default: sqlite3_result_int64(context, time.nanoseconds(sinceStart: row.last))
      }
    }
  }
}
