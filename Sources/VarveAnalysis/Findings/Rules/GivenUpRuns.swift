internal import VarveFormat
internal import VarveProbe

/// Finds inner streams that a flattening with `.latest` gave up for the next one, although each of
/// them had an answer of its own to give.
///
/// Giving up is meant where each value replaces the one before it, as text in a search field does.
/// It is not where values are jobs: many are sent in one go, or what comes of them is gathered.
struct GivenUpRuns: FindingRule {
  /// What is known of one flattening.
  private struct Account {
    /// The newest value of the outer stream.
    var request: EventMoment?
    /// The run in progress, and the value that it answers.
    var run: (edge: UInt64, request: EventMoment?, hasAnswered: Bool)?
    /// The request whose run was given up last, until it is known what for.
    var interrupted: EventMoment?
    var runs: UInt64 = 0
    var givenUp: UInt64 = 0
    /// The number of runs given up one after the other within a burst.
    var inRow = 0
    /// The requests of the longest burst.
    var burst: [EventName] = []
    /// The requests of some runs that were given up, each with the one that replaced it.
    var examples: [(given: EventName, next: EventName)] = []
  }

  private let facts: FindingFacts
  private var accounts: [UInt32: Account] = [:]
  /// For the outer stream of flattenings, these.
  private var fed: [UInt32: [UInt32]] = [:]
  private var inner: Set<UInt32> = []
  /// The flattenings of runs in progress, by the runs' edges.
  private var running: [UInt64: UInt32] = [:]

  let kinds: Set<RecordKind> = [.value, .subscribed, .ended]
  var streams: Set<UInt32>? { inner.union(fed.keys).union(accounts.keys) }

  /// The longest time between two values of a burst, in nanoseconds.
  private static let longestPause: UInt64 = 2_000_000
  private static let fewestInBurst = 3
  private static let mostExamples = 16
  /// The memory for a flattening, in bytes.
  private static let bytes = 1_024
  /// The maximum number of causes followed from a value back to what sent it.
  private static let mostCauses = 32

  init?(_ facts: FindingFacts) {
    self.facts = facts
    for account in facts.history.streams
    where facts.is(account.stream, [.makesStreams, .replaces]) {
      let inputs = facts.links.inputs(of: account.stream)
      guard let outer = inputs.first, !facts.links.isState(outer), facts.walk.take(Self.bytes)
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
      for stream in fed[event.stream] ?? [] { accounts[stream]?.request = event.moment }
      if accounts[event.stream]?.run?.edge == event.subscription {
        accounts[event.stream]?.run?.hasAnswered = true
      }
    case .subscribed:
      let stream = SubscriptionPayload(word: event.word).stream
      if inner.contains(event.stream), accounts[stream] != nil { begin(event, of: stream) }
    case .ended:
      guard inner.contains(event.stream) else { return }
      let reason = EndReason(rawValue: UInt8(truncatingIfNeeded: event.word))
      guard let stream = running.removeValue(forKey: event.subscription) else { return }
      let run = accounts[stream]?.run
      let isUnanswered = run?.hasAnswered == false && reason == .interrupted
      accounts[stream]?.interrupted = isUnanswered ? run?.request : nil
      accounts[stream]?.run = nil
    default: return
    }
  }

  private mutating func begin(_ event: FindingEvent, of stream: UInt32) {
    guard var account = accounts[stream] else { return }
    let request = account.request
    account.runs += 1
    if let given = account.interrupted, let request {
      account.givenUp += 1
      if account.examples.count < Self.mostExamples {
        account.examples.append((given.name, request.name))
      }
      let pause = facts.time.duration(from: given.ticks, to: request.ticks)
      let isQuick = given.name.ring == request.name.ring && pause <= Self.longestPause
      account.inRow = isQuick ? account.inRow + 1 : 0
      if account.inRow + 1 == Self.fewestInBurst, account.burst.isEmpty,
        account.examples.count == Int(account.givenUp)
      {
        account.burst = account.examples.suffix(Self.fewestInBurst - 1).map(\.given)
        account.burst.append(request.name)
      }
    } else {
      account.inRow = 0
    }
    account.interrupted = nil
    account.run = (event.subscription, request, false)
    running[event.subscription] = stream
    accounts[stream] = account
  }

  mutating func findings() -> [Finding] {
    accounts.sorted { $0.key < $1.key }.compactMap { finding($0.value, of: $0.key) }
  }

  private func finding(_ account: Account, of stream: UInt32) -> Finding? {
    guard account.givenUp > 0, let example = account.examples.first(where: isDifferent) else {
      return nil
    }
    let why: FindingSentence
    var weight = 85
    if isOneGo(account.burst) {
      why = "; such values come in one go, and each of them is work of its own"
    } else if facts.links.isGathered(stream) {
      why = "; what it delivers is gathered, so each answer counts"
      if account.givenUp * 4 < account.runs { weight = 60 }
    } else {
      return nil
    }
    let runs: FindingSentence = "\(String(account.givenUp)) of \(account.runs, "run", "runs")"
    return Finding(
      .partial, weight: weight, place: .stream(stream),
      "\(stream: stream) gave up \(runs) before an answer came, because the next one began: "
        + "\(value: example.given) had none when \(value: example.next) came" + why,
      stream: stream, evidence: [example.given, example.next])
  }

  /// Returns whether two requests differ: the answer to one that is repeated answers the first, too.
  private func isDifferent(_ example: (given: EventName, next: EventName)) -> Bool {
    guard let given = facts.lookup[example.given], let next = facts.lookup[example.next] else {
      return false
    }
    return given.payload != next.payload
  }

  /// Returns whether values were sent by one piece of code, one right after the other.
  private func isOneGo(_ burst: [EventName]) -> Bool {
    guard burst.count >= Self.fewestInBurst else { return false }
    let works = burst.map(work)
    return works.allSatisfy { $0 == works[0] }
  }

  /// Returns the work during which a value was sent; nil when it came from outside of any.
  private func work(_ value: EventName) -> EventName? {
    var next: EventName? = value
    for _ in 0..<Self.mostCauses {
      guard let name = next, let event = facts.lookup[name] else { return nil }
      if event.isHop { return name }
      next = event.causes.first
    }
    return next
  }
}
