internal import VarveFormat
internal import VarveProbe

/// Finds values that were sent before the first observer came, to which nothing was sent any more:
/// the two happen in the wrong order.
struct UnseenValues: FindingRule {
  private let facts: FindingFacts
  private var candidates: Set<UInt32> = []
  /// The first observation of each stream.
  private var observed: [UInt32: EventMoment] = [:]

  let kinds: Set<RecordKind> = [.subscribed]
  var streams: Set<UInt32>? { candidates }

  /// The memory for a stream, in bytes.
  private static let bytes = 128

  init?(_ facts: FindingFacts) {
    self.facts = facts
    for account in facts.history.streams where account.values > 0 && account.subscriptions > 0 {
      guard let stream = facts.definitions.streams[account.stream], stream.parents.isEmpty,
        facts.is(stream.id, .hot), !facts.is(stream.id, .replays), facts.walk.take(Self.bytes)
      else { continue }
      candidates.insert(stream.id)
    }
    if candidates.isEmpty { return nil }
  }

  mutating func note(_ event: FindingEvent) {
    guard observed[event.stream] == nil, candidates.contains(event.stream) else { return }
    observed[event.stream] = event.moment
  }

  mutating func findings() -> [Finding] {
    observed.sorted { $0.key < $1.key }.compactMap { stream, observed in
      guard let account = facts.history.stream(stream), let last = account.lastValue,
        last.ticks < observed.ticks
      else { return nil }
      return Finding(
        .partial, weight: 85, place: .stream(stream),
        "\(account.values, "value", "values") of \(stream: stream), the last one "
          + "\(value: last.name), came before its first observer did, and none came after",
        stream: stream, evidence: [last.name, observed.name])
    }
  }
}
