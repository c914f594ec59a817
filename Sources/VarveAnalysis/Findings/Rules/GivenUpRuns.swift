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
    /// The request of the run in progress, if another run was given up for it.
    var replacement: EventName?
    var runs: UInt64 = 0
    var givenUp: UInt64 = 0
    /// The number of runs given up one after the other within a burst.
    var inRow = 0
    /// The requests of the longest burst.
    var burst: [EventName] = []
    /// The requests of some runs that were given up, each with the one that replaced it.
    var examples: [(given: EventName, next: EventName)] = []

    /// A run of an inner stream begins.
    mutating func begin(_ event: FindingEvent, _ time: TraceTime) {
      runs += 1
      replacement = nil
      if let given = interrupted, let request {
        givenUp += 1
        replacement = request.name
        if examples.count < GivenUpRuns.mostExamples {
          examples.append((given.name, request.name))
        }
        let pause = time.duration(from: given.ticks, to: request.ticks)
        let isQuick = given.name.ring == request.name.ring && pause <= GivenUpRuns.longestPause
        inRow = isQuick ? inRow + 1 : 0
        if inRow + 1 == GivenUpRuns.fewestInBurst, burst.isEmpty, examples.count == Int(givenUp) {
          burst = examples.suffix(GivenUpRuns.fewestInBurst - 1).map(\.given)
          burst.append(request.name)
        }
      } else {
        inRow = 0
      }
      interrupted = nil
      run = (event.subscription, request, false)
    }

    /// The run in progress ends.
    mutating func end(_ reason: EndReason?) {
      let isUnanswered = run?.hasAnswered == false && reason == .interrupted
      interrupted = isUnanswered ? run?.request : nil
      // A run that ends without a word is there to end the one before.
      if let replacement, reason == .completed, run?.hasAnswered == false {
        givenUp -= 1
        inRow = 0
        if examples.last?.next == replacement { examples.removeLast() }
      }
      replacement = nil
      run = nil
    }
  }

  private let facts: FindingFacts
  private var accounts = StreamTable<Account>()
  /// For the outer stream of flattenings, these.
  private var fed = StreamTable<[UInt32]>()
  private var inner = StreamTable<Void>()
  /// The flattenings of runs in progress, by the runs' edges.
  private var running: WalkTable<UInt64, UInt32>

  let kinds: Set<RecordKind> = [.value, .subscribed, .ended]
  var streams: Set<UInt32>? {
    Set(inner.streams).union(fed.streams).union(accounts.streams)
  }

  /// The longest time between two values of a burst, in nanoseconds.
  private static let longestPause: UInt64 = 2_000_000
  private static let fewestInBurst = 3
  private static let mostExamples = 16
  /// The memory for a flattening, in bytes.
  private static let bytes = 1_024
  /// The memory for a run in progress, in bytes.
  private static let runBytes = 48
  /// The maximum number of causes followed from a value back to what sent it.
  private static let mostCauses = 32

  init?(_ facts: FindingFacts) {
    self.facts = facts
    running = WalkTable(facts.walk, bytes: Self.runBytes, of: .observations)
    for account in facts.history.streams
    where facts.is(account.stream, [.makesStreams, .replaces]) {
      let inputs = facts.links.inputs(of: account.stream)
      guard let outer = inputs.first, !facts.links.isState(outer), facts.walk.take(Self.bytes)
      else { continue }
      accounts.add(account.stream, Account())
      fed.add(outer, [])
      fed.change(outer) { $0.append(account.stream) }
      for stream in facts.links.inner(of: account.stream) { inner.add(stream, ()) }
    }
    if accounts.isEmpty { return nil }
  }

  mutating func note(_ event: FindingEvent) {
    switch event.kind {
    case .value:
      for stream in fed[event.stream] ?? [] {
        accounts.change(stream) { $0.request = event.moment }
      }
      accounts.change(event.stream) { account in
        if account.run?.edge == event.subscription { account.run?.hasAnswered = true }
      }
    case .subscribed:
      let stream = SubscriptionPayload(word: event.word).stream
      if inner.contains(event.stream), accounts.contains(stream),
        running.set(stream, for: event.subscription)
      {
        accounts.change(stream) { $0.begin(event, facts.time) }
      }
    case .ended:
      guard inner.contains(event.stream) else { return }
      let reason = EndReason(rawValue: UInt8(truncatingIfNeeded: event.word))
      guard let stream = running.removeValue(forKey: event.subscription) else { return }
      accounts.change(stream) { $0.end(reason) }
    default: return
    }
  }

  mutating func findings() -> [Finding] {
    accounts.inOrder.compactMap { finding($0.value, of: $0.stream) }
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
