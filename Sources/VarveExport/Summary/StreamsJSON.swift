public import VarveAnalysis
public import VarveFormat
internal import VarveProbe

/// Writes what each stream did, one JSON object per stream. The keys are a promise.
public enum StreamsJSON {
  /// Writes the objects, one per line.
  public static func write(_ streams: [StreamSummary], time: TraceTime, to output: ByteOutput) {
    for stream in streams where output.isOpen { output.write(object(stream, time) + "\n") }
  }

  /// Writes the objects as one array.
  public static func writeArray(
    _ streams: [StreamSummary], time: TraceTime, to output: ByteOutput
  ) {
    var before = "[\n"
    for stream in streams where output.isOpen {
      output.write(before + object(stream, time))
      before = ",\n"
    }
    output.write(streams.isEmpty ? "[]\n" : "\n]\n")
  }

  /// Writes CSV: a line of titles, then one line per stream. Returns what was changed for the sake
  /// of spreadsheets, in sentences.
  public static func writeCSV(
    _ streams: [StreamSummary], time: TraceTime, to output: ByteOutput
  ) -> [String] {
    guard let first = streams.first else { return [] }
    var changed: UInt64 = 0
    output.write(pairs(first, time).map(\.0).joined(separator: ",") + "\r\n")
    for stream in streams where output.isOpen {
      let cells = pairs(stream, time).map(\.1)
      changed += UInt64(cells.count { $0.isChanged })
      output.write(cells.map(cell).joined(separator: ",") + "\r\n")
    }
    return CSVText.notes(changed)
  }

  private enum Value {
    case text(String?)
    case number(UInt64)
    case time(Int64?)
    case list([UInt32])

    /// Whether a spreadsheet would take it for a formula.
    var isChanged: Bool {
      guard case .text(let text?) = self else { return false }
      return CSVText.harmless(text) != text
    }
  }

  private static func pairs(_ stream: StreamSummary, _ time: TraceTime) -> [(String, Value)] {
    let definition = stream.definition
    let place = definition.place.map { "\($0.file):\($0.line)" }
    return [
      ("stream", .number(UInt64(definition.id))),
      ("name", .text(definition.name)),
      ("operator", .text(definition.operation)),
      ("parents", .list(definition.parents)),
      ("place", .text(place)),
      ("value_type", .text(definition.valueType)),
      ("subscriptions", .number(stream.subscriptions)),
      ("open", .number(stream.open)),
      ("values", .number(stream.values)),
      ("failed", .number(stream.failed)),
      ("completed", .number(stream.completed)),
      ("interrupted", .number(stream.interrupted)),
      ("first_ns", .time(stream.firstTick.map { time.nanoseconds(sinceStart: $0) })),
      ("last_ns", .time(stream.lastTick.map { time.nanoseconds(sinceStart: $0) })),
    ]
  }

  private static func object(_ stream: StreamSummary, _ time: TraceTime) -> String {
    let members = pairs(stream, time).map { "\"\($0)\":\(json($1))" }
    return "{\(members.joined(separator: ","))}"
  }

  private static func json(_ value: Value) -> String {
    switch value {
    case .text(let text): text.map { JSONText.quoted($0) } ?? "null"
    case .number(let number): String(number)
    case .time(let time): time.map { String($0) } ?? "null"
    case .list(let list): "[\(list.map(String.init).joined(separator: ","))]"
    }
  }

  private static func cell(_ value: Value) -> String {
    switch value {
    case .text(let text): CSVText.quoted(CSVText.harmless(text ?? ""))
    case .number(let number): String(number)
    case .time(let time): time.map { String($0) } ?? ""
    case .list(let list): list.map(String.init).joined(separator: " ")
    }
  }
}
