internal import VarveFormat
internal import VarveProbe

/// Finds joins that pair values one to one and hold ever more of one input, because another one is
/// slower. What they deliver grows older and older, and so does their memory.
struct GrowingJoins: FindingRule {
  /// What is known of one join.
  private struct Account {
    let fast: UInt32
    let slow: UInt32
    /// The numbers of values.
    var came: UInt64 = 0
    var delivered: UInt64 = 0
    /// The number held when half of all values had been delivered.
    var heldHalfway: UInt64 = 0
    let half: UInt64

    /// The fast input's values that have no partner.
    var held: UInt64 { came - min(came, delivered) }
  }

  private let facts: FindingFacts
  private var accounts: [UInt32: Account] = [:]
  private var joins: [UInt32: [UInt32]] = [:]

  let kinds: Set<RecordKind> = [.value]
  var streams: Set<UInt32>? { Set(accounts.keys).union(joins.keys) }

  /// The smallest number of values held that is worth a look.
  private static let fewestHeld: UInt64 = 16
  /// How many values of the slower input make the time of the faster one more than a moment.
  private static let fewestTurns: UInt64 = 6
  /// The memory for a join, in bytes.
  private static let bytes = 256

  init?(_ facts: FindingFacts) {
    self.facts = facts
    for account in facts.history.streams where account.values > 1 {
      guard let join = Self.account(of: account, facts), facts.walk.take(Self.bytes) else {
        continue
      }
      accounts[account.stream] = join
      joins[join.fast, default: []].append(account.stream)
    }
    if accounts.isEmpty { return nil }
  }

  /// Returns an account of a join that may hold values without a partner.
  private static func account(of account: StreamAccount, _ facts: FindingFacts) -> Account? {
    let stream = account.stream
    guard facts.is(stream, [.joins, .needsAllInputs, .holds]),
      facts.definitions.streams[stream]?.absorbs == .gathered
    else { return nil }
    let inputs = facts.links.inputs(of: stream).map { input in
      (stream: input, values: facts.silence.delivered(from: input, to: stream))
    }
    // What is dropped when the join ends was held until then.
    let dropped = account.absorbedValues - (account.absorbed[.ended] ?? 0)
    // A join of the newest values delivers more often than its slowest input.
    guard let fast = inputs.max(by: { $0.values < $1.values }),
      let slow = inputs.min(by: { $0.values < $1.values }), slow.values <= account.values + 1,
      account.values <= slow.values,
      fast.values - slow.values >= Self.fewestHeld + dropped
    else { return nil }
    return Account(fast: fast.stream, slow: slow.stream, half: account.values / 2)
  }

  mutating func note(_ event: FindingEvent) {
    for join in joins[event.stream] ?? [] { accounts[join]?.came += 1 }
    guard accounts[event.stream] != nil else { return }
    accounts[event.stream]?.delivered += 1
    if let account = accounts[event.stream], account.delivered == account.half {
      accounts[event.stream]?.heldHalfway = account.held
    }
  }

  mutating func findings() -> [Finding] {
    accounts.sorted { $0.key < $1.key }.compactMap { finding($0.value, of: $0.key) }
  }

  private func finding(_ account: Account, of join: UInt32) -> Finding? {
    // What was sent at once and is paired by and by shrinks, and was meant to.
    guard account.held >= Self.fewestHeld,
      account.held * 2 >= account.heldHalfway * 3
        || span(of: account.fast) >= Self.fewestTurns * period(of: account.slow),
      let last = facts.history.stream(join)?.lastValue,
      let partner = partner(of: last.name, in: account.fast)
    else { return nil }
    let age = facts.time.duration(from: partner.ticks, to: last.ticks)
    guard age > period(of: account.fast) * 2 else { return nil }
    return Finding(
      .join, weight: 85, place: .stream(join),
      "\(stream: join) holds \(account.held, "value", "values") of \(stream: account.fast), "
        + "because \(stream: account.slow) delivers fewer; the one used last, "
        + "\(value: partner.name), had waited \(nanoseconds: age)",
      stream: join, evidence: [last.name, partner.name])
  }

  /// Returns the value of an input that is part of a joined value.
  private func partner(of value: EventName, in input: UInt32) -> TraceEvent? {
    facts.lookup[value]?.causes.lazy.compactMap { facts.lookup[$0] }
      .first { $0.stream == input && $0.kind == .value }
  }

  /// Returns the average time between two values of a stream, in nanoseconds.
  private func period(of stream: UInt32) -> UInt64 {
    guard let account = facts.history.stream(stream), account.values > 1 else { return 0 }
    return span(of: stream) / (account.values - 1)
  }

  /// Returns the time from the first value of a stream to the last one, in nanoseconds.
  private func span(of stream: UInt32) -> UInt64 {
    guard let account = facts.history.stream(stream), let first = account.firstValue,
      let last = account.lastValue
    else { return 0 }
    return facts.time.duration(from: first.ticks, to: last.ticks)
  }
}
