internal import VarveFormat
internal import VarveProbe

/// Finds moves to a scheduler that a flattening after them undoes: its inner streams deliver
/// elsewhere, while what was made from the same source beside it reaches its observer there.
struct UndoneHops: FindingRule {
  /// A move, the flattening after it, and a move beside it to compare with.
  private struct Candidate {
    let hop: UInt32
    let flattening: UInt32
    let beside: [UInt32]
  }

  private let facts: FindingFacts
  private var candidates: [Candidate] = []
  private var deliveries: [UInt32: SchedulerTallies] = [:]
  private var running = RunningWork()

  let kinds: Set<RecordKind> = [.value, .hopBegan, .hopEnded]
  var streams: Set<UInt32>? { Set(deliveries.keys) }

  /// The smallest number of values of each of the three.
  private static let fewest: UInt64 = 3
  /// The maximum number of moves examined.
  private static let mostMoves = 1_024
  /// The memory for a candidate, in bytes.
  private static let bytes = 1_024

  init?(_ facts: FindingFacts) {
    self.facts = facts
    let moves = facts.history.streams.filter { account in
      account.values >= Self.fewest && facts.is(account.stream, .hops)
        && facts.definitions.streams[account.stream]?.parents.isEmpty == false
    }
    let delivering = moves.prefix(Self.mostMoves).map(\.stream).filter(isDelivered)
    guard !delivering.isEmpty else { return nil }
    let besides = Dictionary(grouping: delivering) { Set(facts.links.sources(of: $0)) }
    for move in moves.prefix(Self.mostMoves) {
      let beside = besides[Set(facts.links.sources(of: move.stream))] ?? []
      let others = beside.filter { $0 != move.stream }
      guard !others.isEmpty, let flattening = flattening(after: move.stream),
        facts.walk.take(Self.bytes)
      else { continue }
      candidates.append(
        Candidate(hop: move.stream, flattening: flattening, beside: others))
      for stream in [move.stream, flattening] + others {
        deliveries[stream] = SchedulerTallies()
      }
    }
    if candidates.isEmpty { return nil }
  }

  /// Returns whether values of a stream reach an observer outside all streams by ways that leave
  /// them on their scheduler.
  private func isDelivered(_ stream: UInt32) -> Bool {
    reaches(from: stream) { $0 == 0 }
  }

  /// Returns the only flattening that a stream feeds, if it delivers to an observer without a
  /// further move.
  private func flattening(after stream: UInt32) -> UInt32? {
    var found: Set<UInt32> = []
    let reachesAnother = reaches(from: stream) { fed in
      let isFlattening = facts.is(fed, .makesStreams)
      if isFlattening { found.insert(fed) }
      // Code that wants to run there is between the two.
      return fed == 0 || !isFlattening && facts.is(fed, .hasEffects)
    }
    guard !reachesAnother, found.count == 1, let flattening = found.first,
      facts.history.stream(flattening)?.values ?? 0 >= Self.fewest, isDelivered(flattening)
    else { return nil }
    return flattening
  }

  /// Returns whether streams that a stream feeds match, as far as neither a move nor a flattening
  /// is in between.
  private func reaches(from stream: UInt32, _ matches: (UInt32) -> Bool) -> Bool {
    var seen: Set<UInt32> = [stream]
    var open = [stream]
    while let next = open.popLast() {
      for fed in facts.feeds[next] ?? [] where seen.insert(fed).inserted {
        if matches(fed) { return true }
        guard facts.walk.step() else { return false }
        if !facts.is(fed, .hops), !facts.is(fed, .makesStreams) { open.append(fed) }
      }
    }
    return false
  }

  mutating func note(_ event: FindingEvent) {
    guard event.kind == .value else { return running.note(event) }
    deliveries[event.stream]?.note(event.moment, on: running.scheduler(on: event.name.ring))
  }

  mutating func findings() -> [Finding] { candidates.compactMap(finding) }

  /// Returns the only scheduler on which a stream delivers.
  private func scheduler(of stream: UInt32) -> SchedulerTallies.Tally? {
    guard let known = deliveries[stream]?.tallies, known.count == 1 else { return nil }
    return known[0]
  }

  private func finding(_ candidate: Candidate) -> Finding? {
    guard let moved = scheduler(of: candidate.hop), moved.scheduler != 0,
      let delivered = scheduler(of: candidate.flattening),
      delivered.scheduler != moved.scheduler,
      let beside = candidate.beside.first(where: {
        scheduler(of: $0)?.scheduler == moved.scheduler
      })
    else { return nil }
    let there: FindingSentence =
      delivered.scheduler == 0
      ? "outside of all schedulers" : "on \(scheduler: delivered.scheduler)"
    var finding = Finding(
      .thread, weight: 80, place: .stream(candidate.hop),
      """
      \(stream: candidate.hop) moves its values to \(scheduler: moved.scheduler), but the inner \
      streams of \(stream: candidate.flattening) deliver \(there), and nothing moves them back; \
      \(stream: beside) reaches its observer on \(scheduler: moved.scheduler)
      """,
      stream: candidate.flattening, evidence: [delivered.last.name, moved.last.name])
    finding.other = candidate.hop
    finding.scheduler = delivered.scheduler == 0 ? nil : delivered.scheduler
    finding.count = delivered.count
    return finding
  }
}
