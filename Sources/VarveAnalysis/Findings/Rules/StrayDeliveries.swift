internal import VarveFormat
internal import VarveProbe

/// Finds streams that the program moved to a scheduler, and that nevertheless deliver elsewhere now
/// and then, because one of their ways lacks the hop.
struct StrayDeliveries: FindingRule {
  /// The smallest number of values on the usual scheduler …
  private static let fewestUsual: UInt64 = 6
  /// … and the number of them for each value elsewhere.
  private static let usualFactor: UInt64 = 4
  /// The maximum number of streams examined.
  private static let mostStreams = 4_096
  /// The maximum number of events followed from a value back to where it came from.
  private static let mostSteps = 64

  private let facts: FindingFacts
  private var deliveries: [UInt32: SchedulerTallies] = [:]
  private var running = RunningWork()

  init?(_ facts: FindingFacts) {
    self.facts = facts
    guard facts.history.streams.contains(where: { facts.is($0.stream, .hops) }) else { return nil }
    let delivering = facts.history.streams.filter { account in
      account.values > Self.fewestUsual && facts.is(account.stream, [])
    }
    for account in delivering.prefix(Self.mostStreams) {
      deliveries[account.stream] = SchedulerTallies()
    }
    if deliveries.isEmpty { return nil }
  }

  var kinds: Set<RecordKind> { [.value, .hopBegan, .hopEnded] }
  var streams: Set<UInt32>? { Set(deliveries.keys) }

  mutating func note(_ event: FindingEvent) {
    guard event.kind == .value else { return running.note(event) }
    deliveries[event.stream]?.note(event.moment, on: running.scheduler(on: event.name.ring))
  }

  mutating func findings() -> [Finding] {
    let mixed = deliveries.compactMap { stream, known in Mixed(stream, known.tallies) }
      .sorted { $0.stream < $1.stream }
    let ids = Set(mixed.map(\.stream))
    return mixed.compactMap { finding($0, among: ids) }
  }

  /// A stream that nearly always delivers on one scheduler.
  private struct Mixed {
    var stream: UInt32
    var usual: UInt32
    var usualCount: UInt64
    var lastUsual: EventMoment
    var stray: UInt32
    var strayCount: UInt64
    var lastStray: EventMoment

    init?(_ stream: UInt32, _ tallies: [SchedulerTallies.Tally]) {
      guard let usual = tallies.max(by: { $0.count < $1.count }), usual.scheduler != 0,
        usual.count >= StrayDeliveries.fewestUsual
      else { return nil }
      // A first value often comes with the observation, wherever that begins.
      let strays = tallies.filter {
        $0.scheduler != usual.scheduler && $0.last.ticks > usual.first.ticks
      }
      let count = strays.reduce(0) { $0 + $1.count }
      guard let stray = strays.max(by: { $0.count < $1.count }),
        count * StrayDeliveries.usualFactor <= usual.count
      else { return nil }
      self.stream = stream
      (self.usual, usualCount, lastUsual) = (usual.scheduler, usual.count, usual.last)
      (self.stray, strayCount, lastStray) = (stray.scheduler, count, stray.last)
    }
  }

  private func finding(_ mixed: Mixed, among others: Set<UInt32>) -> Finding? {
    let lookup = facts.lookup
    let usualWay = lookup.way(to: mixed.lastUsual.name, .pastWork, most: Self.mostSteps)
    let strayWay = lookup.way(to: mixed.lastStray.name, .pastWork, most: Self.mostSteps)
    // It begins here: what hands over the stray value always delivers there.
    let input = strayWay.dropFirst().first { $0.kind == .value }
    if let input, others.contains(input.stream) { return nil }
    // What a late observer is shown at once comes wherever it begins to observe.
    guard input != nil || isRoot(mixed.stream) else { return nil }
    // The program moved the usual values there by itself, and nothing after it moves them again.
    guard let hop = usualWay.first(where: { $0.kind == .value && moves($0.stream) }),
      isDelivered(from: mixed.stream)
    else { return nil }
    var finding = Finding(
      .thread, weight: 85, place: place(of: mixed, input, strayWay), "", stream: mixed.stream,
      evidence: [mixed.lastStray.name, mixed.lastUsual.name])
    finding.other = input?.stream
    finding.scheduler = mixed.stray == 0 ? nil : mixed.stray
    finding.count = mixed.strayCount
    let elsewhere: FindingSentence =
      mixed.stray == 0
      ? "outside of all schedulers, on thread \(thread: mixed.lastStray.ring)"
      : "on \(scheduler: mixed.stray)"
    let way: FindingSentence =
      input.map { "by \(stream: $0.stream), which lacks that hop" } ?? "by code that sends there"
    finding.sentence = """
      \(stream: mixed.stream) delivers on \(scheduler: mixed.usual), where \(stream: hop.stream) \
      moves its values (\(mixed.usualCount, "value", "values")), but \
      \(mixed.strayCount, "value", "values") came \(elsewhere), \(way)
      """
    return finding
  }

  /// Returns whether a stream moves the values of another to a scheduler. A timer, which delivers
  /// on its scheduler by its nature, does not.
  private func moves(_ stream: UInt32) -> Bool {
    facts.is(stream, .hops) && facts.definitions.streams[stream]?.parents.isEmpty == false
  }

  private func isRoot(_ stream: UInt32) -> Bool {
    facts.is(stream, .hot) && facts.definitions.streams[stream]?.parents.isEmpty == true
  }

  /// Returns whether values reach an observer outside all streams without changing schedulers.
  private func isDelivered(from stream: UInt32) -> Bool {
    var seen: Set<UInt32> = [stream]
    var open = [stream]
    while let next = open.popLast() {
      for fed in feeds[next] ?? [] {
        guard fed != 0 else { return true }
        guard facts.walk.step() else { return false }
        if !facts.is(fed, .hops), seen.insert(fed).inserted { open.append(fed) }
      }
    }
    return false
  }

  /// The streams that each stream feeds; 0 for observers outside all streams.
  private var feeds: [UInt32: [UInt32]] { facts.feeds }

  /// Returns the line of the way that lacks the hop: the input's, that of the stream which takes a source
  /// as it is, or that of the code that sends.
  private func place(
    of mixed: Mixed, _ input: TraceEvent?, _ way: [TraceEvent]
  ) -> FindingPlace? {
    if let input { return .stream(isRoot(input.stream) ? mixed.stream : input.stream) }
    if let sender = facts.sender(of: mixed.lastStray.name) { return .stack(sender) }
    let scheduled = way.first { $0.kind == .hopScheduled && $0.payload.kind == .cause }
    return scheduled.map { .stack(HopPayload(word: $0.payload.word).stack) }
  }
}
