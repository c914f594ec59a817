internal import VarveFormat
internal import VarveProbe

/// Finds operators that were to share one run of a producer among several observers, and were made
/// anew for each of them: a computed property, for example, instead of a stored one.
struct UnsharedReplays: FindingRule {
  /// One such operator.
  private struct Replay {
    let stream: UInt32
    /// When it was first observed.
    var began: EventMoment?
    var value: EventName?
  }

  private let facts: FindingFacts
  /// Operators that the same line made, by that likeness.
  private var groups: [StreamLikeness: [Replay]] = [:]
  private var likeness: [UInt32: StreamLikeness] = [:]

  let kinds: Set<RecordKind> = [.subscribed, .value]
  var streams: Set<UInt32>? { Set(likeness.keys) }

  /// The longest time between the first observations in one set-up, in nanoseconds.
  private static let longest: UInt64 = 50_000_000
  /// One observer, and the start of the producer itself.
  private static let mostObservations: UInt64 = 2
  /// The maximum number of operators of one line, among which each event is searched for its own.
  private static let mostAlike = 64
  /// The memory for an operator, in bytes.
  private static let bytes = 256

  init?(_ facts: FindingFacts) {
    self.facts = facts
    for account in facts.history.streams where account.subscriptions <= Self.mostObservations {
      let stream = account.stream
      guard facts.is(stream, .replays), !facts.is(stream, .hot), !facts.links.isProperty(stream),
        let definition = facts.definitions.streams[stream], definition.parents.count == 1,
        facts.links.made(from: stream).count < 2, let parent = definition.parents.first,
        groups[StreamLikeness(definition)]?.count ?? 0 < Self.mostAlike,
        facts.links.startsEffects(parent), facts.walk.take(Self.bytes)
      else { continue }
      likeness[stream] = StreamLikeness(definition)
      groups[StreamLikeness(definition), default: []].append(Replay(stream: stream))
    }
    if !groups.values.contains(where: { $0.count > 1 }) { return nil }
  }

  mutating func note(_ event: FindingEvent) {
    guard let key = likeness[event.stream],
      let index = groups[key]?.firstIndex(where: { $0.stream == event.stream })
    else { return }
    if event.kind == .subscribed, groups[key]?[index].began == nil {
      groups[key]?[index].began = event.moment
    } else if event.kind == .value, groups[key]?[index].value == nil {
      groups[key]?[index].value = event.name
    }
  }

  mutating func findings() -> [Finding] {
    groups.values.compactMap(finding).sorted { $0.stream ?? 0 < $1.stream ?? 0 }
  }

  private func finding(_ replays: [Replay]) -> Finding? {
    guard replays.count > 1, let first = replays.first, let began = first.began,
      replays.allSatisfy({ isOneSetUp($0, began) && isAnswer($0, like: first) })
    else { return nil }
    return Finding(
      .restarted, weight: 80, place: .stream(first.stream),
      """
      \(stream: first.stream) was made \(replays.count, "time", "times") here, each for one observer, so \
      that nothing is shared: the side effects above it ran for each of them
      """, stream: first.stream, evidence: replays.compactMap { $0.began?.name })
  }

  private func isOneSetUp(_ replay: Replay, _ began: EventMoment) -> Bool {
    guard let own = replay.began, own.ring == began.ring else { return false }
    return facts.time.duration(from: began.ticks, to: own.ticks) <= Self.longest
      && facts.lookup[own.name]?.causes == facts.lookup[began.name]?.causes
  }

  /// Returns whether two operators delivered the same first value: what was asked for was the same.
  private func isAnswer(_ replay: Replay, like first: Replay) -> Bool {
    guard let one = first.value, let two = replay.value else { return false }
    return facts.lookup[one]?.payload == facts.lookup[two]?.payload
  }
}
