public import VarveAnalysis
public import VarveProbe

/// A tree of streams in the order of the flow: each stream is below those that feed it. A name is
/// shown without the part that the stream above already says. In a circle of streams, the last says
/// which one above it feeds.
///
/// The rows are made on demand, because the branches of a deep tree are long.
public struct StreamTree: Sequence {
  private let nodes: [StreamFlow.Node]
  /// Whether a later sibling hangs from the same stream, by node.
  private let isFollowed: [Bool]
  /// The stream above that a stream feeds, for the last of each circle.
  private let feedsBack: [UInt32: UInt32]
  private let streams: [StreamSummary]
  /// The index of each stream in `streams`.
  private let places: [UInt32: UInt32]
  private let ascii: Bool

  /// The depth from which rows are not indented further.
  private static let deepest = 256

  /// Lays out `streams`.
  public init(
    _ streams: [StreamSummary], feeds: Set<StreamEdge>, definitions: [UInt32: StreamDefinition],
    ascii: Bool
  ) {
    self.streams = streams
    self.ascii = ascii
    places = Dictionary(
      uniqueKeysWithValues: streams.enumerated().map { ($1.definition.id, UInt32($0)) })
    var definitions = definitions
    for stream in streams where definitions[stream.definition.id] == nil {
      definitions[stream.definition.id] = stream.definition
    }
    nodes = StreamFlow(of: Set(places.keys), definitions: definitions, feeds: feeds).nodes
    isFollowed = Self.isFollowed(nodes)
    feedsBack = Self.feedsBack(nodes)
  }

  private static func feedsBack(_ nodes: [StreamFlow.Node]) -> [UInt32: UInt32] {
    var feedsBack: [UInt32: UInt32] = [:]
    var above: Set<UInt32> = []
    for node in nodes {
      above.insert(node.stream)
      for parent in node.parents where !above.contains(parent) || parent == node.stream {
        if feedsBack[parent] == nil { feedsBack[parent] = node.stream }
      }
    }
    return feedsBack
  }

  private static func isFollowed(_ nodes: [StreamFlow.Node]) -> [Bool] {
    var isFollowed = nodes.map { _ in false }
    // Whether a sibling follows on each level, found from the last node up.
    var follows: [Bool] = []
    for index in nodes.indices.reversed() {
      let depth = depth(of: nodes[index])
      if follows.count > depth + 1 { follows.removeLast(follows.count - depth - 1) }
      while follows.count <= depth { follows.append(false) }
      isFollowed[index] = follows[depth]
      follows[depth] = true
    }
    return isFollowed
  }

  private static func depth(of node: StreamFlow.Node) -> Int { Swift.min(node.depth, deepest) }

  /// Returns an iterator over the rows, from first to last.
  public func makeIterator() -> AnyIterator<StreamsText.Row> {
    var next = 0
    // Whether the branches above continue, level by level.
    var above: [Bool] = []
    return AnyIterator {
      guard next < nodes.count else { return nil }
      let node = nodes[next]
      let depth = Self.depth(of: node)
      if above.count > depth { above.removeLast(above.count - depth) }
      above.append(isFollowed[next])
      next += 1
      return row(node, branch: branch(above))
    }
  }

  /// Returns the branches before the name: `│ └ `.
  private func branch(_ follows: [Bool]) -> String {
    guard follows.count > 1, let isFollowed = follows.last else { return "" }
    let (bar, tee, corner, gap) =
      ascii ? ("| ", "|-", "`-", "  ") : ("│ ", "├ ", "└ ", "  ")
    return follows.dropFirst().dropLast().map { $0 ? bar : gap }.joined()
      + (isFollowed ? tee : corner)
  }

  private func row(_ node: StreamFlow.Node, branch: String) -> StreamsText.Row? {
    guard let stream = stream(node.stream) else { return nil }
    let names = node.parents.compactMap { self.stream($0)?.definition.name }
    let name = ShortName.text(of: stream.definition, after: names, ellipsis: ascii ? ".." : "…")
    return StreamsText.Row(
      stream, branch: branch, name: name,
      feedsBack: feedsBack[node.stream].flatMap { self.stream($0)?.definition.name })
  }

  private func stream(_ id: UInt32) -> StreamSummary? { places[id].map { streams[Int($0)] } }
}
