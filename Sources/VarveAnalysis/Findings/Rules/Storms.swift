internal import VarveFormat
internal import VarveProbe

/// Finds streams that deliver very many values for each value that triggered them.
struct Storms: FindingRule {
  private let facts: FindingFacts

  /// The lowest average rate of a storm, in values per second …
  private static let lowestRate = 20_000.0
  /// … and the smallest number of values.
  private static let fewest: UInt64 = 20_000
  /// The smallest number of values that each value of a storm's first cause triggered.
  private static let factor: UInt64 = 1_000
  /// The maximum number of streams examined, the busiest ones.
  private static let mostStreams = 40
  /// The cost of examining two unconnected streams, in steps.
  private static let connection = 16

  init?(_ facts: FindingFacts) {
    self.facts = facts
    guard facts.history.streams.contains(where: { $0.values >= Self.fewest }) else { return nil }
  }

  mutating func findings() -> [Finding] {
    let busy = facts.history.streams.filter { $0.values >= Self.fewest }
      .sorted { $0.values > $1.values }.prefix(Self.mostStreams)
    // Streams along the path of one storm are reported once.
    var kept: [Finding] = []
    for storm in busy.compactMap(storm) {
      let isTold = kept.contains { other in
        other.other == storm.other || areConnected(other.stream, storm.stream)
      }
      if !isTold { kept.append(storm) }
    }
    return kept
  }

  private func storm(_ account: StreamAccount) -> Finding? {
    guard let first = account.firstValue, let last = account.lastValue else { return nil }
    let nanoseconds = facts.time.duration(from: first.ticks, to: last.ticks)
    guard Double(account.values) / max(Double(nanoseconds), 1) * 1e9 >= Self.lowestRate,
      let graph = CausalGraph(of: last.name, in: facts.lookup, most: 2_000), !graph.isCut
    else { return nil }
    let firstCauses = CausalPath(graph).steps.filter { $0.depth == 0 && !$0.event.isHop }
    guard let cause = firstCauses.last?.event, cause.stream != account.stream,
      let source = facts.history.stream(cause.stream),
      account.values / max(source.values, 1) >= Self.factor
    else { return nil }
    var finding = Finding(
      .storm, weight: 60, place: .stream(account.stream),
      """
      \(stream: account.stream) delivered \(account.values, "value", "values") in \
      \(nanoseconds: nanoseconds), all set off by \(stream: cause.stream)
      """, stream: account.stream, evidence: [last.name, cause.name])
    finding.other = cause.stream
    finding.count = account.values
    finding.nanoseconds = nanoseconds
    return finding
  }

  private func areConnected(_ one: UInt32?, _ other: UInt32?) -> Bool {
    guard let one, let other, facts.walk.step(Self.connection) else { return false }
    return facts.places.leads(from: one, to: other, facts.walk)
      || facts.places.leads(from: other, to: one, facts.walk)
  }
}
