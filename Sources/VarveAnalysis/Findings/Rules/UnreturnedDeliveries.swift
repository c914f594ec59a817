internal import VarveFormat
internal import VarveProbe

/// Finds threads of a program that hangs, each in the delivery of a value to an operator whose
/// closure has not returned: what the operator makes of the value is missing.
///
/// The usual reason is a lock that the sender holds and the closure wants. So the place is the code
/// that sent the value, where the trace knows it, or the one that called it with the lock.
struct UnreturnedDeliveries: FindingRule {
  /// A value that a thread delivered last, and the operator that has it; or the stream that delivers it to
  /// an observer outside all streams, with the stack of the code that attached this.
  private struct Delivery {
    var value: TraceEvent
    var operation: UInt32
    var observer: UInt32?
    /// The stack of the code that sent the value, and the lock that this holds by its source, as far as
    /// these are known.
    var sender: UInt32?
    var lock: LockUses.Held?
  }

  private let facts: FindingFacts
  private var locks = LockUses()

  static let isOfEnding = true

  init?(_ facts: FindingFacts) {
    guard facts.reader.ending.isKill else { return nil }
    self.facts = facts
  }

  mutating func findings() -> [Finding] {
    facts.history.lastEvents.keys.sorted().compactMap { ring in
      let last = (facts.history.lastEvents[ring] ?? []).compactMap { facts.lookup[$0]?.brief }
      return (delivery(last) ?? branch(last)).map { finding($0, on: ring) }
    }
  }

  /// Returns the last value of a thread if an operator got it that delivers one value for each that
  /// it gets, at once, and it did not.
  private mutating func delivery(_ last: [TraceEvent]) -> Delivery? {
    guard let index = last.lastIndex(where: { $0.kind == .value }),
      last[(index + 1)...].allSatisfy({ $0.kind == .sent || $0.kind == .read }),
      let operation = unanswered(last[index...])
    else { return nil }
    let sender = facts.sender(of: last[index].name)
    return Delivery(
      value: last[index], operation: operation, sender: sender,
      lock: held(at: sender))
  }

  /// Returns the value that a thread sent last, if all that it did since was to deliver it to some
  /// observers, and an operator did not answer: if the code that sent it holds a lock, the closure of the
  /// operator wants that.
  private mutating func branch(_ last: [TraceEvent]) -> Delivery? {
    guard let index = last.lastIndex(where: { $0.kind == .sent }), index > 0,
      case let value = last[index - 1], value.kind == .value,
      let sender = facts.sender(of: value.name)
    else { return nil }
    var inside: Set<EventName> = [value.name]
    for event in last[(index + 1)...] where event.kind != .read {
      guard event.causes.contains(where: inside.contains) else { return nil }
      inside.insert(event.name)
    }
    let values = last.indices[(index - 1)...].filter { last[$0].kind == .value }
    guard let lock = held(at: sender) else { return nil }
    for delivered in values.reversed() {
      if let operation = unanswered(last[delivered...]) {
        return Delivery(value: value, operation: operation, sender: sender, lock: lock)
      }
      if let observer = observer(of: last[delivered], taking: lock) {
        return Delivery(
          value: value, operation: last[delivered].stream, observer: observer, sender: sender,
          lock: lock)
      }
    }
    return nil
  }

  /// Returns the stack of the code that attached an observer outside all streams to a stream which takes a
  /// lock, by its source.
  private mutating func observer(of value: TraceEvent, taking lock: LockUses.Held) -> UInt32? {
    let observers = facts.history.subscriptions.open.filter {
      $0.from == value.stream && $0.to == 0 && $0.began.ticks < value.ticks
    }
    for open in observers.sorted(by: { $0.edge < $1.edge }) {
      guard let event = facts.lookup[open.began.name], event.kind == .subscribed,
        case let stack = SubscriptionPayload(word: event.payload.word).stack,
        let frame = facts.names.own(of: stack), locks.takes(lock, observerAt: frame)
      else { continue }
      return stack
    }
    return nil
  }

  private mutating func held(at sender: UInt32?) -> LockUses.Held? {
    guard let sender else { return nil }
    return locks.held(in: facts.names.frames(of: sender))
  }

  /// Returns the first operator that got a value and has delivered none since, though it delivers one for
  /// each, if none that got it later has delivered one.
  ///
  /// - Parameter last: The value, and what its thread did since.
  private func unanswered(_ last: ArraySlice<TraceEvent>) -> UInt32? {
    guard let value = last.first else { return nil }
    let answered = Set(last.dropFirst().filter { $0.kind == .value }.map(\.stream))
    let open = facts.history.subscriptions.open.filter {
      $0.from == value.stream && $0.began.ticks < value.ticks
    }.sorted { ($0.began.ticks, $0.edge) < ($1.began.ticks, $1.edge) }
    guard let first = open.firstIndex(where: { answersEach($0.to) && !answered.contains($0.to) }),
      !open[(first + 1)...].contains(where: { answered.contains($0.to) })
    else { return nil }
    return open[first].to
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
    let place =
      delivery.lock.map { .line($0.place) } ?? delivery.sender.map { .stack($0) }
      ?? FindingPlace.stream(delivery.operation)
    let way: FindingSentence = delivery.sender == nil ? "" : ", which it sent here"
    let lock: FindingSentence =
      delivery.lock.map {
        ", while it holds \($0.name), which it took at \(place: .line($0.taken))"
      } ?? ""
    let closure: FindingSentence =
      delivery.observer.map {
        "the observer of \(stream: delivery.operation) (\(place: .stack($0))) takes that, too"
      }
      ?? "the closure of \(stream: delivery.operation) (\(place: .stream(delivery.operation))) has not returned"
    var finding = Finding(
      .hang, weight: 88, place: place,
      "thread \(thread: ring) has not come back from \(event: value.name)\(way)\(lock): \(closure)",
      stream: delivery.operation, evidence: [value.name], question: .postmortem)
    finding.ring = ring
    return finding
  }
}
