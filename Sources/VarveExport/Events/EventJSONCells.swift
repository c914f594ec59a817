internal import VarveAnalysis
internal import VarveFormat

/// The parts of JSON lines that occur again and again.
struct EventJSONCells {
  /// `,"name":"queries","stream":12,"operator":"debounce"` by stream.
  private(set) var streams = CellTable()
  /// `,"thread":"main"` by ring.
  private(set) var threads = CellTable()
  private let schedulers: [UInt32: String]

  init(_ definitions: TraceDefinitions, pid: UInt32) {
    for stream in definitions.streams.values {
      let name = JSONText.quoted(stream.name)
      let operation = JSONText.quoted(stream.operation)
      streams.insert(
        ",\"name\":\(name),\"stream\":\(stream.id),\"operator\":\(operation)", for: stream.id)
    }
    let names = ThreadNames(definitions.threads, pid: pid)
    for ring in definitions.threads.keys {
      threads.insert(",\"thread\":\(JSONText.quoted(names[ring]))", for: ring)
    }
    schedulers = definitions.schedulers.mapValues { JSONText.quoted($0.name) }
  }

  /// The name of a scheduler, in quotes.
  func scheduler(_ id: UInt32) -> String { schedulers[id] ?? "\"scheduler \(id)\"" }

  /// The most bytes that the cells of one line take.
  var mostBytes: Int {
    streams.longest + threads.longest + (schedulers.values.map(\.utf8.count).max() ?? 32)
  }

  /// Lends the tables for fast use.
  func lend(_ body: (_ streams: CellTable.Reader, _ threads: CellTable.Reader) -> Void) {
    streams.lend { streams in threads.lend { threads in body(streams, threads) } }
  }
}
