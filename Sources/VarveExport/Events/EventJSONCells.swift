internal import VarveAnalysis
internal import VarveFormat

/// The recurring parts of JSON lines.
struct EventJSONCells {
  /// `,"name":"queries","stream":12,"operator":"debounce"` by stream.
  let streams: CellTable
  /// `,"thread":"main"` by ring.
  let threads: CellTable
  private let schedulers: [UInt32: String]

  init(_ definitions: TraceDefinitions, pid: UInt32) {
    streams = CellTable(definitions.streams.keys) { id in
      definitions.streams[id].map { stream in
        let name = JSONText.quoted(stream.name)
        let operation = JSONText.quoted(stream.operation)
        return ",\"name\":\(name),\"stream\":\(id),\"operator\":\(operation)"
      }
    }
    let names = ThreadNames(definitions.threads, pid: pid)
    threads = CellTable(definitions.threads.keys) { ring in
      ",\"thread\":\(JSONText.quoted(names[ring]))"
    }
    schedulers = definitions.schedulers.mapValues { JSONText.quoted($0.name) }
  }

  /// Returns the name of a scheduler, in quotes.
  func scheduler(_ id: UInt32) -> String { schedulers[id] ?? "\"scheduler \(id)\"" }

  /// The greatest number of bytes that the cells of one line take.
  var mostBytes: Int {
    streams.longest + threads.longest + (schedulers.values.map(\.utf8.count).max() ?? 32)
  }

  /// Lends the tables for fast access.
  func lend(_ body: (_ streams: CellTable.Reader, _ threads: CellTable.Reader) -> Void) {
    streams.lend { streams in threads.lend { threads in body(streams, threads) } }
  }
}
