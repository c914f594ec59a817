internal import VarveFormat
internal import VarveProbe

/// Finds values that were sent before the first observer came, to which nothing was sent any more:
/// the two happen in the wrong order.
struct UnseenValues: FindingRule {
  private let facts: FindingFacts
  private var candidates: Set<UInt32> = []
  /// The first observation of each stream, and its stack.
  private var observed: [UInt32: (began: EventMoment, stack: UInt32)] = [:]

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
    let stack = SubscriptionPayload(word: event.word).stack
    observed[event.stream] = (event.moment, stack)
  }

  mutating func findings() -> [Finding] {
    observed.sorted { $0.key < $1.key }.compactMap { stream, observed in
      guard let account = facts.history.stream(stream), let last = account.lastValue,
        last.ticks < observed.began.ticks
      else { return nil }
      return Finding(
        .partial, weight: 85, place: sender(of: last.name, observed.stack) ?? .stream(stream),
        "\(account.values, "value", "values") of \(stream: stream), the last one "
          + "\(value: last.name), came before its first observer did, and none came after",
        stream: stream, evidence: [last.name, observed.began.name])
    }
  }

  /// Returns the line that led to a value, in the function that also led to the observation: it is
  /// there that the two are in the wrong order.
  private func sender(of value: EventName, _ observer: UInt32) -> FindingPlace? {
    let next = EventName(ring: value.ring, sequence: value.sequence + 1)
    guard let sent = facts.lookup[next], sent.kind == .sent, sent.causes.first == value else {
      return nil
    }
    let stack = HopPayload(word: sent.payload.word).stack
    guard let frames = facts.definitions.stacks[stack]?.frames else { return nil }
    let observing = facts.definitions.stacks[observer]?.frames ?? []
    let shared = zip(frames.reversed(), observing.reversed()).prefix { $0 == $1 }.count
    guard shared > 0, shared < frames.count, shared < observing.count else { return .stack(stack) }
    return .frame(stack, position: frames.count - shared - 1)
  }
}
