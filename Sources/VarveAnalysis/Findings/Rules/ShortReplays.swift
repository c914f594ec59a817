internal import VarveFormat
internal import VarveProbe

/// Finds streams that replay fewer values to a late observer than they had delivered before, though
/// that observer wants them all.
struct ShortReplays: FindingRule {
  /// What is known of one stream that replays.
  private struct Account {
    var replays: ReplayCount
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
      guard let replays = ReplayCount(of: stream, facts.links), facts.walk.take(Self.bytes) else {
        continue
      }
      accounts[stream] = Account(replays: replays)
      for known in replays.streams { replaying[known] = stream }
    }
    if accounts.isEmpty { return nil }
  }

  mutating func note(_ event: FindingEvent) {
    guard let stream = replaying[event.stream], var account = accounts[stream] else { return }
    if let done = account.replays.note(event.kind, of: event.stream, event.name, word: event.word) {
      judge(done, &account)
    }
    accounts[stream] = account
  }

  private func judge(_ done: ReplayCount.Replay, _ account: inout Account) {
    guard done.replayed > 0, done.replayed < done.values else { return }
    let isGathered = done.to != 0 && facts.gathers(done.to)
    let miss = Miss(
      event: done.event, values: done.values, replayed: done.replayed, isGathered: isGathered)
    if account.worst.map({ $0.rank < miss.rank }) ?? true { account.worst = miss }
  }

  mutating func findings() -> [Finding] {
    accounts.sorted { $0.key < $1.key }.compactMap { stream, account in
      var account = account
      if let done = account.replays.last { judge(done, &account) }
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
