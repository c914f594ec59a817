internal import VarveFormat
internal import VarveProbe

/// Finds streams whose elements wait for a consumer that takes one after the other, and is slower
/// than they come: each waits longer than the one before it.
struct WaitingElements: FindingRule {
  /// What is known of one stream.
  private struct Account {
    /// When each element came, and when it was taken.
    var came: [UInt64] = []
    var taken: [UInt64] = []
    var evidence: EventName?
    /// The most elements that waited at once.
    var most = 0
  }

  private let facts: FindingFacts
  private var accounts: [UInt32: Account] = [:]
  /// The streams that keep a stream's values for their consumers.
  private var fed: [UInt32: [UInt32]] = [:]

  let kinds: Set<RecordKind> = [.value]
  var streams: Set<UInt32>? { Set(accounts.keys).union(fed.keys) }

  /// The shortest wait that is worth a look, in nanoseconds.
  private static let shortestWait: UInt64 = 100_000_000
  /// The last element waited at least this many times as long as the consumer takes for one.
  private static let factor: UInt64 = 4
  private static let fewestElements: UInt64 = 8
  /// The maximum number of elements of a stream that are kept.
  private static let mostElements = 4_096
  /// The memory for a stream, in bytes.
  private static let bytes = 16 * mostElements + 256

  init?(_ facts: FindingFacts) {
    self.facts = facts
    for account in facts.history.streams where account.values >= Self.fewestElements {
      guard let stream = facts.definitions.streams[account.stream],
        stream.holdsElements, stream.traits?.contains(.swallows) == false,
        facts.is(stream.parents[0], .hot), facts.walk.take(Self.bytes)
      else { continue }
      accounts[stream.id] = Account()
      fed[stream.parents[0], default: []].append(stream.id)
    }
    if accounts.isEmpty { return nil }
  }

  mutating func note(_ event: FindingEvent) {
    for stream in fed[event.stream] ?? [] {
      guard var account = accounts[stream], account.came.count < Self.mostElements else { continue }
      accounts[stream] = nil
      account.came.append(event.ticks)
      account.most = max(account.most, account.came.count - account.taken.count)
      accounts[stream] = account
    }
    guard var account = accounts[event.stream], account.taken.count < account.came.count else {
      return
    }
    accounts[event.stream] = nil
    account.taken.append(event.ticks)
    account.evidence = event.name
    accounts[event.stream] = account
  }

  mutating func findings() -> [Finding] {
    accounts.sorted { $0.key < $1.key }.compactMap { finding($0.value, of: $0.key) }
  }

  private func finding(_ account: Account, of stream: UInt32) -> Finding? {
    let taken = account.taken.count
    guard UInt64(taken) >= Self.fewestElements, let first = account.came.first,
      let last = account.came.last, let lastTaken = account.taken.last,
      let evidence = account.evidence, let source = facts.definitions.streams[stream]?.parents.first
    else { return nil }
    let each = facts.time.duration(from: first, to: lastTaken) / UInt64(taken)
    let wait = wait(taken - 1, account)
    guard wait >= max(Self.shortestWait, each * Self.factor),
      wait * 2 >= self.wait(taken / 2, account) * 3
    else { return nil }
    // What comes in one go is a list of jobs, and waits by intention.
    let coming = facts.time.duration(from: first, to: last)
    guard coming * Self.factor >= each * UInt64(taken) else { return nil }
    let gap = coming / UInt64(account.came.count - 1)
    return Finding(
      .backlog, weight: 78, place: .stream(source),
      "\(stream: source) is filled faster than its consumer takes from it: up to "
        + "\(UInt64(account.most), "element", "elements") waited at once, the last one for "
        + "\(nanoseconds: wait); one comes each \(nanoseconds: gap), and the consumer takes "
        + "\(nanoseconds: each) for one",
      stream: source, evidence: [evidence])
  }

  /// How long an element waited.
  private func wait(_ index: Int, _ account: Account) -> UInt64 {
    facts.time.duration(from: account.came[index], to: account.taken[index])
  }
}
