public import Varve

/// All that can be searched, in parts that are searched side by side.
public struct Index: Sendable {
  var shards: [Shard] = []

  /// Words that somebody might look for here: not too short, not too rare. The same ones for the
  /// same seed.
  public func words(_ count: Int, seed: UInt64) -> [String] {
    var frequencies: [String: Int] = [:]
    for shard in shards {
      for (word, count) in shard.frequencies { frequencies[word, default: 0] += count }
    }
    var random = SeededRandom(seed: seed)
    let candidates = frequencies.filter { (5...8).contains($0.key.count) }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .prefix(40).map(\.key)
    return Array(candidates.shuffled(using: &random).prefix(count))
  }
}

extension Index: TraceValue {
  /// In how many parts it is.
  public var tracePayload: TracePayload { .string("\(shards.count) parts") }
}
