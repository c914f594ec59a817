internal import VarveFormat
internal import VarveProbe

/// Finds properties that are set when a run starts and set back only when it completes: after a run
/// that failed or was given up, they keep the value. Those that count the runs in progress count one too
/// many then.
struct MissedResets: FindingRule {
  /// A change of a property.
  private struct Change {
    let property: UInt32
    let name: EventName
  }

  /// A run that ended in another way than by completing.
  private struct GivenUp {
    let stream: UInt32
    let ended: EventMoment
    let reason: EndReason
    /// What was set right before it began.
    let set: [Change]
  }

  /// The runs of the streams that one place of the program makes.
  private struct Account {
    /// What was set while runs completed.
    var atCompletion: [Change] = []
    var givenUp: [GivenUp] = []
    /// How many runs that set each property ended otherwise, and did not change it then.
    var kept: [UInt32: UInt64] = [:]
  }

  private let facts: FindingFacts
  private var accounts: [StreamLikeness: Account] = [:]
  private var effects: [UInt32: StreamLikeness] = [:]
  private var properties: Set<UInt32> = []
  /// The last changes on each thread, oldest first.
  private var recent: [UInt32: [Change]] = [:]
  /// The last change of each property.
  private var last: [UInt32: EventName] = [:]
  /// What was set right before each run in progress began.
  private var begun: [UInt64: [Change]] = [:]

  let kinds: Set<RecordKind> = [.value, .subscribed, .ended]
  var streams: Set<UInt32>? { properties.union(effects.keys) }

  /// The maximum number of changes remembered for a thread.
  private static let mostRecent = 4
  /// The maximum number of records of a thread between a change and the beginning or end of a run.
  private static let mostBetween: UInt64 = 16
  /// The maximum number of runs remembered for a place, of changes at completions, and of runs in
  /// progress.
  private static let mostRuns = 8
  private static let mostChanges = 8
  private static let mostBegun = 4_096
  /// The memory for a stream, in bytes.
  private static let bytes = 128

  init?(_ facts: FindingFacts) {
    self.facts = facts
    for (id, stream) in facts.definitions.streams {
      if stream.traits?.contains(.hasEffects) == true, !stream.parents.isEmpty {
        guard facts.walk.take(Self.bytes) else { continue }
        effects[id] = StreamLikeness(stream)
      } else if stream.parents.isEmpty, facts.is(id, [.hot, .replays]) {
        properties.insert(id)
      }
    }
    if effects.isEmpty || properties.isEmpty { return nil }
  }

  mutating func note(_ event: FindingEvent) {
    switch event.kind {
    case .value where properties.contains(event.stream):
      last[event.stream] = event.name
      var changes = recent[event.name.ring] ?? []
      if changes.count == Self.mostRecent { changes.removeFirst() }
      changes.append(Change(property: event.stream, name: event.name))
      recent[event.name.ring] = changes
    case .subscribed where effects[event.stream] != nil:
      let set = changes(before: event)
      if !set.isEmpty, begun.count < Self.mostBegun { begun[event.subscription] = set }
    case .ended: noteEnd(event)
    default: break
    }
  }

  private mutating func noteEnd(_ event: FindingEvent) {
    guard let likeness = effects[event.stream],
      let set = begun.removeValue(forKey: event.subscription)
    else { return }
    let reason = EndReason(rawValue: UInt8(truncatingIfNeeded: event.word))
    var account = accounts[likeness] ?? Account()
    if reason == .completed {
      let changes = changes(before: event).filter { change in
        set.contains { $0.property == change.property && $0.name != change.name }
      }
      if account.atCompletion.count < Self.mostChanges { account.atCompletion += changes }
    } else if let reason {
      let changed = changes(before: event).filter { change in
        !set.contains { $0.name == change.name }
      }
      for property in Set(set.map(\.property))
      where !changed.contains(where: { $0.property == property }) {
        account.kept[property, default: 0] += 1
      }
      if account.givenUp.count == Self.mostRuns { account.givenUp.removeFirst() }
      account.givenUp.append(
        GivenUp(stream: event.stream, ended: event.moment, reason: reason, set: set))
    }
    accounts[likeness] = account
  }

  /// Returns the changes that a thread made right before an event.
  private func changes(before event: FindingEvent) -> [Change] {
    (recent[event.name.ring] ?? []).filter {
      event.name.sequence - $0.name.sequence <= Self.mostBetween
    }
  }

  mutating func findings() -> [Finding] {
    accounts.values.compactMap { finding($0) ?? counted($0) }
      .sorted { $0.stream ?? 0 < $1.stream ?? 0 }
  }

  /// Returns a finding if a property counts runs, and its last value is the number of those that were
  /// given up, and of those in progress.
  private func counted(_ account: Account) -> Finding? {
    for run in account.givenUp where isOwn(run) {
      for set in run.set {
        guard let kept = account.kept[set.property], kept > 1, let name = last[set.property],
          let value = facts.lookup[name], value.payload.kind == .integer,
          case let open = begun.values.count(where: { all in
            all.contains { $0.property == set.property }
          }), value.payload.word == kept + UInt64(open),
          let reset = account.atCompletion.first(where: {
            $0.property == set.property && event(of: $0, by: run.stream) != nil
          })
        else { continue }
        var finding = Finding(
          .unreset, weight: 85, place: .stream(run.stream),
          """
          \(stream: set.property) is still \(value: name): it is counted up when a run of \
          \(stream: run.stream) begins, and down only when one completes; \
          \(kept, "run was", "runs were") given up
          """,
          stream: set.property, evidence: [name, run.ended.name, reset.name])
        finding.other = run.stream
        return finding
      }
    }
    return nil
  }

  private func finding(_ account: Account) -> Finding? {
    for run in account.givenUp where isOwn(run) {
      for set in run.set where last[set.property] == set.name {
        let resets = account.atCompletion.filter { $0.property == set.property }
        guard let reset = resets.first(where: { undoes($0, set, of: run.stream) }) else { continue }
        return finding(run, set, reset)
      }
    }
    return nil
  }

  /// Returns whether a run was given up while the program went on.
  private func isOwn(_ run: GivenUp) -> Bool {
    facts.history.takingDown.map { run.ended.ticks < $0.ticks } ?? true
  }

  /// Returns whether a change came of the completion that ended a run like the given one, and gave
  /// the property another value than the one that was set for the run, by code outside of streams.
  private func undoes(_ reset: Change, _ set: Change, of stream: UInt32) -> Bool {
    guard let done = facts.lookup[set.name], done.causes.isEmpty,
      let undone = event(of: reset, by: stream)
    else { return false }
    return undone.payload != done.payload
  }

  /// Returns the event of a change if it came of the completion that ended a run like the given one.
  private func event(of reset: Change, by stream: UInt32) -> TraceEvent? {
    guard let undone = facts.lookup[reset.name], let cause = undone.causes.first,
      let completed = facts.lookup[cause], completed.kind == .completed
    else { return nil }
    let parents = facts.definitions.streams[stream]?.parents ?? []
    let known = Set(parents.compactMap { facts.definitions.streams[$0] }.map(StreamLikeness.init))
    let isLike = facts.definitions.streams[completed.stream].map {
      known.contains(StreamLikeness($0))
    }
    return isLike == true ? undone : nil
  }

  private func finding(_ run: GivenUp, _ set: Change, _ reset: Change) -> Finding {
    let end: FindingSentence = run.reason == .failed ? "failed" : "was given up"
    var finding = Finding(
      .unreset, weight: 85,
      place: facts.sender(of: reset.name).map { .stack($0) } ?? .stream(run.stream),
      """
      \(stream: set.property) is still \(value: set.name), as it was set when a run of \
      \(stream: run.stream) began: the run \(end), and only completion sets it to \
      \(value: reset.name)
      """,
      stream: set.property, evidence: [set.name, run.ended.name, reset.name])
    finding.other = run.stream
    return finding
  }
}
