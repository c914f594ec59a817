internal import VarveFormat
internal import VarveProbe

/// Finds threads of a program that hangs, each in the delivery of a value to an operator whose
/// closure has not returned: what the operator makes of the value is missing.
///
/// The usual reason is a lock that the sender holds and the closure wants. So the place is the code
/// that sent the value, where the trace knows it.
struct UnreturnedDeliveries: FindingRule {
  /// A value that a thread delivered last, and the operator that has it.
  private struct Delivery {
    var value: TraceEvent
    var operation: UInt32
  }

  private let facts: FindingFacts

  static let isOfEnding = true

  init?(_ facts: FindingFacts) {
    guard facts.reader.ending.isKill else { return nil }
    self.facts = facts
  }

  mutating func findings() -> [Finding] {
    facts.history.lastEvents.keys.sorted().compactMap { ring in
      delivery(on: ring).map { finding($0, on: ring) }
    }
  }

  /// Returns the last value of a thread if an operator got it that delivers one value for each that
  /// it gets, at once, and it did not.
  private func delivery(on ring: UInt32) -> Delivery? {
    let last = (facts.history.lastEvents[ring] ?? []).compactMap { facts.lookup[$0]?.brief }
    guard let index = last.lastIndex(where: { $0.kind == .value }),
      last[(index + 1)...].allSatisfy({ $0.kind == .sent || $0.kind == .read })
    else { return nil }
    let value = last[index]
    let unanswered = facts.history.subscriptions.open.filter { open in
      open.from == value.stream && open.began.ticks < value.ticks && answersEach(open.to)
    }
    return unanswered.min { $0.began.ticks < $1.began.ticks }.map {
      Delivery(value: value, operation: $0.to)
    }
  }

  /// What an operator must not do to deliver a value for each one at once.
  private static let other: StreamTraits = [
    .joins, .makesStreams, .replaces, .hops, .startsElsewhere, .holds, .endsEarly, .swallows,
    .standsIn,
  ]

  private func answersEach(_ stream: UInt32) -> Bool {
    guard let definition = facts.definitions.streams[stream], let traits = definition.traits,
      !definition.parents.isEmpty
    else { return false }
    return traits.isDisjoint(with: Self.other) && definition.absorbs == nil
  }

  private func finding(_ delivery: Delivery, on ring: UInt32) -> Finding {
    let value = delivery.value
    let sender = facts.sender(of: value.name)
    let place = sender.map { FindingPlace.stack($0) } ?? .stream(delivery.operation)
    let way: FindingSentence = sender == nil ? "" : ", which it sent here"
    var finding = Finding(
      .hang, weight: 88, place: place,
      """
      thread \(thread: ring) has not come back from \(event: value.name)\(way): the closure of \
      \(stream: delivery.operation) (\(place: .stream(delivery.operation))) has not returned
      """, stream: delivery.operation, evidence: [value.name], question: .postmortem)
    finding.ring = ring
    return finding
  }
}
