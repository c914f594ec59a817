public import VarveAnalysis
public import VarveProbe

/// Lays streams out as a tree: each below those that feed it.
public enum StreamTree {
  /// The streams in the order of the flow, with branches. Of each name is shown what is new beside
  /// the stream above.
  public static func rows(
    _ streams: [StreamSummary], feeds: Set<StreamEdge>, definitions: [UInt32: StreamDefinition],
    ascii: Bool
  ) -> [StreamsText.Row] {
    let byID = Dictionary(uniqueKeysWithValues: streams.map { ($0.definition.id, $0) })
    let flow = StreamFlow(
      of: Set(byID.keys),
      definitions: definitions.merging(byID.mapValues(\.definition)) { known, _ in known },
      feeds: feeds)
    let branches = branches(depths: flow.nodes.map(\.depth), ascii: ascii)
    return zip(flow.nodes, branches).compactMap { node, branch in
      byID[node.stream].map { stream in
        let names = node.parents.compactMap { byID[$0]?.definition.name }
        let name = ShortName.text(
          of: stream.definition, after: names, ellipsis: ascii ? ".." : "…")
        return StreamsText.Row(stream, branch: branch, name: name)
      }
    }
  }

  /// What stands before the name of each node, given their depths in order: `│ └ `.
  static func branches(depths: [Int], ascii: Bool) -> [String] {
    let (bar, tee, corner, gap) =
      ascii ? ("| ", "|-", "`-", "  ") : ("│ ", "├ ", "└ ", "  ")
    // Whether a sibling follows on each level; found from the last node up.
    var follows: [Bool] = []
    var branches: [String] = []
    for depth in depths.reversed() {
      while follows.count <= depth { follows.append(false) }
      let above = depth > 1 ? follows[1..<depth].map { $0 ? bar : gap }.joined() : ""
      branches.append(depth == 0 ? "" : above + (follows[depth] ? tee : corner))
      follows[depth] = true
      for deeper in follows.indices.dropFirst(depth + 1) { follows[deeper] = false }
    }
    return branches.reversed()
  }
}
