internal import VarveFormat
internal import VarveProbe

/// Finds joins that deliver twice for one cause, because both of their inputs lead back to it: the
/// first time, new values are mixed with old ones.
struct Glitches: FindingRule {
  /// The maximum number of records between the two values …
  private static let farthest: UInt64 = 256
  /// … the number of pairs examined for each join, the closest first …
  private static let mostPairs = 64
  /// … and the number of joins examined.
  private static let mostJoins = 64
  /// The maximum number of events followed from a value back to its cause.
  private static let mostSteps = 64

  /// Two consecutive values of a join, delivered by the same thread.
  private struct Pair {
    var mixed: EventName
    var whole: EventName

    /// Both belong to one delivery if hardly anything happened between them.
    var distance: UInt64 { whole.sequence - mixed.sequence }
  }

  /// What is known of a join while the events pass.
  private struct Join {
    var last: EventName?
    /// The closest pairs, closest first.
    var pairs: [Pair] = []

    mutating func note(_ name: EventName) {
      defer { last = name }
      guard let last, last.ring == name.ring else { return }
      let pair = Pair(mixed: last, whole: name)
      guard pair.distance <= Glitches.farthest,
        pairs.count < Glitches.mostPairs || pair.distance < pairs[pairs.count - 1].distance
      else { return }
      pairs.insert(
        pair, at: pairs.firstIndex { pair.distance < $0.distance } ?? pairs.count)
      if pairs.count > Glitches.mostPairs { pairs.removeLast() }
    }
  }

  private let facts: FindingFacts
  private var joins: [UInt32: Join] = [:]
  /// Streams whose values wait until the next one takes their place, or until they are due.
  private let replaced: Set<UInt32>

  init?(_ facts: FindingFacts) {
    self.facts = facts
    let candidates = facts.history.streams.filter { account in
      account.values >= 2 && facts.is(account.stream, [.joins, .needsAllInputs, .holds])
    }
    guard !candidates.isEmpty else { return nil }
    replaced = Set(
      facts.history.subscriptions.connected.lazy
        .filter { facts.is($0.to, [.hops, .replaces]) }.map(\.from))
    for join in candidates.prefix(Self.mostJoins) { joins[join.stream] = Join() }
  }

  var kinds: Set<RecordKind> { [.value] }
  var streams: Set<UInt32>? { Set(joins.keys) }

  mutating func note(_ event: FindingEvent) { joins[event.stream]?.note(event.name) }

  mutating func findings() -> [Finding] {
    var found: [Finding] = []
    for (join, known) in joins.sorted(by: { $0.key < $1.key }) {
      let glitches = known.pairs.compactMap { pair in sharedCause(of: pair).map { (pair, $0) } }
        .sorted { $0.0.mixed < $1.0.mixed }
      // A join made of what another join delivers twice delivers twice, too.
      let isTold = found.contains { other in
        other.stream.map { facts.places.leads(from: $0, to: join, facts.walk) } ?? false
      }
      guard !isTold, let (pair, cause) = glitches.last else { continue }
      found.append(finding(join, glitches.count, pair, cause))
    }
    return found
  }

  /// Returns the event that made the join deliver twice; nil if the values have different causes,
  /// or if the first one does not get further than the join.
  private func sharedCause(of pair: Pair) -> TraceEvent? {
    guard let mixed = facts.lookup[pair.mixed], let whole = facts.lookup[pair.whole],
      let first = mixed.causes.first, let second = whole.causes.first,
      // The second value consists of what set off the first one and what was old in it.
      first != second, whole.causes.contains(first), !mixed.causes.contains(second),
      reachesFurther(mixed, before: whole)
    else { return nil }
    let earlier = Set(ancestors(of: first).map(\.name))
    let shared = ancestors(of: second).first { earlier.contains($0.name) }
    // Both values follow from it without a pause: it is not the work that did one after the other.
    return shared?.kind == .value ? shared : nil
  }

  /// The values that led to an event on its own thread, without work in between.
  private func ancestors(of event: EventName) -> [TraceEvent] {
    Array(
      facts.lookup.way(to: event, most: Self.mostSteps).dropFirst()
        .prefix { $0.ring == event.ring && $0.kind == .value })
  }

  /// Returns whether a value was passed on, rather than swallowed or replaced by the next one.
  private func reachesFurther(_ value: TraceEvent, before end: TraceEvent) -> Bool {
    var newest = value
    var event = value
    while let next = facts.lookup.next(after: event)?.brief, next.name < end.name {
      event = next
      guard next.causes.contains(newest.name) else { continue }
      switch next.kind {
      case .value: newest = next
      case .absorbed: return false
      default: continue
      }
    }
    return !replaced.contains(newest.stream)
  }

  private func finding(
    _ join: UInt32, _ count: Int, _ pair: Pair, _ cause: TraceEvent
  ) -> Finding {
    let times: FindingSentence = count == 1 ? "once" : "\(count, "time", "times")"
    var finding = Finding(
      .glitch, weight: 85, place: .stream(join),
      """
      \(stream: join) delivers twice for one value, the first time with old and new values mixed, \
      \(times): #\(pair.mixed.description) \(value: pair.mixed), and then #\(pair.whole.description) \
      \(value: pair.whole), both because of \(event: cause.name)
      """, stream: join, evidence: [pair.mixed, pair.whole, cause.name])
    finding.other = cause.stream
    finding.count = UInt64(count)
    return finding
  }
}
