internal import VarveFormat
internal import VarveProbe

/// Finds observations from one place that accumulate: many began, at different times, and nearly all
/// are still open, or ended only when the program was taken down.
struct Leaks: FindingRule {
  private typealias Group = OpenObservations.Group

  private let facts: FindingFacts
  private let groups: [Group]
  /// The time in which the program ran normally.
  private let running: ClosedRange<UInt64>

  /// The smallest number of observations from one place that makes a leak, if hardly any of them
  /// ended.
  private static let fewest = 8
  /// Observations begin time and again if they do so in at least so many parts of the time …
  private static let fewestParts = 4
  /// … of so many equal ones.
  private static let parts: UInt64 = 8
  /// The cost of examining two unconnected streams, in steps.
  private static let connection = 16
  /// The cost of counting the streams like one, in steps.
  private static let likeness = 64
  /// The maximum number of streams between a part of an action and the action.
  private static let mostParents = 16
  /// The maximum number of other groups named in a finding.
  private static let mostOthers = 3

  init?(_ facts: FindingFacts) {
    self.facts = facts
    let span = TraceSpan(of: facts.reader).ticks ?? 0...0
    let end = facts.history.takingDown?.ticks ?? span.upperBound
    running = span.lowerBound...max(end, span.lowerBound)
    groups = OpenObservations(facts.history, facts.definitions, tillEnd: true).groups.filter {
      $0.count >= Self.fewest && UInt64($0.count) * 10 >= $0.everBegun * 9
    }
    .filter { !facts.startsWithin($0) }
    if groups.isEmpty { return nil }
  }

  mutating func findings() -> [Finding] {
    // A chain of observations that hold one another is one leak.
    var leaks: [[Group]] = []
    let spread = groups.filter(isSpread)
    for group in spread.sorted(by: { rank($0) > rank($1) }) {
      let known = leaks.firstIndex { areConnected($0[0].from, group.from) }
      if let known { leaks[known].append(group) } else { leaks.append([group]) }
    }
    let holders = leaks.map(holder)
    let isHeld = holders.contains { $0 != nil }
    return zip(leaks, holders).map { leak, holder in
      finding(leak, heldBy: holder, isHeld: isHeld && holder == nil)
    }
  }

  /// Returns an action that was made with each of the observations, which nothing outside observes:
  /// then it is the action's own closure that may keep it, and what it updates, alive.
  private func holder(of leak: [Group]) -> UInt32? {
    for group in leak {
      guard let action = self.action(above: group.from),
        let definition = facts.definitions.streams[action], facts.walk.step(Self.likeness)
      else { continue }
      let likeness = StreamLikeness(definition)
      let made = facts.definitions.streams.values.count { StreamLikeness($0) == likeness }
      if made >= group.count, leak.allSatisfy({ $0.to != 0 }) { return action }
    }
    return nil
  }

  /// Returns the action that a stream is a part of.
  private func action(above stream: UInt32) -> UInt32? {
    var next = stream
    for _ in 0..<Self.mostParents {
      guard let definition = facts.definitions.streams[next] else { return nil }
      guard let parent = definition.parents.first else {
        let isAction = facts.is(next, .hot) && !facts.is(next, .replays)
        return isAction && !facts.gates(of: next).isEmpty ? next : nil
      }
      next = parent
    }
    return nil
  }

  /// Returns whether the observations began at several moments. Observations that are set up at
  /// once and live as long as the program are no leak.
  private func isSpread(_ group: Group) -> Bool {
    let begun = group.sample.compactMap { facts.lookup[$0]?.brief }
    let causes = Set(begun.compactMap(\.causes.first))
    if causes.count * 2 > begun.count { return true }
    let width = (running.upperBound - running.lowerBound) / Self.parts + 1
    let parts = Set(begun.map { ($0.ticks - min(running.lowerBound, $0.ticks)) / width })
    return parts.count >= Self.fewestParts
  }

  private func rank(_ group: Group) -> (Int, Int) {
    let isNamed = facts.definitions.streams[group.from]?.isNamed == true
    return ((isNamed ? 2 : 0) + (isLast(group) ? 1 : 0), group.count)
  }

  /// Returns whether the observer is outside all streams, or a stream that was not made from the
  /// observed one, such as a property that is bound to it.
  private func isLast(_ group: Group) -> Bool {
    group.to == 0
      || facts.definitions.streams[group.to]?.parents.contains(group.from) == false
  }

  private func areConnected(_ one: UInt32, _ other: UInt32) -> Bool {
    guard facts.walk.step(Self.connection) else { return true }
    return facts.places.leads(from: one, to: other, facts.walk)
      || facts.places.leads(from: other, to: one, facts.walk)
  }

  // MARK: - The line

  /// - Parameters:
  ///   - leak: the observations that hold one another, the most telling group first.
  ///   - holder: the action that keeps all of them, if there is one.
  ///   - isHeld: whether another leak may be the reason of this one: a binding to what it keeps.
  private func finding(_ leak: [Group], heldBy holder: UInt32?, isHeld: Bool) -> Finding {
    let flattening = leak.first { facts.is($0.to, .makesStreams) }
    let group = flattening ?? leak[0]
    let place = holder.map { .stream($0) } ?? place(of: leak, flattening)
    let nanoseconds = facts.time.duration(from: group.oldest.ticks, to: group.newest.ticks)
    var sentence: FindingSentence
    if let flattening {
      sentence = """
        \(stream: flattening.to) (\(place: .stream(flattening.to))) keeps \
        \(group.count, "inner stream", "inner streams") that did not end while the program ran, begun \
        over \(nanoseconds: nanoseconds)
        """
    } else {
      sentence = """
        \(stream: group.from) (\(place: .stream(group.from))) has \
        \(group.count, "observation", "observations") that did not end while the program ran, begun \
        over \(nanoseconds: nanoseconds)
        """
    }
    let cause = facts.lookup[group.newest.name]?.causes.first
    if let cause, let event = facts.lookup[cause], !event.isHop {
      sentence = sentence + ", the last one because of \(event: cause)"
    }
    let shown = Set([group.from, flattening?.to ?? group.from].map(facts.places.named))
    let others = leak.filter { !shown.contains(facts.places.named($0.from)) }
      .prefix(Self.mostOthers)
    for (index, other) in others.enumerated() {
      sentence =
        sentence + (index == 0 ? "; with them stay " : ", ")
        + "\(other.count, "observation", "observations") of \(stream: other.from)"
    }
    if let holder {
      sentence =
        sentence + "; \(stream: holder) was made with each of them, and its closure may keep them"
    }
    let isBound = leak.allSatisfy { $0.to != 0 }
    var finding = Finding(
      .leak, weight: holder != nil ? 82 : isHeld && isBound ? 76 : 80, place: place, sentence,
      stream: flattening?.to ?? group.from,
      evidence: [group.newest.name, group.oldest.name])
    finding.other = flattening?.from ?? (group.to == 0 ? nil : group.to)
    finding.count = UInt64(group.count)
    finding.nanoseconds = nanoseconds
    return finding
  }

  /// Returns the line of what holds all of them: of a flattening that keeps its inner streams, or of
  /// the code that observes the last stream.
  private func place(of leak: [Group], _ flattening: Group?) -> FindingPlace? {
    if let flattening { return .stream(flattening.to) }
    let outermost = leak.first(where: isLast) ?? leak[0]
    guard let begun = facts.lookup[outermost.newest.name], begun.kind == .subscribed else {
      return nil
    }
    let stack = SubscriptionPayload(word: begun.payload.word).stack
    return stack == 0 ? nil : .stack(stack)
  }
}
