public import VarveProbe

/// Observations of streams: which began, which ended and why, and which were open when the trace
/// ended.
public struct SubscriptionHistory: Sendable {
  /// An observation that had not ended.
  public struct Open: Sendable, Hashable {
    /// The edge.
    public var edge: UInt64
    /// The stream that is observed.
    public var from: UInt32
    /// The stream that it feeds; 0 for an observer outside all streams.
    public var to: UInt32
    /// When it began.
    public var began: EventMoment
    /// The number of values that the observed stream had delivered by then.
    var values: UInt64
  }

  /// All observations of one stream by another.
  public struct Pair: Sendable, Hashable {
    /// The number of observations.
    public var count: UInt64 = 0
    /// The number of observations that had not ended.
    public var open: UInt64 = 0
    /// The number of observations that ended because the observed stream failed.
    public var failed: UInt64 = 0
    /// The last end.
    public var lastEnd: EventMoment?
    /// The reason for the last end.
    public var lastReason: EndReason?
    /// The number of values that the observed stream delivered during observations that ended.
    var delivered: UInt64 = 0
    /// The number of values that it had delivered before the first observation that is still open.
    var valuesBeforeOpen: UInt64?
  }

  private var observations: WalkTable<UInt64, Open>
  private var pairs: WalkTable<StreamEdge, Pair>
  /// Whether of pairs no more is told than how many observations there were.
  private let countsPairs: Bool

  /// The memory for an observation or a pair, including its table entry, in bytes.
  private static let bytes = 96

  init(_ walk: TraceWalk, countsPairs: Bool = false) {
    self.countsPairs = countsPairs
    observations = WalkTable(walk, bytes: Self.bytes, of: .observations)
    pairs = WalkTable(walk, bytes: Self.bytes, of: .observations)
  }

  /// Observations that had not ended.
  public var open: some Collection<Open> { observations.values }

  /// Observations that ended when the program was taken down. Those whose stream completed or failed
  /// are not included.
  public private(set) var takenDown: [Open] = []

  /// An observation that ended, and when.
  struct Ended: Sendable {
    var observation: Open
    var moment: EventMoment
  }

  /// The observations that ended last, oldest first, from `firstEnded` on.
  private var lastEnded: [Ended] = []
  private var firstEnded = 0
  /// What ended before this tick ended while the program ran.
  private var goneOn: UInt64 = 0

  /// The maximum number of ended observations remembered.
  private static let mostEnded = 65_536

  /// The pairs of observed and observing streams.
  public var connected: some Collection<StreamEdge> { pairs.keys }

  /// The pairs of observed and observing streams, as a set.
  ///
  /// Made here, since Swift 6.3 crashes when it optimizes another module that makes it of `connected`.
  public var feeds: Set<StreamEdge> { Set(pairs.keys) }

  /// Returns the observations of one stream by another; nil when there were none.
  public func pair(_ edge: StreamEdge) -> Pair? { pairs[edge] }

  mutating func begin(
    _ edge: UInt64, from: UInt32, to: UInt32, at moment: EventMoment, values: UInt64
  ) {
    let pair = StreamEdge(from: from, to: to)
    let isCounted = pairs.change(pair, orFirst: Pair()) { $0.count += 1 }
    let observation = Open(edge: edge, from: from, to: to, began: moment, values: values)
    guard isCounted, observations.set(observation, for: edge), !countsPairs else { return }
    pairs.change(pair) { $0.open += 1 }
  }

  /// Records that the program is active at a tick: what ended before `tick` ended while it ran.
  mutating func goOn(endedBefore tick: UInt64) {
    goneOn = tick
    guard firstEnded < lastEnded.count else { return }
    while firstEnded < lastEnded.count, lastEnded[firstEnded].moment.ticks < tick {
      firstEnded += 1
    }
    if firstEnded == lastEnded.count {
      lastEnded.removeAll(keepingCapacity: true)
      firstEnded = 0
    }
  }

  private mutating func remember(_ ended: Ended) {
    guard ended.moment.ticks >= goneOn else { return }
    if lastEnded.count - firstEnded == Self.mostEnded { firstEnded += 1 }
    if firstEnded > Self.mostEnded {
      lastEnded.removeFirst(firstEnded)
      firstEnded = 0
    }
    lastEnded.append(ended)
  }

  /// Takes the observations that ended last as taken down, from the first one on that `isLast` says
  /// is part of that; returns when it ended.
  mutating func takeDown(where isLast: (EventMoment) -> Bool) -> EventMoment? {
    let last = lastEnded[firstEnded...]
    lastEnded = []
    guard let first = last.firstIndex(where: { isLast($0.moment) }) else { return nil }
    takenDown = last[first...].filter { isLast($0.moment) }.map(\.observation)
    return last[first].moment
  }

  mutating func end(_ edge: UInt64, _ reason: EndReason?, at moment: EventMoment, values: UInt64) {
    guard let known = observations.removeValue(forKey: edge) else { return }
    if reason != .completed, reason != .failed {
      remember(Ended(observation: known, moment: moment))
    }
    if countsPairs { return }
    pairs.change(StreamEdge(from: known.from, to: known.to)) { pair in
      pair.open -= 1
      // In a damaged trace, the end may name another stream, which has delivered less.
      pair.delivered += values - min(known.values, values)
      pair.lastEnd = moment
      pair.lastReason = reason
      if reason == .failed { pair.failed += 1 }
    }
  }

  /// Accounts for the observations that are open when the trace ends.
  mutating func finish() {
    if countsPairs { return }
    for open in observations.values {
      pairs.change(StreamEdge(from: open.from, to: open.to)) { pair in
        pair.valuesBeforeOpen = min(pair.valuesBeforeOpen ?? .max, open.values)
      }
    }
  }

  /// Returns the number of values that `from` delivered while `to` observed it, given the number it
  /// delivered in total.
  public func delivered(from: UInt32, to: UInt32, of values: UInt64) -> UInt64 {
    let pair = pair(StreamEdge(from: from, to: to))
    // Simultaneous observations see each value once.
    let still = pair?.valuesBeforeOpen.map { values - min($0, values) } ?? 0
    return min((pair?.delivered ?? 0) + still, values)
  }
}
