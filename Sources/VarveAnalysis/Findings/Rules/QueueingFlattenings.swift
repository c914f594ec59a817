internal import VarveFormat
internal import VarveProbe

/// Finds flattenings that run a limited number of inner streams, and that values reach faster than
/// these end: each value waits longer for its turn than the one before it.
struct QueueingFlattenings: FindingRule {
  /// What is known of one flattening.
  private struct Account {
    /// When each value came.
    var values: [UInt64] = []
    /// When the turn of each value came, and the last such event.
    var turns: [UInt64] = []
    var evidence: EventName?
    /// The most values that waited at once.
    var most = 0
  }

  private let facts: FindingFacts
  private var accounts: [UInt32: Account] = [:]
  /// The flattenings that a stream's values reach.
  private var fed: [UInt32: [UInt32]] = [:]
  private var inner: Set<UInt32> = []

  let kinds: Set<RecordKind> = [.value, .subscribed]
  var streams: Set<UInt32>? { inner.union(fed.keys) }

  /// The shortest wait that is worth a look, in nanoseconds.
  private static let shortestWait: UInt64 = 100_000_000
  /// The last value waited at least this many times as long as an inner stream runs.
  private static let factor: UInt64 = 4
  private static let fewestValues: UInt64 = 8
  /// The maximum number of values of a flattening that are kept.
  private static let mostValues = 4_096
  /// The memory for a flattening, in bytes.
  private static let bytes = 16 * mostValues + 256

  init?(_ facts: FindingFacts) {
    self.facts = facts
    for account in facts.history.streams
    where facts.is(account.stream, [.makesStreams, .holds]) {
      guard let outer = facts.links.inputs(of: account.stream).first,
        facts.silence.delivered(from: outer, to: account.stream) >= Self.fewestValues,
        facts.walk.take(Self.bytes)
      else { continue }
      accounts[account.stream] = Account()
      fed[outer, default: []].append(account.stream)
      inner.formUnion(facts.links.inner(of: account.stream))
    }
    if accounts.isEmpty { return nil }
  }

  mutating func note(_ event: FindingEvent) {
    switch event.kind {
    case .value:
      for stream in fed[event.stream] ?? [] { come(event.ticks, to: stream) }
    case .subscribed where inner.contains(event.stream):
      begin(event, of: SubscriptionPayload(word: event.word).stream)
    default: return
    }
  }

  private mutating func come(_ ticks: UInt64, to stream: UInt32) {
    guard var account = accounts[stream], account.values.count < Self.mostValues else { return }
    accounts[stream] = nil
    account.values.append(ticks)
    account.most = max(account.most, account.values.count - account.turns.count)
    accounts[stream] = account
  }

  private mutating func begin(_ event: FindingEvent, of stream: UInt32) {
    guard var account = accounts[stream], account.turns.count < account.values.count else { return }
    accounts[stream] = nil
    account.turns.append(event.ticks)
    account.evidence = event.name
    accounts[stream] = account
  }

  mutating func findings() -> [Finding] {
    accounts.sorted { $0.key < $1.key }.compactMap { finding($0.value, of: $0.key) }
  }

  private func finding(_ account: Account, of stream: UInt32) -> Finding? {
    let begun = account.turns.count
    guard UInt64(begun) >= Self.fewestValues, let first = account.values.first,
      let last = account.values.last, let lastTurn = account.turns.last,
      let evidence = account.evidence
    else { return nil }
    let each = facts.time.duration(from: first, to: lastTurn) / UInt64(begun)
    let wait = wait(begun - 1, account)
    guard wait >= max(Self.shortestWait, each * Self.factor),
      wait * 2 >= self.wait(begun / 2, account) * 3
    else { return nil }
    // What comes in one go is a list of jobs, and waits by intention.
    let coming = facts.time.duration(from: first, to: last)
    guard coming >= each * Self.factor else { return nil }
    let gap = coming / UInt64(account.values.count - 1)
    return Finding(
      .backlog, weight: 78, place: .stream(stream),
      "\(stream: stream) lets values wait for their turn, up to "
        + "\(UInt64(account.most), "value", "values") at once and the last one for \(nanoseconds: wait): "
        + "one comes each \(nanoseconds: gap), and its stream runs for \(nanoseconds: each)",
      stream: stream, evidence: [evidence])
  }

  /// How long a value waited for its turn.
  private func wait(_ index: Int, _ account: Account) -> UInt64 {
    facts.time.duration(from: account.values[index], to: account.turns[index])
  }
}
