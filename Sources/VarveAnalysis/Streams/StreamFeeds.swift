internal import VarveFormat
internal import VarveProbe

/// What fed what while the program ran, by every observation in a trace, whatever part of it somebody
/// looks at: only so it is found where the inner streams of a flattening belong.
public enum StreamFeeds {
  /// One stream by another, over the whole trace.
  public static func all(in source: some EventSource) throws(SelectionError) -> Set<StreamEdge> {
    var selection = Selection()
    selection.kinds = KindSelection([.subscribed])
    var query = try EventQuery(selection, in: source, columns: [.streams, .payloads])
    var found: Set<StreamEdge> = []
    query.run { page in
      page.forEach { batch, index in
        let fed = UInt32(truncatingIfNeeded: batch.columns.words[index])
        if fed != 0 { found.insert(StreamEdge(from: batch.columns.streams[index], to: fed)) }
      }
      return true
    }
    return found
  }

  /// Those that do not follow from what the streams were made from: the inner streams.
  public static func inner(in source: some EventSource) throws(SelectionError) -> Set<StreamEdge> {
    let definitions = source.definitions.streams
    return try all(in: source).filter { definitions[$0.to]?.parents.contains($0.from) != true }
  }
}
