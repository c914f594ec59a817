public import VarveFormat
internal import VarveProbe

/// Problems found in a trace: leaks, silences, storms, feedback, stale results, backlogs, unhandled
/// failures, recursion that was cut, and losses.
///
/// Each finding names its evidence. A healthy program has none.
public struct Findings {
  /// All findings, the most telling first.
  public private(set) var all: [Finding] = []

  /// Whether the trace, written by an older version, does not record the kinds of its streams, so
  /// that silent joins and late results could not be found.
  public var lacksKinds: Bool { definitions.streams.values.contains { $0.traits == nil } }

  private let history: TraceHistory
  private let definitions: TraceDefinitions
  private let lookup: EventLookup
  private let places: StreamPlaces
  private let time: TraceTime
  /// Limits the steps of all searches along the streams.
  private let walk: TraceWalk

  /// Finds problems in a history. The events that serve as evidence are read with `reader`.
  ///
  /// - Parameter progress: called with the number of events that rules have read so far.
  public init(
    _ history: TraceHistory, _ reader: TraceReader, lookup: EventLookup,
    progress: (UInt64) -> Void = { _ in }
  ) {
    self.history = history
    self.lookup = lookup
    definitions = reader.definitions
    walk = TraceWalk(streams: definitions.streams.count)
    places = StreamPlaces(definitions)
    time = reader.time
    all += leaks() + silences()
    all += storms() + backlogs()
    all += Recursions(history, lookup: lookup, time: time).found() + losses(reader)
    let facts = FindingFacts(reader, history, lookup: lookup)
    var rules = FindingRules(facts)
    all += rules.found(in: reader, progress: progress)
    let ranked = all.enumerated().sorted {
      (-$0.element.weight, $0.offset) < (-$1.element.weight, $1.offset)
    }
    all = ranked.map(\.element)
  }

  // MARK: - Leaks

  /// The smallest number of observations from one place that makes a leak, if hardly any of them
  /// ended.
  private static let fewestLeaked = 8

  /// Observations from one place that accumulate: many began, at different times, and nearly all
  /// are still open, or ended only with the program.
  private mutating func leaks() -> [Finding] {
    let groups = OpenObservations(history, definitions, tillEnd: true).groups.filter { group in
      group.count >= Self.fewestLeaked && UInt64(group.count) * 10 >= group.everBegun * 9
        && isSpread(group)
    }
    // In a chain of observations that hold one another, only the one nearest to the observer is
    // reported.
    var kept: [Finding] = []
    for group in groups.sorted(by: { rank($0) > rank($1) }) {
      let isTold = !walk.isOutOfSteps && kept.contains { areConnected($0.stream, group.from) }
      if !isTold { kept.append(leak(group)) }
    }
    return kept
  }

  private func leak(_ group: OpenObservations.Group) -> Finding {
    var finding = Finding(.leak)
    finding.stream = group.from
    finding.other = group.to == 0 ? nil : group.to
    finding.count = UInt64(group.count)
    finding.nanoseconds = time.duration(from: group.oldest.ticks, to: group.newest.ticks)
    finding.evidence = [group.newest.name, group.oldest.name]
    return finding
  }

  /// Returns whether the observations began at several moments. Observations that are set up at
  /// once and live as long as the program are no leak.
  private func isSpread(_ group: OpenObservations.Group) -> Bool {
    let causes = Set(group.sample.compactMap { lookup[$0]?.causes.first })
    return causes.count * 2 > group.sample.count
  }

  private func rank(_ group: OpenObservations.Group) -> (Int, Int) {
    let isNamed = definitions.streams[group.from]?.isNamed == true
    return ((isNamed ? 2 : 0) + (group.to == 0 ? 1 : 0), group.count)
  }

  private mutating func areConnected(_ one: UInt32?, _ other: UInt32?) -> Bool {
    // The cost of examining two unconnected streams.
    guard let one, let other, walk.step(16) else { return false }
    return places.leads(from: one, to: other, walk) || places.leads(from: other, to: one, walk)
  }

  // MARK: - Silences

  /// Named streams that were observed but delivered nothing because one input never did, while
  /// others did: something they wait for never comes.
  private func silences() -> [Finding] {
    let facts = SilenceFacts(history, definitions, lookup: lookup)
    let named = history.streams.filter { account in
      account.values == 0 && account.subscriptions > 0 && account.firstEnd?.kind != .completed
        && account.firstEnd?.kind != .failed && definitions.streams[account.stream]?.isNamed == true
    }
    return named.sorted { $0.stream < $1.stream }.compactMap { account in
      let silence = Silence(of: account.stream, in: facts)
      guard silence.steps.contains(where: { Self.isWaiting($0.reason) }) else { return nil }
      var finding = Finding(.silence)
      finding.stream = account.stream
      finding.silence = silence
      finding.count = silence.steps.map(\.received).max() ?? 0
      finding.evidence = silence.steps.compactMap { step in
        history.stream(step.stream)?.lastValue?.name
      }
      return finding
    }
  }

  private static func isWaiting(_ reason: Silence.Reason) -> Bool {
    switch reason {
    case .waitsFor, .queued: true
    case .delivers, .notSubscribed, .sourceSilent, .inputsSilent, .swallowed, .disposed, .ended,
      .noInner, .unknown, .unknownKind:
      false
    }
  }
}

// MARK: - What came too often, too late, or broke

extension Findings {
  /// The lowest average rate of a storm, in values per second.
  private static let stormRate = 20_000.0
  private static let fewestStorm: UInt64 = 20_000
  /// The smallest number of values that each value of a storm's first cause triggered.
  private static let stormFactor: UInt64 = 1_000

  /// Streams that deliver very many values for each value that triggered them, and streams that
  /// trigger themselves.
  private mutating func storms() -> [Finding] {
    let busy = history.streams.filter { $0.values >= 100 }
    let found = busy.sorted { $0.values > $1.values }.prefix(40).compactMap(storm)
    // Streams along the path of one storm are reported once.
    var kept: [Finding] = []
    for storm in found {
      let isTold = kept.contains { other in
        areConnected(other.stream, storm.stream)
          || other.kind == storm.kind && other.other == storm.other && other.other != nil
      }
      if !isTold { kept.append(storm) }
    }
    return kept
  }

  private func storm(_ account: StreamAccount) -> Finding? {
    guard let first = account.firstValue, let last = account.lastValue else { return nil }
    let nanoseconds = time.duration(from: first.ticks, to: last.ticks)
    if let turns = turns(of: account) {
      var finding = Finding(.feedback)
      finding.stream = account.stream
      finding.count = turns
      finding.nanoseconds = nanoseconds
      finding.evidence = [last.name, first.name]
      return finding
    }
    guard account.values >= Self.fewestStorm,
      Double(account.values) / max(Double(nanoseconds), 1) * 1e9 >= Self.stormRate,
      let graph = CausalGraph(of: last.name, in: lookup, most: 2_000), !graph.isCut
    else { return nil }
    let firstCauses = CausalPath(graph).steps.filter { $0.depth == 0 && !$0.event.isHop }
    guard let cause = firstCauses.last?.event, cause.stream != account.stream,
      let source = history.stream(cause.stream),
      account.values / max(source.values, 1) >= Self.stormFactor
    else { return nil }
    var finding = Finding(.storm)
    finding.stream = account.stream
    finding.other = cause.stream
    finding.count = account.values
    finding.nanoseconds = nanoseconds
    finding.evidence = [last.name, cause.name]
    return finding
  }

  /// The smallest number of a stream's values, each causing the next, that makes a loop.
  private static let fewestTurns = 100

  /// Returns the number of the stream's own values that led to its last value; nil when they do not
  /// make a loop.
  private func turns(of account: StreamAccount) -> UInt64? {
    guard let last = account.lastValue,
      let graph = CausalGraph(of: last.name, in: lookup, most: 4_000, tellsCauses: false)
    else { return nil }
    let turns = graph.events.values.count { $0.kind == .value && $0.stream == account.stream }
    return turns >= Self.fewestTurns ? UInt64(turns) : nil
  }

  /// Work makes a backlog when it waited at least this long behind other work, in nanoseconds …
  private static let longestBehind: UInt64 = 100_000_000
  /// … and at least this many times as long as the longest piece of work ran.
  private static let behindFactor: UInt64 = 4

  private func backlogs() -> [Finding] {
    history.hops.schedulers.filter {
      $0.behind.longest >= Self.longestBehind
        && $0.behind.longest >= $0.run.longest * Self.behindFactor
    }.sorted { $0.behind.longest > $1.behind.longest }.map { account in
      var finding = Finding(.backlog)
      finding.scheduler = account.id
      finding.count = UInt64(account.deepest?.depth ?? 0)
      finding.nanoseconds = account.behind.longest
      finding.evidence = (account.mostDelayed.prefix(1) + account.slowest.prefix(1))
        .map(\.event.name)
      return finding
    }
  }

  /// Returns the last event before a tick, on the thread of a loss; on any thread when the loss had
  /// no ring.
  private func lastEvent(before tick: UInt64, of ring: UInt32, in reader: TraceReader) -> EventName?
  {
    let blocks = reader.blocks.filter {
      (ring == 0 || $0.ring == ring) && $0.ticks.lowerBound <= tick
    }
    guard let block = blocks.max(by: { $0.ticks.lowerBound < $1.ticks.lowerBound }) else {
      return nil
    }
    // Ticks increase within a block, and its first event is early enough.
    var (known, end) = (0, block.count)
    while end - known > 1 {
      let middle = known + (end - known) / 2
      guard let event = lookup[block.name(middle)] else { return nil }
      if event.ticks <= tick { known = middle } else { end = middle }
    }
    return block.name(known)
  }

  private func losses(_ reader: TraceReader) -> [Finding] {
    let ofEvents = reader.losses.filter { $0.reason != .notDefined }
    let byRing = Dictionary(grouping: ofEvents, by: \.ring).sorted { $0.key < $1.key }
    return byRing.map { ring, losses in
      var finding = Finding(.loss)
      finding.ring = ring
      finding.count = losses.reduce(0) { $0 &+ $1.count }
      finding.evidence =
        losses.map(\.ticks.lowerBound).min()
        .flatMap { lastEvent(before: $0, of: ring, in: reader) }.map { [$0] } ?? []
      return finding
    }
  }
}
