internal import VarveFormat
internal import VarveProbe

/// Finds producers with side effects that were made and never started, so that nothing ever
/// happened.
struct UnstartedProducers: FindingRule {
  /// Similar producers.
  private struct Group {
    /// The first of them.
    var stream: UInt32
    var count: UInt64 = 0
    var isStarted = false
  }

  private let facts: FindingFacts
  private var groups: [StreamLikeness: Group] = [:]

  /// The memory for similar producers, in bytes.
  private static let bytes = 128

  init?(_ facts: FindingFacts) {
    self.facts = facts
    for stream in facts.definitions.streams.values.sorted(by: { $0.id < $1.id }) {
      guard let traits = stream.traits, !traits.contains(.hot), !traits.contains(.standsIn) else {
        continue
      }
      let key = StreamLikeness(stream)
      guard groups[key] != nil || facts.walk.take(Self.bytes) else { continue }
      groups[key, default: Group(stream: stream.id)].count += 1
      if isStarted(stream.id) { groups[key]?.isStarted = true }
    }
    groups = groups.filter { !$0.value.isStarted }
    if groups.isEmpty { return nil }
  }

  private func isStarted(_ stream: UInt32) -> Bool {
    if facts.history.stream(stream)?.subscriptions ?? 0 > 0 { return true }
    if !facts.links.observed(by: stream).isEmpty { return true }
    // The observation of a run is recorded with its first event, which may never come.
    guard let action = facts.action(of: stream) else { return false }
    return facts.gates(of: action).contains { facts.history.stream($0)?.values ?? 0 > 0 }
  }

  mutating func findings() -> [Finding] {
    groups.values.filter(isForgotten).sorted { $0.stream < $1.stream }.map { group in
      let stream = group.stream
      let times: FindingSentence =
        group.count == 1 ? "" : "; nor were the other \(group.count - 1, "one", "ones") like it"
      return Finding(
        .unstarted, weight: group.count == 1 ? 60 : 75, place: .receiver(of: stream),
        "\(stream: stream) was made and never started, so that its side effects never happened"
          + times,
        stream: stream, question: .whySilent(stream))
    }
  }

  /// Returns whether producers with side effects were left as they are: nothing was made from them
  /// that could start them.
  private func isForgotten(_ group: Group) -> Bool {
    facts.links.made(from: group.stream).isEmpty && facts.links.startsEffects(group.stream)
  }
}
