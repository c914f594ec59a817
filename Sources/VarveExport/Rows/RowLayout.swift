internal import VarveMarbles

/// The columns of a table of rows that a terminal has room for, and their widths.
///
/// First, texts and the titles above numbers shorten. Then columns go: those that are empty, those
/// that lead from one table to another or are zero in all rows, what another column says, too,
/// moments, keys, and at last the last ones. What the next command needs stays.
struct RowLayout {
  /// The widths of the columns, nil for those that are left out.
  let widths: [Int?]
  let isNumber: [Bool]
  /// The titles of the columns that are left out, but for empty ones.
  let leftOut: [String]
  /// Whether nothing of what the rows have is left out or beyond the end of the line.
  let hasRoom: Bool

  /// The width to which a column of text may be cut, and to which it is before columns go.
  private static let narrowest = 8
  private static let readable = 10
  private static let readableName = 14
  /// The width to which the title of a column of numbers may be cut.
  private static let narrowestTitle = 7
  /// Columns that the next command needs: they are never cut.
  private static let needed: Set<String> = [
    "event", "thread", "place", "cause_place", "given", "began",
  ]
  private static let names: Set<String> = ["name", "scheduler", "observer"]
  /// Columns that lead from one table to another: they say nothing to people.
  private static let links: Set<String> = ["id", "cause_id"]
  /// Columns that others make known: the name and the place tell what a stream is.
  private static let told: Set<String> = ["value_type", "operator", "value_bytes", "truncated"]
  /// When something happened. The event leads there.
  private static let moments: Set<String> = [
    "time_ns", "from_ns", "to_ns", "first_ns", "last_ns", "given_ns", "began_ns", "ended_ns",
    "cancelled_ns", "born_ns", "since_ns", "started_ns",
  ]
  /// Columns that go after all others.
  private static let telling: Set<String> = ["name", "value", "cause"]
  /// The numbers that the trace gave to things that have names.
  private static let keys: Set<String> = ["stream", "subscription", "observer_stream"]

  /// Lays out a table.
  ///
  /// - Parameters:
  ///   - titles: the titles, safe to print.
  ///   - rows: some rows.
  ///   - texts: the same rows as they are shown.
  ///   - room: the width of a line; nil shows everything in full.
  init(_ titles: [String], _ rows: [[RowCell]], _ texts: [[String]], in room: Int?) {
    let values = titles.indices.map { column in
      texts.map { DisplayWidth.of($0[column]) }.max() ?? 0
    }
    let widths = zip(titles, values).map { max(DisplayWidth.of($0), $1) }
    let isNumber = titles.indices.map { column in
      rows.contains { $0[column].isNumber }
        && rows.allSatisfy { $0[column].isNumber || $0[column] == .nothing }
    }
    self.isNumber = isNumber
    guard let room else {
      (self.widths, leftOut, hasRoom) = (widths, [], true)
      return
    }
    let empty = titles.indices.filter { column in rows.allSatisfy { $0[column].isEmpty } }
    let order = empty + Self.leaving(titles, rows).filter { !empty.contains($0) }
    let fit = ColumnFit.widths(
      titles.indices.map { column in
        let rank = order.firstIndex(of: column)
        if Self.needed.contains(titles[column]) { return .whole(widths[column], rank: rank) }
        guard isNumber[column] else {
          let readable = Self.names.contains(titles[column]) ? Self.readableName : Self.readable
          return .text(widths[column], readable: readable, least: Self.narrowest, rank: rank)
        }
        let least = max(values[column], min(widths[column], Self.narrowestTitle))
        return .text(widths[column], readable: least, least: least, rank: rank)
      }, in: room)
    self.widths = fit
    leftOut = titles.indices.filter { fit[$0] == nil && !empty.contains($0) }.map { titles[$0] }
    hasRoom = leftOut.isEmpty && fit.compactMap { $0 }.reduce(-2) { $0 + $1 + 2 } <= room
  }

  /// Returns the columns that may be left out, the first to go first.
  private static func leaving(_ titles: [String], _ rows: [[RowCell]]) -> [Int] {
    let others: Set = Set(titles).subtracting(links.union(told).union(moments).union(keys))
    let order = [links, told, moments, keys, others.subtracting(telling), telling]
    func rank(_ column: Int) -> Int {
      let isZero = rows.allSatisfy { $0[column] == .integer(0) || $0[column].isEmpty }
      return isZero ? 0 : order.firstIndex { $0.contains(titles[column]) } ?? order.count
    }
    return titles.indices.filter { !needed.contains(titles[$0]) }
      .map { (column: $0, rank: rank($0)) }
      .sorted { ($0.rank, -$0.column) < ($1.rank, -$1.column) }.map(\.column)
  }
}
