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

  /// Whether only reasons to hang were looked for, since the history tells of the trace's end alone.
  public var areOfEnding: Bool { history.scope == .ending }

  private let history: TraceHistory
  private let definitions: TraceDefinitions
  private let lookup: EventLookup

  /// Finds problems in a history. The events that serve as evidence are read with `reader`.
  ///
  /// - Parameters:
  ///   - history: the history of the whole trace. If it tells only of the end, no more than losses and
  ///     the reasons why threads and tasks hang are looked for.
  ///   - reader: the trace.
  ///   - lookup: finds single events of the trace.
  ///   - progress: called with the number of events that rules have read so far.
  public init(
    _ history: TraceHistory, _ reader: TraceReader, lookup: EventLookup,
    progress: (UInt64) -> Void = { _ in }
  ) {
    self.history = history
    self.lookup = lookup
    definitions = reader.definitions
    all += (areOfEnding ? [] : silences()) + losses(reader)
    let facts = FindingFacts(reader, history, lookup: lookup)
    var rules = FindingRules(facts)
    all += rules.found(in: reader, progress: progress)
    let ranked = all.enumerated().sorted {
      (-$0.element.weight, $0.offset) < (-$1.element.weight, $1.offset)
    }
    // Of one scheduler, the surest backlog tells the most about the others.
    var told: Set<UInt32> = []
    all = ranked.map(\.element).filter {
      guard $0.kind == .backlog, $0.stream == nil, let scheduler = $0.scheduler else { return true }
      return told.insert(scheduler).inserted
    }
  }

  /// Replaces the findings by some of them.
  public mutating func choose(_ chosen: ([Finding]) -> [Finding]) { all = chosen(all) }

  /// Leaves out what the whole recording does not confirm: what had not happened until some moment may have
  /// happened later.
  public mutating func confirm(by whole: Findings) {
    all = all.filter { one in
      whole.all.contains {
        ($0.kind, $0.stream, $0.place) == (one.kind, one.stream, one.place)
      }
    }
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
      finding.place = silence.culprits.first.flatMap { facts.signalTaker(for: $0, lookup) }
        .map { .stack($0) }
      finding.count = silence.steps.map(\.received).max() ?? 0
      finding.evidence = silence.steps.compactMap { step in
        history.stream(step.stream)?.lastValue?.name
      }
      return finding
    }
  }

  private static func isWaiting(_ reason: Silence.Reason) -> Bool {
    switch reason {
    case .waitsFor, .waitsForChange, .queued: true
    case .delivers, .notSubscribed, .notConnected, .sourceSilent, .inputsSilent, .swallowed,
      .disposed, .ended, .noInner, .unknown, .unknownKind:
      false
    }
  }
}

// MARK: - What broke

extension Findings {
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
