internal import VarveFormat
internal import VarveProbe

/// The paths from stream to stream: from the streams that each was made from, and from those that
/// fed it while the program ran, such as the inner streams of a flattening.
struct StreamReach {
  private var above: [UInt32: Set<UInt32>] = [:]
  private var below: [UInt32: Set<UInt32>] = [:]
  private let definitions: [UInt32: StreamDefinition]

  init(_ source: some EventSource) throws(SelectionError) {
    definitions = source.definitions.streams
    for stream in definitions.values {
      for parent in stream.parents { connect(parent, stream.id) }
    }
    for edge in try StreamFeeds.all(in: source) { connect(edge.from, edge.to) }
  }

  private mutating func connect(_ upper: UInt32, _ lower: UInt32) {
    above[lower, default: []].insert(upper)
    below[upper, default: []].insert(lower)
  }

  /// Returns the matching streams and all streams that lead to them.
  func upstream(of patterns: [NamePattern]) -> Set<UInt32> { reached(from: patterns, by: above) }

  /// Returns the matching streams and all streams that they lead to.
  func downstream(of patterns: [NamePattern]) -> Set<UInt32> { reached(from: patterns, by: below) }

  private func reached(
    from patterns: [NamePattern], by edges: [UInt32: Set<UInt32>]
  ) -> Set<UInt32> {
    let matching = definitions.values.filter { stream in
      patterns.contains { $0.matches(stream.name) }
    }
    var reached = Set(matching.map(\.id))
    var open = Array(reached)
    while let next = open.popLast() {
      open += (edges[next] ?? []).filter { reached.insert($0).inserted }
    }
    return reached
  }
}

extension Selection {
  /// Returns the selection with the streams above or below others resolved to a set of streams.
  ///
  /// - Throws: a `SelectionError` whenever the observations in the trace cannot be queried.
  public func resolved(in source: some EventSource) throws(SelectionError) -> Selection {
    guard !upstreamOf.isEmpty || !downstreamOf.isEmpty else { return self }
    let reach = try StreamReach(source)
    var resolved = self
    resolved.upstreamOf = []
    resolved.downstreamOf = []
    for (patterns, streams) in [
      (upstreamOf, reach.upstream(of: upstreamOf)),
      (downstreamOf, reach.downstream(of: downstreamOf)),
    ] where !patterns.isEmpty {
      resolved.streams = resolved.streams.map { $0.intersection(streams) } ?? streams
    }
    return resolved
  }
}
