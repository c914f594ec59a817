internal import VarveFormat
internal import VarveProbe

/// Finds asynchronous streams with names to which elements come on and on after those that took them have
/// left: somebody holds the stream, and the elements pile up, without a limit.
struct AbandonedElements: FindingRule {
  /// What is known of one stream.
  private struct Account {
    let source: UInt32
    /// The readings that have not ended, and the end of the last one that has.
    var readings: Set<UInt64> = []
    var left: EventMoment?
    /// What came after that.
    var count: UInt64 = 0
    var first: EventMoment?
    var last: EventMoment?
  }

  private let facts: FindingFacts
  private var accounts: [UInt32: Account] = [:]
  private var fed: [UInt32: UInt32] = [:]

  let kinds: Set<RecordKind> = [.value, .subscribed, .ended]
  var streams: Set<UInt32>? { Set(accounts.keys).union(fed.keys) }

  /// For how long elements come, in nanoseconds, and how many: what comes for a moment was on its way.
  private static let shortestTime: UInt64 = 1_000_000_000
  private static let fewestElements: UInt64 = 32
  private static let mostStreams = 1_024
  private static let mostReadings = 64

  init?(_ facts: FindingFacts) {
    self.facts = facts
    for stream in facts.definitions.streams.values where accounts.count < Self.mostStreams {
      guard stream.holdsElements, !facts.is(stream.id, .swallows),
        facts.is(stream.parents[0], .hot),
        facts.history.stream(stream.parents[0])?.values ?? 0 >= Self.fewestElements
      else { continue }
      accounts[stream.id] = Account(source: stream.parents[0])
      fed[stream.parents[0]] = stream.id
    }
    if accounts.isEmpty { return nil }
  }

  mutating func note(_ event: FindingEvent) {
    switch event.kind {
    case .value:
      guard let stream = fed[event.stream], accounts[stream]?.left != nil else { return }
      accounts[stream]?.count += 1
      if accounts[stream]?.first == nil { accounts[stream]?.first = event.moment }
      accounts[stream]?.last = event.moment
    case .subscribed:
      guard let account = accounts[event.stream], account.readings.count < Self.mostReadings else {
        return
      }
      accounts[event.stream]?.readings.insert(event.subscription)
      // Somebody comes back for what has come.
      accounts[event.stream]?.left = nil
      accounts[event.stream]?.count = 0
      accounts[event.stream]?.first = nil
    case .ended:
      guard accounts[event.stream]?.readings.remove(event.subscription) != nil,
        accounts[event.stream]?.readings.isEmpty == true
      else { return }
      accounts[event.stream]?.left = event.moment
    default: return
    }
  }

  mutating func findings() -> [Finding] {
    accounts.values.sorted { $0.source < $1.source }.compactMap(finding)
  }

  private func finding(_ account: Account) -> Finding? {
    guard account.count >= Self.fewestElements, let left = account.left,
      let first = account.first, let last = account.last
    else { return nil }
    let time = facts.time.duration(from: first.ticks, to: last.ticks)
    guard time >= Self.shortestTime else { return nil }
    return Finding(
      .backlog, weight: 74, place: .stream(account.source),
      "\(account.count, "element", "elements") of \(stream: account.source) came within \(nanoseconds: time) after "
        + "all that took them had left: somebody holds the stream, so that they wait, for nobody, in a buffer "
        + "without a limit",
      stream: account.source, evidence: [left.name, first.name, last.name])
  }
}
