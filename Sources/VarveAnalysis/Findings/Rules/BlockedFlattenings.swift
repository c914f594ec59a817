internal import VarveFormat
internal import VarveProbe

/// Finds flattenings in which streams wait for their turn behind one that never ends.
struct BlockedFlattenings: FindingRule {
  private let facts: FindingFacts
  private var candidates: [UInt32] = []
  /// When the trace ends.
  private let end: UInt64
  private var handlers = StartHandlers()

  /// A run that takes this many times as long as those before it did on average does not end.
  private static let factor: UInt64 = 10
  /// The shortest time that is worth a look, in nanoseconds.
  private static let shortest: UInt64 = 100_000_000

  init?(_ facts: FindingFacts) {
    self.facts = facts
    end = facts.end
    for account in facts.history.streams
    where account.firstEnd == nil && facts.is(account.stream, [.makesStreams, .holds]) {
      candidates.append(account.stream)
    }
    if candidates.isEmpty { return nil }
  }

  mutating func findings() -> [Finding] { candidates.sorted().compactMap { finding(of: $0) } }

  private mutating func finding(of stream: UInt32) -> Finding? {
    let inner = facts.links.inner(of: stream).compactMap {
      facts.history.subscriptions.pair(StreamEdge(from: $0, to: stream))
    }
    let begun = inner.reduce(0) { $0 + $1.count }
    let open = inner.reduce(0) { $0 + $1.open }
    guard open > 0, let outer = facts.links.inputs(of: stream).first else { return nil }
    let came = facts.silence.delivered(from: outer, to: stream)
    let absorbed = facts.history.stream(stream)?.absorbedValues ?? 0
    guard came > begun + absorbed, let first = facts.history.stream(outer)?.firstValue,
      let run = facts.history.subscriptions.open.filter({ $0.to == stream && $0.from != outer })
        .min(by: { ($0.began.ticks, $0.edge) < ($1.began.ticks, $1.edge) })
    else { return nil }
    let time = facts.time.duration(from: run.began.ticks, to: end)
    let all = Array(facts.history.subscriptions.open)
    let leaf = OpenRun.leaf(of: run.from, all, facts)
    if begun > open {
      let before = facts.time.duration(from: first.ticks, to: run.began.ticks) / (begun - open)
      guard time > max(before * Self.factor, Self.shortest) else { return nil }
    } else {
      // The first one may be slow, unless nothing is at work there.
      guard time > Self.shortest, !facts.is(leaf, .hasEffects), !facts.is(leaf, .hops) else {
        return nil
      }
    }
    let isLive = facts.history.stream(run.from)?.values ?? 0 > 0
    // What was to end the inner stream, and did not, tells more than what waits for that.
    let ending = facts.is(run.from, .endsEarly) ? run.from : stream
    let exit = handlers.exit(ofSilentRun: leaf, all, facts)
    return Finding(
      .stuck, weight: 70, place: exit.map { .line($0) } ?? .stream(isLive ? ending : leaf),
      "\(came - begun - absorbed, "value waits", "values wait") for their turn in "
        + "\(stream: stream), because \(stream: run.from) has not ended for \(nanoseconds: time)"
        + StartHandlers.told(exit),
      stream: stream, evidence: [run.began.name])
  }
}
