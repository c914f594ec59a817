internal import VarveFormat
internal import VarveProbe

/// Finds failures that reached an observer outside all streams, which did nothing about them.
///
/// An observer that reacts leaves traces: it sets a property, sends a value, or starts something
/// because of the failure. The failures of an action's runs are handled where the action's errors
/// are observed, and a run that was refused is a matter of the run in progress. If it was one inner
/// stream that failed, and its flattening had more to do, the flattening is where it should have been
/// handled.
struct UnhandledFailures: FindingRule {
  /// The failures of similar streams that reached observers.
  private struct Account {
    let stream: UInt32
    var count: UInt64 = 0
    /// The first failures, with the stacks of what observed them.
    var failures: [(name: EventName, stack: UInt32)] = []
  }

  private let facts: FindingFacts
  private var candidates: Set<UInt32> = []
  /// The stacks of observations that have not ended, by edge.
  private var observing: WalkTable<UInt64, UInt32>
  private var lastFailure: [UInt32: EventName] = [:]
  private var accounts: [StreamLikeness: Account] = [:]
  /// For each candidate that comes from a flattening which an inner stream's failure ended, that.
  private var endings: [UInt32: EndedFlattening] = [:]
  /// For each source of such a flattening, the candidates.
  private var endingOf: [UInt32: [UInt32]] = [:]

  let kinds: Set<RecordKind> = [.failed, .subscribed, .ended, .value]
  var streams: Set<UInt32>? { candidates.union(endingOf.keys) }

  /// The memory for an observation or a stream, in bytes.
  private static let bytes = 64
  /// The maximum number of kinds of streams that are kept apart …
  private static let mostKinds = 256
  /// … and of failures examined for each of them.
  private static let mostExamined = 16

  init?(_ facts: FindingFacts) {
    self.facts = facts
    observing = WalkTable(facts.walk, bytes: Self.bytes, of: .observations)
    for edge in facts.history.subscriptions.connected where edge.to == 0 {
      // What is thrown may be caught, and is told of where a task ends by it.
      guard !facts.is(edge.from, .throwsFailure),
        facts.history.subscriptions.pair(edge)?.failed ?? 0 > 0, facts.walk.take(Self.bytes)
      else { continue }
      candidates.insert(edge.from)
      if let ending = EndedFlattening(above: edge.from, facts) {
        endings[edge.from] = ending
        endingOf[ending.source, default: []].append(edge.from)
      }
    }
    if candidates.isEmpty { return nil }
  }

  mutating func note(_ event: FindingEvent) {
    if event.kind == .value {
      for stream in endingOf[event.stream] ?? [] where lastFailure[stream] != nil {
        endings[stream]?.noteLater(event)
      }
      return
    }
    guard candidates.contains(event.stream) else { return }
    switch event.kind {
    case .failed: lastFailure[event.stream] = event.name
    case .subscribed:
      let payload = SubscriptionPayload(word: event.word)
      if payload.stream == 0 { observing.set(payload.stack, for: event.subscription) }
    case .ended:
      guard let stack = observing.removeValue(forKey: event.subscription),
        EndReason(rawValue: UInt8(truncatingIfNeeded: event.word)) == .failed,
        let failure = lastFailure[event.stream],
        let definition = facts.definitions.streams[event.stream]
      else { return }
      let key = StreamLikeness(definition)
      guard accounts[key] != nil || accounts.count < Self.mostKinds else { return }
      accounts[key, default: Account(stream: event.stream)].count += 1
      if accounts[key]?.failures.count ?? 0 < Self.mostExamined {
        accounts[key]?.failures.append((failure, stack))
      }
    default: return
    }
  }

  mutating func findings() -> [Finding] {
    let found = accounts.values.compactMap { account -> Finding? in
      let unhandled = account.failures.filter { isUnhandled($0.name) }
      guard let stack = unhandled.first?.stack else { return nil }
      if let ended = ended(account.stream, unhandled[0].name) { return ended }
      var finding = Finding(.failure)
      finding.stream = account.stream
      finding.place = stack == 0 ? nil : .stack(stack)
      finding.weight = 80
      finding.evidence = unhandled.prefix(3).map(\.name)
      let all = unhandled.count == account.failures.count
      finding.count = all ? account.count : UInt64(unhandled.count)
      return finding
    }
    return found.sorted { one, other in
      guard let first = one.evidence.first, let second = other.evidence.first else { return false }
      return (one.stream ?? 0, first) < (other.stream ?? 0, second)
    }
  }

  /// The finding of a failure that ended a flattening which had more to do.
  private func ended(_ stream: UInt32, _ failure: EventName) -> Finding? {
    guard let ending = endings[stream] else { return nil }
    guard let later = ending.firstLater else {
      guard ending.wasToGoOn else { return nil }
      return Finding(
        .failure, weight: 82, place: .stream(ending.flattening),
        "a failure of one inner stream, \(value: failure), ended \(stream: ending.flattening) for "
          + "good, although \(stream: ending.source) had not ended: nothing handles it",
        stream: stream, evidence: [failure])
    }
    return Finding(
      .failure, weight: 90, place: .stream(ending.flattening),
      "a failure of one inner stream, \(value: failure), ended \(stream: ending.flattening) for "
        + "good: nothing handles it, and \(ending.later, "value", "values") of "
        + "\(stream: ending.source) came after that",
      stream: stream, evidence: [failure, later])
  }

  private func isUnhandled(_ name: EventName) -> Bool {
    guard let failure = facts.lookup[name] else { return false }
    let reaction = Reaction(to: failure, facts)
    return !reaction.isSeen && !reaction.isReported && !reaction.isRefusal
  }
}

/// What a program did because of a failure that reached the end of its streams.
struct Reaction {
  /// Whether anything was sent, started or scheduled because of it.
  private(set) var isSeen = false
  /// Whether an action reported it on a stream of its own, which is observed.
  private(set) var isReported = false
  /// Whether an action refused to run.
  private(set) var isRefusal = false

  /// The maximum number of events on the same thread that are examined.
  private static let mostEvents = 48

  init(to failure: TraceEvent, _ facts: FindingFacts) {
    let action = facts.action(of: failure.stream)
    // The last thing that the action itself sent because of what failed.
    var reports: Set<EventName> = []
    var next = facts.lookup.next(after: failure)
    for _ in 0..<Self.mostEvents {
      guard let event = next, event.kind != .hopEnded else { return }
      next = facts.lookup.next(after: event)
      switch event.kind {
      case .value, .failed, .completed, .hopScheduled, .subscribed, .log, .mark:
        if event.causes.contains(failure.name) { isSeen = true }
      default: break
      }
      guard let action, event.kind == .value else { continue }
      if event.stream == action, !failure.causes.isEmpty, event.causes == failure.causes {
        reports.insert(event.name)
      } else if facts.definitions.streams[event.stream]?.parents == [action] {
        let isObserved = (facts.history.stream(event.stream)?.subscriptions ?? 0) > 0
        if isObserved, event.causes.contains(where: reports.contains) { isReported = true }
        if reports.isEmpty, event.payload.kind == .unit, event.causes == failure.causes {
          isRefusal = true
        }
      }
    }
  }
}

extension FindingFacts {
  /// Returns the action that a stream is a run of: a stream that runs code when it is started, made
  /// from one that goes on whether or not it is observed.
  func action(of stream: UInt32) -> UInt32? {
    guard let parents = definitions.streams[stream]?.parents, parents.count == 1,
      !`is`(stream, .hot), `is`(parents[0], .hot),
      !gates(of: parents[0]).isEmpty
    else { return nil }
    return parents[0]
  }

  /// Returns the properties that say whether an action runs and whether it can be started.
  func gates(of action: UInt32) -> [UInt32] {
    links.made(from: action).filter { `is`($0, [.hot, .replays]) }
  }
}
