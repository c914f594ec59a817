internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The search for the streams that fed each other, which decides the order of lanes. Its parts can be
/// searched at once, by a thread each.
///
/// It looks at blocks in any order, and only at those in which something was subscribed to.
final class FeedSearch: Sendable {
  /// The number of parts.
  let parts: Int

  private let reader: TraceReader
  private let blocks: [Int]
  private let found = Lock<Set<StreamEdge>>([])

  private static let most = 100_000

  /// Prepares to search a trace, in so many parts.
  init(_ reader: TraceReader, parts: Int) {
    self.reader = reader
    self.parts = max(parts, 1)
    var kinds = KindSet()
    kinds.insert(RecordKind.subscribed.rawValue)
    blocks = reader.blocks(kinds: kinds)
  }

  /// What was found, in all parts that were searched; of very many, some.
  var feeds: Set<StreamEdge> { found.withLock { $0 } }

  /// Searches a part. Blocks that cannot be read are passed over.
  func run(part: Int) {
    var columns = EventColumns()
    var own: Set<StreamEdge> = []
    var recent = RecentEdges()
    for place in stride(from: part, to: blocks.count, by: parts) where own.count < Self.most {
      guard
        (try? reader.decode(
          blocks[place], into: &columns, columns: [.kinds, .streams, .payloads])) != nil
      else { continue }
      for index in 0..<columns.count where columns.kinds[index] == RecordKind.subscribed.rawValue {
        let fed = SubscriptionPayload(word: columns.words[index]).stream
        guard fed != 0 else { continue }
        let edge = StreamEdge(from: columns.streams[index], to: fed)
        if recent.isNew(edge) { own.insert(edge) }
      }
    }
    found.withLock { found in
      for edge in own where found.count < Self.most { found.insert(edge) }
    }
  }
}

/// Edges that were seen a short time ago: programs subscribe to the same streams again and again.
private struct RecentEdges {
  private var edges = [StreamEdge?](repeating: nil, count: 1 << 10)

  /// Whether an edge has to be looked at; it is known from now on.
  mutating func isNew(_ edge: StreamEdge) -> Bool {
    let mixed = edge.from &* 0x9e37_79b1 ^ edge.to &* 0x85eb_ca6b
    let slot = Int(mixed >> 22)
    guard edges[slot] != edge else { return false }
    edges[slot] = edge
    return true
  }
}
