public import VarveFormat
internal import VarveProbe

/// The streams that fed each other while the program ran, from every observation in a trace. The
/// whole trace is read, even if only a part of it is of interest, because otherwise the inner
/// streams of a flattening could not be found.
public struct StreamFeeds {
  /// The pairs of streams of which one fed the other.
  public let edges: Set<StreamEdge>
  /// The damaged blocks that were passed over.
  public let damage: [TraceFileError]

  /// Finds all pairs of streams of which one fed the other.
  static func all(in source: some EventSource) throws(SelectionError) -> Set<StreamEdge> {
    try StreamFeeds(in: source) { _ in true }.edges
  }

  /// Finds the pairs that do not follow from how the streams were made: those of inner streams.
  public init(innerIn source: some EventSource) throws(SelectionError) {
    let definitions = source.definitions.streams
    try self.init(in: source) { edge in
      definitions[edge.to]?.parents.contains(edge.from) != true
    }
  }

  /// Finds the pairs that do not follow from how the streams were made, in some blocks alone. The
  /// source's blocks can be decoded by several threads.
  package init(innerIn source: some EventSource, blocks: Set<Int>) throws(SelectionError) {
    let definitions = source.definitions.streams
    try self.init(in: source, blocks) { edge in
      definitions[edge.to]?.parents.contains(edge.from) != true
    }
  }

  /// The maximum number of pairs found; a trace that defines many streams may have more. A few
  /// bytes of a trace can describe any number of pairs.
  private static let most = 262_144

  private init(
    in source: some EventSource, _ blocks: Set<Int>? = nil,
    where isWanted: @escaping (StreamEdge) -> Bool
  ) throws(SelectionError) {
    var selection = Selection()
    selection.kinds = KindSelection([.subscribed])
    let most = max(Self.most, source.definitions.streams.count * 4)
    var sweep = try EventSweep(
      selection, in: source, columns: .streams, wordsOf: selection.kinds)
    let parts = try sweep.run(over: blocks, { FoundEdges() }) {
      $0.add($1, $2, most: most, where: isWanted)
    }
    let found = parts.dropFirst().reduce(parts[0].edges) { $0.union($1.edges) }
    if found.count < most || parts.count == 1 {
      (edges, damage) = (found, sweep.damage)
      return
    }
    // Of so many, those that were attached first are kept.
    let first = FoundEdges()
    var query = try EventQuery(selection, in: source, columns: [.streams, .payloads])
    query.run { page in
      page.forEach { batch, index in first.add(batch.columns, index, where: isWanted) }
      return first.edges.count < most
    }
    (edges, damage) = (first.edges, query.damage)
  }
}

/// The pairs of streams that one thread has found.
private final class FoundEdges {
  private(set) var edges: Set<StreamEdge> = []
  /// Pairs that were looked up: most of those that follow are among them.
  private var recent = [StreamEdge](repeating: StreamEdge(from: 0, to: 0), count: 256)

  func add(
    _ columns: ColumnPointers, _ rows: UnsafeBufferPointer<UInt32>?, most: Int,
    where isWanted: (StreamEdge) -> Bool
  ) {
    guard let rows else { return }
    for row in rows where edges.count < most {
      add(columns.streams[Int(row)], columns.words[Int(row)], where: isWanted)
    }
  }

  func add(_ columns: borrowing EventColumns, _ index: Int, where isWanted: (StreamEdge) -> Bool) {
    add(columns.streams[index], columns.words[index], where: isWanted)
  }

  private func add(_ stream: UInt32, _ word: UInt64, where isWanted: (StreamEdge) -> Bool) {
    let edge = StreamEdge(from: stream, to: UInt32(truncatingIfNeeded: word))
    guard edge.to != 0 else { return }
    let place = Int((edge.from &* 31 &+ edge.to) & 255)
    guard recent[place] != edge else { return }
    recent[place] = edge
    if !edges.contains(edge), isWanted(edge) { edges.insert(edge) }
  }
}
