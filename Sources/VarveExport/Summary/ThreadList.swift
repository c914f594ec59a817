public import VarveAnalysis
internal import VarveFormat

/// A list of all threads of a trace: the number with which event names begin, and the name.
public struct ThreadList {
  private struct Row {
    var ring: UInt32
    var systemID: UInt64?
    var events: UInt64 = 0
    var last: EventName?
  }

  private let rows: [Row]
  private let names: ThreadNames

  /// Lists the threads of a trace.
  ///
  /// - Parameters:
  ///   - source: the trace.
  ///   - wanted: the numbers of the threads to list; nil lists all.
  public init(_ source: some EventSource, only wanted: Set<UInt32>? = nil) {
    var rows = source.definitions.threads.mapValues { Row(ring: $0.ring, systemID: $0.systemID) }
    for block in source.blocks {
      rows[block.ring, default: Row(ring: block.ring)].events += UInt64(block.count)
      rows[block.ring]?.last = block.name(block.count - 1)
    }
    self.rows = rows.values.filter { wanted?.contains($0.ring) ?? true }
      .sorted { $0.ring < $1.ring }
    names = ThreadNames(source.definitions.threads, pid: source.pid)
  }

  /// Whether the trace contains no threads.
  public var isEmpty: Bool { rows.isEmpty }

  /// Returns the list as a table for people.
  public func text(_ style: OutputStyle) -> String {
    var table = TextTable(
      [
        ("THREAD", true), ("NAME", false), ("SYSTEM ID", true), ("EVENTS", true), ("LAST", false),
      ], style: style, keeping: ["LAST"], dropping: ["SYSTEM ID", "EVENTS"])
    for row in rows {
      table.add([
        TextTable.Cell(EventName.thread(row.ring)),
        TextTable.Cell(style.escaped(names[row.ring])),
        TextTable.Cell(row.systemID.map { String($0) } ?? "?", .dim),
        TextTable.Cell(Counted.grouped(row.events)),
        TextTable.Cell(row.last.map { "#\($0)" } ?? "", .dim),
      ])
    }
    return table.lines.map { $0 + "\n" }.joined()
  }

  /// Returns one JSON object per thread, one per line.
  ///
  /// The keys are a promise: `thread` (its number), `name`, `system_id`, `events`, `last` (its last
  /// event).
  public func json() -> String {
    rows.map { row in
      JSONMembers().adding("thread", JSONText.quoted(EventName.thread(row.ring)))
        .adding("name", JSONText.quoted(names[row.ring]))
        .adding("system_id", row.systemID.map { String($0) } ?? "null")
        .adding("events", String(row.events))
        .adding("last", row.last?.json ?? "null").text + "\n"
    }.joined()
  }
}
