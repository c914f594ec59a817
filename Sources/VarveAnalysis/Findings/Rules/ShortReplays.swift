internal import VarveFormat
internal import VarveProbe

/// Finds streams that replay fewer values to a late observer than they had delivered before, though
/// that observer wants them all.
struct ShortReplays: FindingRule {
  /// What is known of one stream that replays.
  private struct Account {
    /// The stream whose values it repeats, which is itself for a subject.
    let source: UInt32
    /// The number of values that it has delivered to those who observed it in time.
    var values: UInt64 = 0
    /// The thread on which the source has sent a value that it has not delivered yet.
    var due: UInt32?
    /// The observation that began last, until the next value comes on its thread: meanwhile, others go on,
    /// which count for nothing.
    var late: (event: EventName, to: UInt32, values: UInt64, replayed: UInt64)?
    /// The observation that missed most.
    var worst: Miss?
  }

  private struct Miss {
    var event: EventName
    var values: UInt64
    var replayed: UInt64
    var isGathered: Bool

    var rank: (Int, UInt64) { (isGathered ? 1 : 0, values - replayed) }
  }

  private let facts: FindingFacts
  private var accounts: [UInt32: Account] = [:]
  /// For each source, and each stream that late observers observe, the stream that replays.
  private var replaying: [UInt32: UInt32] = [:]

  let kinds: Set<RecordKind> = [.value, .subscribed]
  var streams: Set<UInt32>? { Set(replaying.keys) }

  /// The memory for a stream that replays, in bytes.
  private static let bytes = 512

  init?(_ facts: FindingFacts) {
    self.facts = facts
    for account in facts.history.streams where facts.is(account.stream, .replays) {
      let stream = account.stream
      guard account.subscriptions > 1 || account.values > 1, !facts.is(stream, .standsIn) else {
        continue
      }
      // Of a property only the last value counts.
      guard !facts.links.isProperty(stream), facts.walk.take(Self.bytes) else { continue }
      let standIns = facts.links.made(from: stream).filter { facts.is($0, .standsIn) }
      let source = facts.links.inputs(of: stream).first.map(facts.links.root) ?? stream
      accounts[stream] = Account(source: source)
      for known in standIns + [stream, source] { replaying[known] = stream }
    }
    if accounts.isEmpty { return nil }
  }

  mutating func note(_ event: FindingEvent) {
    guard let stream = replaying[event.stream], var account = accounts[stream] else { return }
    let isSource = event.stream == account.source
    switch event.kind {
    case .value where isSource:
      if event.name.ring == account.late?.event.ring { close(&account) }
      if event.stream == stream { account.values += 1 } else { account.due = event.name.ring }
    case .value where account.due == event.name.ring:
      account.due = nil
      account.values += 1
    case .value where event.name.ring == account.late?.event.ring:
      account.late?.replayed += 1
    case .subscribed where !isSource || event.stream == stream:
      let to = SubscriptionPayload(word: event.word).stream
      if account.late?.replayed == 0, to == 0 { break }
      close(&account)
      account.late = (event.name, to, account.values, 0)
    default: break
    }
    accounts[stream] = account
  }

  private func close(_ account: inout Account) {
    guard let late = account.late else { return }
    account.late = nil
    guard late.replayed > 0, late.replayed < late.values else { return }
    let isGathered = late.to != 0 && facts.gathers(late.to)
    let miss = Miss(
      event: late.event, values: late.values, replayed: late.replayed, isGathered: isGathered)
    if account.worst.map({ $0.rank < miss.rank }) ?? true { account.worst = miss }
  }

  mutating func findings() -> [Finding] {
    accounts.sorted { $0.key < $1.key }.compactMap { stream, account in
      var account = account
      close(&account)
      // A single value that is replayed stands for a state.
      guard let miss = account.worst, miss.isGathered || miss.replayed > 1 else { return nil }
      let rest: FindingSentence = miss.isGathered ? ", and it gathers what it gets" : ""
      return Finding(
        .partial, weight: miss.isGathered ? 75 : 45, place: .stream(stream),
        "\(stream: stream) repeated only \(miss.replayed, "value", "values") of "
          + "\(String(miss.values)) for an observer that came late" + rest,
        stream: stream, evidence: [miss.event])
    }
  }
}

extension FindingFacts {
  /// Returns whether a stream gathers the values that it receives, or one further on does.
  func gathers(_ stream: UInt32) -> Bool {
    `is`(stream, .gathers) || links.isGathered(stream)
  }
}

extension StreamLinks {
  /// Returns the stream that another one stands for.
  func root(_ stream: UInt32) -> UInt32 {
    guard traits(stream).contains(.standsIn), let source = inputs(of: stream).first else {
      return stream
    }
    return source
  }
}
