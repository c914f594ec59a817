import Varve

/// What has been found while the parts of the index are searched.
struct Finding: Sendable {
  /// The lines that match so far.
  var hits: Set<Hit> = []
  /// How many parts have been searched.
  var searched = 0

  /// With what one more part has found.
  func adding(_ other: Finding) -> Finding {
    Finding(hits: hits.union(other.hits), searched: searched + other.searched)
  }

  /// The hits, those in the document with most of them first.
  var ranked: [Hit] {
    let counts = Dictionary(grouping: hits, by: \.document).mapValues(\.count)
    return hits.sorted { left, right in
      let (leftCount, rightCount) = (counts[left.document] ?? 0, counts[right.document] ?? 0)
      return leftCount == rightCount ? left < right : leftCount > rightCount
    }
  }
}

extension Finding: TraceValue {
  var tracePayload: TracePayload {
    .string("\(hits.count) lines in \(searched) \(searched == 1 ? "part" : "parts")")
  }
}
