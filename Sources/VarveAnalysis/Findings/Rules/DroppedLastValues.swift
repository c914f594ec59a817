internal import VarveFormat
internal import VarveProbe

/// Finds values that an operator such as `debounce` held back for a while, and dropped because its
/// input completed in the meantime: the last words before a page is closed.
struct DroppedLastValues: FindingRule {
  /// What similar operators dropped.
  private struct Drops {
    /// The newest of the operators.
    var stream: UInt32
    var count: UInt64 = 0
    var value: EventName
    var end: EventName
  }

  private let facts: FindingFacts
  private var candidates: Set<UInt32> = []
  private var absorbed: [(stream: UInt32, value: EventName, end: EventName)] = []

  let readsCauses = true
  let kinds: Set<RecordKind> = [.absorbed]
  var streams: Set<UInt32>? { candidates }

  /// The maximum number of dropped values examined.
  private static let mostExamined = 1_000

  init?(_ facts: FindingFacts) {
    self.facts = facts
    for account in facts.history.streams
    where account.absorbed[.ended] != nil && facts.is(account.stream, [.hops, .holds, .replaces]) {
      candidates.insert(account.stream)
    }
    if candidates.isEmpty { return nil }
  }

  mutating func note(_ event: FindingEvent) {
    guard AbsorptionReason(rawValue: UInt8(truncatingIfNeeded: event.word)) == .ended,
      candidates.contains(event.stream), absorbed.count < Self.mostExamined
    else { return }
    let causes = event.causes
    guard causes.count > 1 else { return }
    absorbed.append((event.stream, causes[causes.count - 1], causes[causes.count - 2]))
  }

  mutating func findings() -> [Finding] {
    var drops: [StreamLikeness: Drops] = [:]
    for (stream, value, end) in absorbed where isLost(value, end, stream) {
      guard let definition = facts.definitions.streams[stream] else { continue }
      let key = StreamLikeness(definition)
      drops[key, default: Drops(stream: stream, value: value, end: end)].count += 1
    }
    return drops.values.sorted { $0.stream < $1.stream }.map(finding)
  }

  private func finding(_ drops: Drops) -> Finding {
    let times: FindingSentence =
      drops.count == 1 ? "" : ", and \(drops.count - 1, "more", "more") in the same way"
    return Finding(
      .partial, weight: 75, place: .stream(drops.stream),
      "\(stream: drops.stream) dropped its last value, \(value: drops.value), because its input "
        + "completed before that was due" + times,
      stream: drops.stream, evidence: [drops.value, drops.end])
  }

  /// The number of values in one run from which an operator takes samples of its input: one who looks
  /// at a display that is drawn again and again does not miss the last sample.
  private static let fewestSamples: UInt64 = 8

  /// Returns whether a value was lost for those who wait for it: its input has completed, it is not
  /// the value that was delivered last, and not one sample of very many.
  private func isLost(_ value: EventName, _ end: EventName, _ stream: UInt32) -> Bool {
    guard let end = facts.lookup[end], end.kind == .completed, let lost = facts.lookup[value] else {
      return false
    }
    let account = facts.history.stream(stream)
    if facts.is(stream, .samples), let account,
      account.values >= Self.fewestSamples * max(account.subscriptions, 1)
    {
      return false
    }
    if let last = account?.lastValue.flatMap({ facts.lookup[$0.name] }),
      last.payload == lost.payload
    {
      return false
    }
    // A property completes when it goes away, which is no end that the program has chosen.
    let sources = facts.links.sources(of: stream)
    let isProperty = sources.allSatisfy { facts.links.traits($0).contains(.replays) }
    return !isProperty || facts.goesOn(after: end.ticks)
  }
}

extension FindingFacts {
  /// Returns whether the program delivered values after a moment: what ends when everything ends is
  /// no symptom.
  func goesOn(after ticks: UInt64) -> Bool { lastValue > ticks }
}
