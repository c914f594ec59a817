public import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Writes CSV as in RFC 4180, for spreadsheets: a line of titles, then one line per event.
///
/// The columns are the keys of the NDJSON form except `causes`. Cells that do not apply are empty.
public final class EventCSVRenderer: EventRenderer {
  private let output: ByteOutput
  private let threads: ThreadNames
  private let definitions: TraceDefinitions
  private let time: TraceTime

  /// Prepares to write the events of a query.
  public init(source: some EventSource, pid: UInt32, output: ByteOutput) {
    self.output = output
    definitions = source.definitions
    time = source.time
    threads = ThreadNames(definitions.threads, pid: pid)
  }

  /// Writes the titles.
  public func begin() {
    output.write(
      "event,time_ns,thread,name,stream,operator,subscription,kind,value,value_type,cause,"
        + "scheduler,reason\r\n")
  }

  /// Does nothing.
  public func end() {}

  /// Writes the selected events of a page.
  public func render(_ page: EventPage) {
    var pen = output.pen()
    page.forEachRun { entries, block, batch in
      for entry in entries {
        let cells = cells(batch, block, Int(entry.index))
        pen.write(cells.map(CSVText.quoted).joined(separator: ",") + "\r\n")
      }
    }
    output.finish(&pen)
  }

  private func cells(_ batch: EventBatch, _ columns: ColumnPointers, _ index: Int) -> [String] {
    let kind = columns.kinds[index]
    let isHop = Hops.contains(kind)
    let id = columns.streams[index]
    let stream = isHop ? nil : definitions.streams[id]
    let scheduler = definitions.schedulers[id]?.name ?? "scheduler \(id)"
    let subscription = columns.subscriptions[index]
    let (value, type) = value(columns, index)
    let isReason = columns.payloadKinds[index] == PayloadKind.reason.rawValue
    return [
      String(columns.name(index)),
      String(time.nanoseconds(sinceStart: columns.ticks[index])),
      threads[columns.ring],
      stream?.name ?? "",
      isHop || id == 0 ? "" : String(id),
      stream?.operation ?? "",
      subscription == 0 ? "" : String(subscription),
      RecordKind.name(of: kind), value, type,
      columns.nearestCause(index, batch).map { String($0) } ?? "",
      isHop ? scheduler : "",
      isReason ? ReasonNames.name(kind: kind, word: columns.words[index]) ?? "" : "",
    ]
  }

  private func value(_ columns: ColumnPointers, _ index: Int) -> (value: String, type: String) {
    let word = columns.words[index]
    let raw = columns.payloadKinds[index]
    guard let kind = PayloadKind(rawValue: raw) else { return ("", "unknown\(raw)") }
    let value =
      switch kind {
      case .integer: String(Int64(bitPattern: word))
      case .unsigned: String(word)
      case .stream: String(SubscriptionPayload(word: word).stream)
      case .real: RealText.text(Double(bitPattern: word))
      case .boolean: word == 0 ? "false" : "true"
      case .string, .description, .typeOnly: String(decoding: columns.text(index), as: UTF8.self)
      case .bytes:
        columns.text(index).map { String(UInt16($0) | 256, radix: 16).dropFirst() }.joined()
      case .absent, .unit, .null, .withheld, .reason, .cause: ""
      }
    let isNoValue = kind == .absent || kind == .reason || kind == .cause
    return (value, isNoValue ? "" : kind.name)
  }
}

/// Writes the cells of RFC 4180.
enum CSVText {
  /// Returns a cell, quoted if necessary. Control characters except line breaks are escaped.
  static func quoted(_ cell: String) -> String {
    guard cell.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7f || $0 == 0x22 || $0 == 0x2c }) else {
      return cell
    }
    let lines = cell.split(separator: "\n", omittingEmptySubsequences: false)
    let safe = lines.map { TerminalText.escaped(String($0)) }.joined(separator: "\n")
    return "\""
      + safe.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}
