internal import VarveFormat
internal import VarveProbe

/// Finds results of older requests that arrived after those of newer ones, as happens when a
/// program flattens with `.merge` where `.latest` was meant.
struct StaleResults {
  /// A result that came too late.
  struct Late {
    /// The result.
    var result: EventName
    /// The request that it answers.
    var request: EventName
    /// The newer request, whose result had already arrived.
    var newer: EventName
  }

  private let reader: TraceReader
  private let lookup: EventLookup

  /// The number of last results examined for each stream …
  private static let mostResults = 400
  /// … and for all streams together.
  private static let mostOfAll = 40_000
  /// The maximum number of events followed from a result back to its request.
  private static let mostEvents = 300

  init(_ reader: TraceReader, lookup: EventLookup) {
    self.reader = reader
    self.lookup = lookup
  }

  /// Returns the streams that flatten the streams of several requests side by side, with their late
  /// results.
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

  /// Returns the last values of each of the given streams, found in one pass over the trace.
  private func lastResults(of streams: [UInt32]) -> [UInt32: LastNames] {
    guard !streams.isEmpty else { return [:] }
    var selection = Selection()
    selection.streams = Set(streams)
    selection.kinds = KindSelection([.value])
    let most = max(1, min(Self.mostResults, Self.mostOfAll / streams.count))
    var results: [UInt32: LastNames] = [:]
    // The selection names no event, so it cannot fail.
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

  /// Returns the latest value of `outer` that led to a result.
  private func request(of result: EventName, from outer: UInt32) -> TraceEvent? {
    let graph = CausalGraph(of: result, in: lookup, most: Self.mostEvents, tellsCauses: false)
    guard let graph else { return nil }
    return graph.events.values.filter { $0.kind == .value && $0.stream == outer }
      .max { $0.ticks < $1.ticks }
  }
}

/// A list that keeps only the last events added to it.
private struct LastNames {
  private let most: Int
  private var kept: [EventName] = []
  /// The index of the oldest event once the list is full.
  private var oldest = 0

  init(_ most: Int) { self.most = most }

  mutating func append(_ event: EventName) {
    guard kept.count == most else { return kept.append(event) }
    kept[oldest] = event
    oldest = (oldest + 1) % most
  }

  /// The events, oldest first.
  var names: [EventName] { Array(kept[oldest...] + kept[..<oldest]) }
}

extension Finding {
  /// Returns a finding for the late results of a stream.
  static func stale(_ stream: StreamDefinition, _ late: [StaleResults.Late]) -> Finding {
    var finding = Finding(.stale)
    finding.stream = stream.id
    finding.other = stream.parents.first
    finding.count = UInt64(late.count)
    if let last = late.last { finding.evidence = [last.result, last.request, last.newer] }
    return finding
  }
}
