internal import VarveFormat
internal import VarveProbe

/// Finds threads that wait for another thread's delivery, or change, which never ends: the thread
/// that delivers waits itself, perhaps for the first one, or its observer does not return.
struct BlockedDeliveries: FindingRule {
  /// A thread that waits.
  private struct Wait {
    var since: EventMoment
    /// The stream that it waits for; 0 if unknown.
    var stream: UInt32
    /// The stack of the code that waits; 0 if unknown.
    var stack: UInt32
    /// Whether it waits for another thread to leave, rather than for values or an end.
    var isForThread: Bool
  }

  /// The way from a thread that waits to the one for which all wait.
  private struct Chain {
    var rings: [UInt32]
    /// Whether the last thread waits for one of the others.
    var isCycle = false
  }

  private let facts: FindingFacts
  /// Waits that have begun and not ended, by thread, innermost last.
  private var waits: [UInt32: [Wait]] = [:]
  /// The time for which a delivery lasts that never ends, in ticks.
  private let shortest: UInt64

  /// The same, in nanoseconds.
  private static let shortest: Int64 = 100_000_000
  /// The maximum number of threads in a chain.
  private static let longest = 16
  /// The maximum number of causes between the last event of a thread and its delivery.
  private static let mostCauses = 64

  init?(_ facts: FindingFacts) {
    guard facts.reader.ending == .running || facts.reader.ending.isKill else { return nil }
    self.facts = facts
    shortest = facts.time.ticks(sinceStart: Self.shortest) &- facts.time.ticks(sinceStart: 0)
  }

  var kinds: Set<RecordKind> { [.waitBegan, .waitEnded] }

  mutating func note(_ event: FindingEvent) {
    let ring = event.name.ring
    guard event.kind == .waitBegan else {
      _ = waits[ring]?.popLast()
      return
    }
    let payload = ReasonPayload(word: event.word)
    waits[ring, default: []].append(
      Wait(
        since: event.moment, stream: event.stream, stack: payload.stack,
        isForThread: payload.reason != UInt32(WaitReason.outcome.rawValue)))
  }

  mutating func findings() -> [Finding] {
    var told: Set<UInt32> = []
    let waiting = waits.compactMap { ring, waits in waits.last.map { (ring, $0) } }
      .filter { $0.1.isForThread }
      .sorted { $0.1.since.ticks < $1.1.since.ticks }
    return waiting.compactMap { ring, wait in
      guard let chain = chain(from: ring), told.isDisjoint(with: chain.rings) else { return nil }
      told.formUnion(chain.rings)
      return finding(chain, wait, of: waiting.count)
    }
  }

  /// Follows the threads that wait for each other.
  private func chain(from ring: UInt32) -> Chain? {
    var chain = Chain(rings: [ring])
    while let last = chain.rings.last, let wait = waits[last]?.last, wait.isForThread,
      chain.rings.count < Self.longest
    {
      guard let holder = holder(of: wait, besides: last) else { return nil }
      if chain.rings.contains(holder) {
        chain.isCycle = true
        return chain
      }
      chain.rings.append(holder)
    }
    guard let last = chain.rings.last, let wait = waits[ring]?.last else { return nil }
    // A delivery that has just begun is none that never ends.
    let isLong = facts.end - wait.since.ticks >= shortest
    return isLong || waits[last]?.isEmpty == false ? chain : nil
  }

  /// Returns the thread that is inside a delivery of a stream: the one that delivered its last
  /// value, if all that it did since was a part of that.
  private func holder(of wait: Wait, besides ring: UInt32) -> UInt32? {
    guard let value = facts.history.stream(wait.stream)?.lastValue, value.ring != ring,
      var event = facts.history.lastEvents[value.ring]?.last
    else { return nil }
    for _ in 0..<Self.mostCauses {
      if event == value.name { return value.ring }
      guard let cause = facts.lookup[event]?.causes.first(where: { $0.ring == value.ring }),
        cause >= value.name
      else { return nil }
      event = cause
    }
    return nil
  }

  private func finding(_ chain: Chain, _ wait: Wait, of waiting: Int) -> Finding? {
    guard let last = chain.rings.last else { return nil }
    let blocking = waits[last]?.last
    let others = chain.rings.dropFirst().reduce("" as FindingSentence) { sentence, ring in
      let own = waits[ring]?.last
      let what: FindingSentence =
        own.map { $0.stream == 0 ? ", which waits" : ", which waits for \(stream: $0.stream)" }
        ?? ", which does not return from what it delivers"
      return sentence + "\(sentence.parts.isEmpty ? "" : " from") thread \(thread: ring)\(what)"
    }
    let end: FindingSentence = chain.isCycle ? " from thread \(thread: chain.rings[0])" : ""
    // In a circle, the wait that closed it is the one to look at.
    let looked =
      chain.isCycle
      ? chain.rings.compactMap { waits[$0]?.last }.max { $0.since.ticks < $1.since.ticks }
      : blocking
    var evidence = [wait.since.name] + (looked.map { [$0.since.name] } ?? [])
    var place = looked.flatMap { $0.stack == 0 ? nil : FindingPlace.stack($0.stack) }
    if looked == nil, let event = facts.history.lastEvents[last]?.last {
      evidence.append(event)
      place = facts.lookup[event].map { .stream($0.stream) }
    }
    var finding = Finding(
      .hang, weight: chain.isCycle ? 97 : 92, place: place,
      """
      thread \(thread: chain.rings[0]) waits for \(stream: wait.stream) from \(others)\(end)\
      \(chain.isCycle ? ": they wait for each other" : "")
      """, stream: wait.stream, evidence: evidence, question: .postmortem)
    finding.ring = last
    finding.count = UInt64(waiting)
    return finding
  }
}
