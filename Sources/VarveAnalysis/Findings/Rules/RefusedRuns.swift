internal import VarveFormat
internal import VarveProbe

/// Finds actions that were started several times and refused each time, because the property that
/// they depend on was never true.
struct RefusedRuns: FindingRule {
  /// The starts of one action.
  private struct Account {
    let action: UInt32
    let condition: UInt32
    var count = 0
    var first: EventName?
    var last: EventName?
  }

  private let facts: FindingFacts
  /// The accounts, by the streams of the actions' runs.
  private var accounts: [UInt32: Account] = [:]

  let kinds: Set<RecordKind> = [.failed]
  var streams: Set<UInt32>? { Set(accounts.keys) }

  /// The smallest number of starts; a single one may have come too early.
  private static let fewest = 2
  /// The memory for an action, in bytes.
  private static let bytes = 256

  init?(_ facts: FindingFacts) {
    self.facts = facts
    for account in facts.history.streams where account.firstEnd?.kind == .failed {
      guard let action = facts.action(of: account.stream),
        facts.history.stream(action)?.values ?? 0 == 0,
        case let gates = facts.gates(of: action),
        gates.allSatisfy({ facts.history.stream($0)?.values ?? 0 == 0 }),
        let condition = Self.condition(of: gates, facts), facts.walk.take(Self.bytes)
      else { continue }
      accounts[account.stream] = Account(action: action, condition: condition)
    }
    if accounts.isEmpty { return nil }
  }

  /// Returns the property that says whether an action may be started.
  private static func condition(of gates: [UInt32], _ facts: FindingFacts) -> UInt32? {
    let bound = facts.history.subscriptions.connected.first { gates.contains($0.to) }
    return bound.map { pair in
      let parents = facts.definitions.streams[pair.from]?.parents ?? []
      return facts.is(pair.from, .standsIn) ? parents.first ?? pair.from : pair.from
    }
  }

  mutating func note(_ event: FindingEvent) {
    guard accounts[event.stream] != nil else { return }
    accounts[event.stream]?.count += 1
    accounts[event.stream]?.last = event.name
    if accounts[event.stream]?.first == nil { accounts[event.stream]?.first = event.name }
  }

  mutating func findings() -> [Finding] {
    accounts.sorted { $0.key < $1.key }.compactMap { finding($0.value) }
  }

  private func finding(_ account: Account) -> Finding? {
    guard account.count >= Self.fewest, let first = account.first, let last = account.last,
      let failure = facts.lookup[last], Reaction(to: failure, facts).isRefusal
    else { return nil }
    var finding = Finding(
      .stuck, weight: 85, place: .stream(account.condition),
      """
      \(stream: account.action) refused to run \(account.count, "time", "times"), and never ran: \
      \(stream: account.condition), on which it depends, was false all the time
      """, stream: account.action, evidence: [last, first])
    finding.other = account.condition
    finding.count = UInt64(account.count)
    return finding
  }
}
