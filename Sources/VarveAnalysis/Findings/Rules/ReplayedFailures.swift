internal import VarveFormat
internal import VarveProbe

/// Finds operators that share one run with all observers, and go on replaying its failure to those that
/// come later: what was meant to be tried again is never started again.
struct ReplayedFailures: FindingRule {
  /// What is known of one operator that replays.
  private struct Account {
    var first: EventMoment?
    var last: EventMoment?
    /// The number of observations that got the failure at once.
    var replays: UInt64 = 0
    /// Whether an observation has begun after the first failure, and got nothing yet.
    var isObserved = false
  }

  private let facts: FindingFacts
  private var accounts: [UInt32: Account] = [:]

  let kinds: Set<RecordKind> = [.subscribed, .failed]
  var streams: Set<UInt32>? { Set(accounts.keys) }

  /// The fewest observations that got an old failure: one may be an accident.
  private static let fewest: UInt64 = 2
  /// The shortest time from a failure to its last replay, in nanoseconds: observations that begin
  /// together share it by intention.
  private static let shortest: UInt64 = 20_000_000
  /// The memory for a stream, in bytes.
  private static let bytes = 128

  init?(_ facts: FindingFacts) {
    self.facts = facts
    for account in facts.history.streams
    where account.firstEnd?.kind == .failed && account.subscriptions > Self.fewest {
      let stream = account.stream
      guard facts.is(stream, .replays), !facts.is(stream, .hot), !facts.is(stream, .standsIn),
        facts.walk.take(Self.bytes)
      else { continue }
      accounts[stream] = Account()
    }
    if accounts.isEmpty { return nil }
  }

  mutating func note(_ event: FindingEvent) {
    guard var account = accounts[event.stream] else { return }
    if event.kind == .subscribed {
      account.isObserved = account.first != nil
    } else if account.first == nil {
      account.first = event.moment
    } else if account.isObserved {
      account.replays += 1
      account.last = event.moment
      account.isObserved = false
    }
    accounts[event.stream] = account
  }

  mutating func findings() -> [Finding] {
    accounts.sorted { $0.key < $1.key }.compactMap { stream, account in
      guard account.replays >= Self.fewest, let first = account.first, let last = account.last
      else {
        return nil
      }
      let time = facts.time.duration(from: first.ticks, to: last.ticks)
      guard time >= Self.shortest else { return nil }
      return Finding(
        .handled, weight: 72, place: .stream(stream),
        "\(stream: stream) keeps the failure \(value: first.name), and replayed it to "
          + "\(account.replays, "later observation", "later observations") in \(nanoseconds: time): its "
          + "input was not started again",
        stream: stream, evidence: [last.name, first.name])
    }
  }
}
