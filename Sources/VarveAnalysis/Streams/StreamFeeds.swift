internal import VarveFormat
internal import VarveProbe

/// The streams that fed each other while the program ran, from every observation in a trace. The
/// whole trace is read, even if only a part of it is of interest, because otherwise the inner
/// streams of a flattening could not be found.
public enum StreamFeeds {
  /// Returns all pairs of streams of which one fed the other.
  static func all(in source: some EventSource) throws(SelectionError) -> Set<StreamEdge> {
    try feeds(in: source) { _ in true }
  }

  /// Returns the pairs that do not follow from how the streams were made: those of inner streams.
  public static func inner(in source: some EventSource) throws(SelectionError) -> Set<StreamEdge> {
    let definitions = source.definitions.streams
    return try feeds(in: source) { edge in
      definitions[edge.to]?.parents.contains(edge.from) != true
    }
  }

  /// The maximum number of pairs found; a trace that defines many streams may have more. A few
  /// bytes of a trace can describe any number of pairs.
  private static let most = 262_144

  private static func feeds(
    in source: some EventSource, where isWanted: (StreamEdge) -> Bool
  ) throws(SelectionError) -> Set<StreamEdge> {
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
    return found
  }
}
