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

  /// The maximum number of pairs found; a trace that defines many streams may have more. A few
  /// bytes of a trace can describe any number of pairs.
  private static let most = 262_144

  private init(
    in source: some EventSource, where isWanted: (StreamEdge) -> Bool
  ) throws(SelectionError) {
    var selection = Selection()
    selection.kinds = KindSelection([.subscribed])
    var query = try EventQuery(selection, in: source, columns: [.streams, .payloads])
    let most = max(Self.most, source.definitions.streams.count * 4)
    var found: Set<StreamEdge> = []
    query.run { page in
      page.forEach { batch, index in
        let fed = UInt32(truncatingIfNeeded: batch.columns.words[index])
        let edge = StreamEdge(from: batch.columns.streams[index], to: fed)
        if fed != 0, !found.contains(edge), isWanted(edge) { found.insert(edge) }
      }
      return found.count < most
    }
    edges = found
    damage = query.damage
  }
}
