internal import VarveFormat
internal import VarveProbe

/// Finds actions that refuse to run, or that nobody starts any more, because a run never ends, with the
/// stream that it waits for.
struct EndlessRuns: FindingRule {
  /// What is known of the runs of one action.
  private struct Account {
    let action: UInt32
    /// When the action last began or ended a run.
    var changed: EventMoment?
    var failures: [EventMoment] = []
    /// When code looked, during the run, whether the action runs or can be started.
    var looks: [EventMoment] = []
    /// The longest time between two changes, in ticks.
    var longest: UInt64 = 0

    mutating func change(at moment: EventMoment) {
      if let changed, moment.ticks > changed.ticks {
        longest = max(longest, moment.ticks - changed.ticks)
      }
      changed = moment
      // What failed before was not refused because of the run in progress.
      failures.removeAll(keepingCapacity: true)
      looks.removeAll(keepingCapacity: true)
    }

    /// Returns whether a run is still in progress long after any other would have ended.
    func isEndless(at moment: EventMoment) -> Bool {
      guard let changed, moment.ticks > changed.ticks else { return false }
      return (moment.ticks - changed.ticks) / EndlessRuns.factor > longest
    }
  }

  private let facts: FindingFacts
  private var accounts: [UInt32: Account] = [:]
  /// The runs that each of an action's own properties tells of.
  private var gates: [UInt32: UInt32] = [:]
  /// What each of these told when the first run began, and what it told last.
  private var told: [UInt32: (first: UInt64, last: UInt64)] = [:]
  private var handlers = StartHandlers()

  let kinds: Set<RecordKind> = [.value, .failed, .read]
  var streams: Set<UInt32>? { Set(accounts.keys).union(gates.keys) }

  /// The maximum number of failures examined.
  private static let mostExamined = 64
  /// A run that takes this many times as long as the longest before it does not end.
  private static let factor: UInt64 = 10
  /// The memory for an action, in bytes.
  private static let bytes = 2_048

  init?(_ facts: FindingFacts) {
    self.facts = facts
    let open = Set(facts.history.subscriptions.open.map(\.from))
    for account in facts.history.streams
    where account.firstEnd != nil || open.contains(account.stream) {
      guard let action = facts.action(of: account.stream), facts.walk.take(Self.bytes) else {
        continue
      }
      accounts[account.stream] = Account(action: action)
      for gate in facts.gates(of: action) { gates[gate] = account.stream }
    }
    if accounts.isEmpty { return nil }
  }

  mutating func note(_ event: FindingEvent) {
    if event.kind == .value, let run = gates[event.stream] {
      accounts[run]?.change(at: event.moment)
      told[event.stream] = (told[event.stream]?.first ?? event.word, event.word)
    } else if event.kind == .read, let run = gates[event.stream], let told = told[event.stream],
      told.first == told.last, let count = accounts[run]?.looks.count, count < Self.mostExamined
    {
      accounts[run]?.looks.append(event.moment)
    } else if event.kind == .failed, let known = accounts[event.stream]?.failures,
      known.count < Self.mostExamined
    {
      accounts[event.stream]?.failures.append(event.moment)
    }
  }

  mutating func findings() -> [Finding] {
    accounts.sorted { $0.key < $1.key }.compactMap { finding($0.value, of: $0.key) }
  }

  private mutating func finding(_ account: Account, of runs: UInt32) -> Finding? {
    let refused = account.failures.filter { failure in
      facts.lookup[failure.name].map { Reaction(to: $0, facts).isRefusal } ?? false
    }
    guard !refused.isEmpty else { return unstarted(account, of: runs) }
    guard let first = refused.first, let last = refused.last, let changed = account.changed,
      refused.count > 1 || account.isEndless(at: last),
      case let run = OpenRun(of: runs, from: changed.ticks, to: first.ticks, facts),
      let waiting = run.waiting
    else { return nil }
    let exit =
      (run.answering ?? run.joining) == nil
      ? handlers.exit(ofSilentRun: waiting, Array(facts.history.subscriptions.open), facts) : nil
    return Finding(
      .stuck, weight: 85,
      place: exit.map { .line($0) } ?? .stream(run.answering ?? run.joining ?? waiting),
      "\(stream: account.action) refused to run \(refused.count, "time", "times"), because a run "
        + "has not ended: " + why(run, waiting) + StartHandlers.told(exit),
      stream: account.action, evidence: [first.name, changed.name])
  }

  /// The finding for an action that code has looked at several times since a run began which cannot end by
  /// itself, and has not started again.
  private func unstarted(_ account: Account, of runs: UInt32) -> Finding? {
    guard account.looks.count > 1, let first = account.looks.first, let changed = account.changed,
      case let run = OpenRun(of: runs, from: changed.ticks, to: first.ticks, facts),
      let waiting = run.waiting, let place = run.answering ?? run.joining
    else { return nil }
    return Finding(
      .stuck, weight: 84, place: .stream(place),
      "\(stream: account.action) was found running \(account.looks.count, "time", "times"), because a run "
        + "has not ended: " + why(run, waiting),
      stream: account.action, evidence: [first.name, changed.name])
  }

  private func why(_ run: OpenRun, _ waiting: UInt32) -> FindingSentence {
    if let answering = run.answering {
      return "\(stream: answering) let the answer through, and goes on"
    }
    guard let joining = run.joining else { return "it waits for \(stream: waiting)" }
    return "\(stream: joining) goes on with \(stream: waiting), which does not end by itself, "
      + "though another input has completed"
  }
}

/// A run of an action that is still open when the trace ends.
struct OpenRun {
  /// The stream that the run waits for; nil if the trace does not show any.
  private(set) var waiting: UInt32?
  /// The operator that chose, among the values of a signal, the one that the run was about, and that
  /// goes on after it; nil if there is none. A signal does not end with its last value; which one
  /// is the last of several, only the signal can know.
  private(set) var answering: UInt32?
  /// The join that goes on with a signal, a property or a timer, although another input, whose work the run
  /// was, has completed; nil if there is none.
  private(set) var joining: UInt32?

  /// The maximum number of streams between a run and what it waits for.
  private static let mostSteps = 256

  /// Finds the run of the action whose runs are `runs` that began between two moments.
  init(of runs: UInt32, from first: UInt64, to last: UInt64, _ facts: FindingFacts) {
    let begun = facts.history.subscriptions.open.filter {
      (first...max(first, last)).contains($0.began.ticks) && $0.from != runs
    }
    let works = begun.filter { $0.to == 0 && !facts.is($0.from, .hot) }
    guard let work = works.min(by: { $0.edge < $1.edge }) else { return }
    let way = Self.way(of: work.from, begun, facts)
    waiting = way.last
    guard let waiting,
      facts.is(waiting, .standsIn) || facts.is(waiting, .hot) || facts.isTimer(waiting)
    else { return }
    answering = way.last {
      facts.is($0, .swallows) && !facts.is($0, .endsEarly)
        && facts.history.stream($0)?.values == 1
    }
    joining = way.last { join in
      facts.is(join, .joins)
        && facts.links.inputs(of: join).contains {
          facts.history.stream($0)?.firstEnd?.kind == .completed
        }
    }
  }

  /// Returns the stream at the beginning of the open observations that lead to a stream. What
  /// stands for a signal is returned in its place: it was made for the purpose.
  static func leaf(
    of stream: UInt32, _ open: [SubscriptionHistory.Open], _ facts: FindingFacts
  ) -> UInt32 {
    way(of: stream, open, facts).last ?? stream
  }

  /// Returns the streams from one back to the beginning of the open observations that lead to it.
  private static func way(
    of stream: UInt32, _ open: [SubscriptionHistory.Open], _ facts: FindingFacts
  ) -> [UInt32] {
    var feeding: [UInt32: UInt32] = [:]
    for edge in open where edge.to != 0 {
      // Of a flattening's streams, the inner one is waited for.
      let isInner = facts.definitions.streams[edge.to]?.parents.contains(edge.from) != true
      if feeding[edge.to] == nil || isInner { feeding[edge.to] = edge.from }
    }
    var way = [stream]
    var leaf = stream
    for _ in 0..<mostSteps {
      guard let next = feeding[leaf] else { return way }
      let standIn = facts.definitions.streams[leaf]?.parents.first { parent in
        facts.is(parent, .standsIn) && facts.definitions.streams[parent]?.parents == [next]
      }
      if let standIn, facts.is(next, .hot) { return way + [standIn] }
      leaf = next
      way.append(leaf)
    }
    return way
  }
}

extension StartHandlers {
  /// Returns the way out on which a run of a producer does not end, if it has sent nothing so far: on the way
  /// that it took, it then has done nothing at all.
  ///
  /// - Parameters:
  ///   - leaf: The producer.
  ///   - open: The observations that have not ended.
  mutating func exit(
    ofSilentRun leaf: UInt32, _ open: [SubscriptionHistory.Open], _ facts: FindingFacts
  ) -> Place? {
    guard facts.is(leaf, .hasEffects), let place = facts.definitions.streams[leaf]?.place,
      let run = open.filter({ $0.from == leaf }).min(by: { $0.edge < $1.edge }),
      facts.history.stream(leaf)?.values ?? 0 == run.values
    else { return nil }
    return exit(ofRunsMadeAt: place)
  }

  /// Returns what is said of the way out.
  static func told(_ exit: Place?) -> FindingSentence {
    exit == nil ? "" : ": this way out of the code that it runs does not end it"
  }
}
