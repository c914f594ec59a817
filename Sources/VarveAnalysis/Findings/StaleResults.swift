internal import VarveFormat
internal import VarveProbe

/// Finds results of older requests that arrived after those of newer ones: what somebody sees who
/// flattens with `.merge` where `.latest` was meant.
struct StaleResults {
  /// A result that came too late.
  struct Late {
    /// The result.
    var result: EventName
    /// The request that it answers.
    var request: EventName
    /// The newer request whose result had arrived already.
    var newer: EventName
  }

  private let reader: TraceReader
  private let lookup: EventLookup

  /// So many results of each stream are looked at, the last ones …
  private static let mostResults = 400
  /// … and so many of all streams together.
  private static let mostOfAll = 40_000
  /// A request lies within so many events of its result.
  private static let mostEvents = 300

  init(_ reader: TraceReader, lookup: EventLookup) {
    self.reader = reader
    self.lookup = lookup
  }

  /// The streams that flatten streams made of requests, side by side, and their late results.
  func found() -> [(stream: StreamDefinition, late: [Late])] {
    let streams = reader.definitions.streams.values.filter { stream in
      stream.traits?.isSuperset(of: [.makesStreams, .runsSideBySide]) == true
    }
    let results = lastResults(of: streams.map(\.id))
    return streams.sorted { $0.id < $1.id }.compactMap { stream in
      let late = late(results[stream.id]?.names ?? [], in: stream)
      return late.isEmpty ? nil : (stream, late)
    }
  }

  private func late(_ results: [EventName], in stream: StreamDefinition) -> [Late] {
    guard let outer = stream.parents.first else { return [] }
    var late: [Late] = []
    var newest: TraceEvent?
    for result in results {
      guard let request = request(of: result, from: outer) else { continue }
      if let newest, request.ticks < newest.ticks {
        late.append(Late(result: result, request: request.name, newer: newest.name))
      } else {
        newest = request
      }
    }
    return late
  }

  /// The last values of each of some streams, found in one run through the trace.
  private func lastResults(of streams: [UInt32]) -> [UInt32: LastNames] {
    guard !streams.isEmpty else { return [:] }
    var selection = Selection()
    selection.streams = Set(streams)
    selection.kinds = KindSelection([.value])
    let most = max(1, min(Self.mostResults, Self.mostOfAll / streams.count))
    var results: [UInt32: LastNames] = [:]
    // The selection names no event, so nothing is wrong with it.
    guard var query = try? EventQuery(selection, in: reader, columns: .streams) else { return [:] }
    query.run { page in
      page.forEach { batch, index in
        results[batch.columns.streams[index], default: LastNames(most)].append(
          batch.columns.name(index))
      }
      return true
    }
    return results
  }

  /// The latest value of `outer` that led to a result.
  private func request(of result: EventName, from outer: UInt32) -> TraceEvent? {
    let graph = CausalGraph(of: result, in: lookup, most: Self.mostEvents, tellsCauses: false)
    guard let graph else { return nil }
    return graph.events.values.filter { $0.kind == .value && $0.stream == outer }
      .max { $0.ticks < $1.ticks }
  }
}

/// The last of the events that were given to it.
private struct LastNames {
  private let most: Int
  private var kept: [EventName] = []
  /// Where the oldest lies once there are as many as are kept.
  private var oldest = 0

  init(_ most: Int) { self.most = most }

  mutating func append(_ event: EventName) {
    guard kept.count == most else { return kept.append(event) }
    kept[oldest] = event
    oldest = (oldest + 1) % most
  }

  /// The oldest first.
  var names: [EventName] { Array(kept[oldest...] + kept[..<oldest]) }
}

extension Finding {
  /// What late results of a stream tell.
  static func stale(_ stream: StreamDefinition, _ late: [StaleResults.Late]) -> Finding {
    var finding = Finding(.stale)
    finding.stream = stream.id
    finding.other = stream.parents.first
    finding.count = UInt64(late.count)
    if let last = late.last { finding.evidence = [last.result, last.request, last.newer] }
    return finding
  }
}
