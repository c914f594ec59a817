internal import VarveFormat
internal import VarveProbe

/// Finds values that a validating property rejected, although nobody observes or reads its outcome.
struct HiddenRejections: FindingRule {
  /// What is known of one property's outcome.
  private struct Account {
    var outcomes: UInt64 = 0
    var last: EventMoment?
    var isRead = false
  }

  private let facts: FindingFacts
  private var accounts: [UInt32: Account] = [:]

  let kinds: Set<RecordKind> = [.value, .read]
  var streams: Set<UInt32>? { Set(accounts.keys) }

  /// The memory for a property, in bytes.
  private static let bytes = 128
  /// How the description of a validating property's outcome begins when it is a rejection.
  private static let rejection = "invalid"

  init?(_ facts: FindingFacts) {
    self.facts = facts
    for account in facts.history.streams where account.values > 0 {
      guard facts.is(account.stream, .validates), !isObserved(account.stream),
        facts.walk.take(Self.bytes)
      else { continue }
      accounts[account.stream] = Account()
    }
    if accounts.isEmpty { return nil }
  }

  /// Returns whether anything follows a stream: an observer, or a stream that was made from it. The
  /// producer that stands for it has no life of its own.
  private func isObserved(_ stream: UInt32) -> Bool {
    if facts.history.stream(stream)?.subscriptions ?? 0 > 0 { return true }
    return facts.links.made(from: stream).contains { made in
      !facts.is(made, .standsIn) || !facts.links.made(from: made).isEmpty
        || facts.history.stream(made)?.subscriptions ?? 0 > 0
    }
  }

  mutating func note(_ event: FindingEvent) {
    if event.kind == .read {
      if event.isOfValue { accounts[event.stream]?.isRead = true }
    } else {
      accounts[event.stream]?.outcomes += 1
      accounts[event.stream]?.last = event.moment
    }
  }

  mutating func findings() -> [Finding] {
    accounts.sorted { $0.key < $1.key }.compactMap { finding($0.value, of: $0.key) }
  }

  private func finding(_ account: Account, of stream: UInt32) -> Finding? {
    // What was accepted in the end was put right by whoever typed it.
    guard !account.isRead, let last = account.last, isRejection(last.name) else { return nil }
    return Finding(
      .handled, weight: 70,
      // The line of the validator that said no; of older recordings, the property.
      place: facts.sender(of: last.name).map { .stack($0) } ?? .stream(stream),
      """
      the validating property of \(stream: stream) rejected \(value: last.name), the last of \
      \(account.outcomes, "value", "values"), and nobody observes its result
      """,
      stream: stream, evidence: [last.name])
  }

  private func isRejection(_ event: EventName) -> Bool {
    guard let payload = facts.lookup[event]?.payload else { return false }
    return payload.text.hasPrefix(Self.rejection)
  }
}
