internal import VarveFormat
internal import VarveProbe

/// What fed what while the program ran, by every observation in a trace, whatever part of it somebody
/// looks at: only so it is found where the inner streams of a flattening belong.
public enum StreamFeeds {
  /// One stream by another, over the whole trace.
  static func all(in source: some EventSource) throws(SelectionError) -> Set<StreamEdge> {
    try feeds(in: source) { _ in true }
  }

  /// Those that do not follow from what the streams were made from: the inner streams.
  public static func inner(in source: some EventSource) throws(SelectionError) -> Set<StreamEdge> {
    let definitions = source.definitions.streams
    return try feeds(in: source) { edge in
      definitions[edge.to]?.parents.contains(edge.from) != true
    }
  }

  /// So many are found, or more where a trace defines more streams: what it does not define can be
  /// any number of them in a few bytes.
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
