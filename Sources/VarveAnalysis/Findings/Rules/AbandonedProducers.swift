internal import VarveFormat
internal import VarveProbe

/// Finds producers that go on and on for an asynchronous stream whose consumer is gone.
struct AbandonedProducers: FindingRule {
  /// What was yielded in vain.
  private struct Account {
    var count: UInt64 = 0
    var first: EventMoment
    var last: EventMoment
    /// The causes of the last one, among which is its yielding.
    var causes: [EventName] = []
  }

  private let facts: FindingFacts
  private var accounts: [UInt32: Account] = [:]
  private let chosen: Set<UInt32>

  let readsCauses = true
  let kinds: Set<RecordKind> = [.absorbed]
  var streams: Set<UInt32>? { chosen }

  /// A producer that stops soon needed a moment to notice; this is for longer, in nanoseconds, and
  /// for more elements.
  private static let shortestTime: UInt64 = 200_000_000
  private static let fewestElements: UInt64 = 8

  init?(_ facts: FindingFacts) {
    self.facts = facts
    chosen = Set(
      facts.definitions.streams.values.lazy.filter {
        $0.holdsElements && facts.is($0.parents[0], .hot) || $0.isFollowed
      }.map(\.id))
    if chosen.isEmpty { return nil }
  }

  mutating func note(_ event: FindingEvent) {
    let reason = ReasonPayload(word: event.word).reason
    guard reason == UInt32(AbsorptionReason.ended.rawValue) else { return }
    var account =
      accounts[event.stream] ?? Account(first: event.moment, last: event.moment)
    account.count += 1
    account.last = event.moment
    account.causes = event.causes
    accounts[event.stream] = account
  }

  mutating func findings() -> [Finding] {
    accounts.sorted { $0.key < $1.key }.compactMap { finding($1, of: $0) }
  }

  private func finding(_ account: Account, of stream: UInt32) -> Finding? {
    let time = facts.time.duration(from: account.first.ticks, to: account.last.ticks)
    guard account.count >= Self.fewestElements, time >= Self.shortestTime,
      let definition = facts.definitions.streams[stream]
    else { return nil }
    let source = definition.parents.first ?? stream
    let sender = account.causes.lazy.compactMap(facts.sender).first.map { FindingPlace.stack($0) }
    var finding = Finding(
      .stuck, weight: 70, place: sender ?? .stream(source),
      "\(stream: source) has ended, or its consumer is gone, and its producer went on for "
        + "\(nanoseconds: time): it yielded \(account.count, "element", "elements") in vain",
      stream: source, evidence: [account.first.name, account.last.name])
    finding.count = account.count
    return finding
  }
}
