internal import VarveFormat
internal import VarveProbe

/// Finds code that starts a producer in the delivery of a value of such a producer, over and over,
/// each start within the one before: the stack grows until the program dies.
struct NestedStarts: FindingRule {
  private let facts: FindingFacts
  private let groups: [OpenObservations.Group]

  /// The smallest number of starts within one another.
  fileprivate static let fewest = 64

  init?(_ facts: FindingFacts) {
    self.facts = facts
    groups = OpenObservations(facts.history, facts.definitions).groups.filter { group in
      group.to == 0 && facts.startsWithin(group)
    }
    if groups.isEmpty { return nil }
  }

  mutating func findings() -> [Finding] {
    groups.compactMap { group in
      guard let begun = facts.lookup[group.newest.name], begun.kind == .subscribed else {
        return nil
      }
      let stack = SubscriptionPayload(word: begun.payload.word).stack
      let place: FindingPlace = stack == 0 ? .stream(group.from) : .entry(stack)
      let time = facts.time.duration(from: group.oldest.ticks, to: group.newest.ticks)
      let cause = begun.causes.first ?? group.newest.name
      var finding = Finding(
        .recursion, weight: 95, place: place,
        """
        \(stream: group.from) is started in the delivery of its own values, each time within the one \
        before: \(UInt64(group.count), "start", "starts") in \(nanoseconds: time) that have not \
        returned, the last one because of \(event: cause)
        """, stream: group.from, evidence: [group.newest.name, group.oldest.name])
      finding.count = UInt64(group.count)
      finding.nanoseconds = time
      return finding
    }
  }
}

extension FindingFacts {
  /// Returns whether observations were begun within one another: each in the delivery of a value
  /// of the one before, on one thread, and none of these deliveries has returned.
  func startsWithin(_ group: OpenObservations.Group) -> Bool {
    guard group.count >= NestedStarts.fewest, silence.isCold(group.from),
      let cause = lookup[group.newest.name]?.causes.first,
      let definition = definitions.streams[group.from]
    else { return false }
    let likeness = StreamLikeness(definition)
    let way = lookup.way(to: cause, most: NestedStarts.fewest * 8)
      .prefix { !$0.isHop && $0.ring == group.newest.name.ring }
    let starts = way.count { event in
      definitions.streams[event.stream].map { StreamLikeness($0) == likeness } ?? false
    }
    return starts >= NestedStarts.fewest
  }
}
