public import VarveAnalysis
public import VarveFormat
internal import VarveProbe

/// What each stream did, as one JSON object a stream. Their keys are a promise.
public enum StreamsJSON {
  /// The objects, one a line.
  public static func text(_ streams: [StreamSummary], time: TraceTime) -> String {
    streams.map { object($0, time) + "\n" }.joined()
  }

  /// The objects as one array.
  public static func array(_ streams: [StreamSummary], time: TraceTime) -> String {
    streams.isEmpty
      ? "[]\n" : "[\n" + streams.map { object($0, time) }.joined(separator: ",\n") + "\n]\n"
  }

  /// A line of titles and a line a stream, with commas between.
  public static func csv(_ streams: [StreamSummary], time: TraceTime) -> String {
    guard let first = streams.first else { return "" }
    let titles = pairs(first, time).map(\.0).joined(separator: ",")
    let lines = streams.map { stream in
      pairs(stream, time).map { cell($0.1) }.joined(separator: ",")
    }
    return ([titles] + lines).map { $0 + "\r\n" }.joined()
  }

  private enum Value {
    case text(String?)
    case number(UInt64)
    case time(Int64?)
    case list([UInt32])
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
    case .text(let text): CSVText.quoted(text ?? "")
    case .number(let number): String(number)
    case .time(let time): time.map { String($0) } ?? ""
    case .list(let list): list.map(String.init).joined(separator: " ")
    }
  }
}
