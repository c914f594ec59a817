internal import VarveFormat
internal import VarveProbe

/// Finds results of older requests that arrived after those of newer ones: what somebody sees who
/// flattens with `.merge` where `.latest` was meant.
struct StaleResults {
  /// A result that came too late.
  struct Late {
    /// The result.
    var result: UInt64
    /// The request that it answers.
    var request: UInt64
    /// The newer request whose result had arrived already.
    var newer: UInt64
  }

  private let reader: TraceReader
  private let lookup: EventLookup

  /// So many results of each stream are looked at, the last ones.
  private static let mostResults = 400
  /// A request lies within so many events of its result.
  private static let mostEvents = 300

  init(_ reader: TraceReader, lookup: EventLookup) {
    self.reader = reader
    self.lookup = lookup
  }

  /// The streams that flatten streams made of requests, and their late results.
  func found() -> [(stream: StreamDefinition, late: [Late])] {
    reader.definitions.streams.values
      .filter { Self.flattensSideBySide($0) }
      .sorted { $0.id < $1.id }
      .compactMap { stream in
        let late = late(in: stream)
        return late.isEmpty ? nil : (stream, late)
      }
  }

  /// `.merge` and `.concurrent` deliver what comes; the other strategies keep an order.
  private static func flattensSideBySide(_ stream: StreamDefinition) -> Bool {
    guard stream.operation.hasPrefix("flatMap") || stream.operation.hasPrefix("flatten") else {
      return false
    }
    return stream.derivation.hasSuffix(".merge)") || stream.derivation.contains("(.merge, _:)")
      || stream.derivation.contains("(.concurrent(")
  }

  private func late(in stream: StreamDefinition) -> [Late] {
    guard let outer = stream.parents.first else { return [] }
    var late: [Late] = []
    var newest: TraceEvent?
    for result in results(of: stream.id) {
      guard let request = request(of: result, from: outer) else { continue }
      if let newest, request.ticks < newest.ticks {
        late.append(Late(result: result, request: request.number, newer: newest.number))
      } else {
        newest = request
      }
    }
    return late
  }

  private func results(of stream: UInt32) -> [UInt64] {
    var selection = Selection()
    selection.streams = [stream]
    selection.kinds = KindSelection([.value])
    selection.tail = Self.mostResults
    var numbers: [UInt64] = []
    // The selection names no event, so nothing is wrong with it.
    guard var query = try? EventQuery(selection, in: reader, columns: [.kinds]) else { return [] }
    query.run { page in
      page.forEach { numbers.append($0.columns.firstEvent + UInt64($1)) }
      return true
    }
    return numbers
  }

  /// The latest value of `outer` that led to a result.
  private func request(of result: UInt64, from outer: UInt32) -> TraceEvent? {
    guard let graph = CausalGraph(of: result, in: lookup, most: Self.mostEvents) else { return nil }
    return graph.events.values.filter { $0.kind == .value && $0.stream == outer }
      .max { $0.ticks < $1.ticks }
  }
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
