public import VarveProbe

/// Observations of streams: which began, which ended and why, which were open when the trace ended.
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
    /// How many values the observed stream had delivered then.
    var values: UInt64
  }

  /// All observations of one stream by another.
  public struct Pair: Sendable, Hashable {
    /// How many there were.
    public var count: UInt64 = 0
    /// How many had not ended.
    public var open: UInt64 = 0
    /// How many ended because the observed stream failed.
    public var failed: UInt64 = 0
    /// The last end.
    public var lastEnd: EventMoment?
    /// Its reason.
    public var lastReason: EndReason?
    /// How many values the observed stream delivered during those that ended.
    var delivered: UInt64 = 0
    /// How many values it had delivered when the first of those began that are open at the end.
    var valuesBeforeOpen: UInt64?
  }

  private var observations: WalkTable<UInt64, Open>
  private var pairs: WalkTable<StreamEdge, Pair>

  /// What it takes to remember an observation, and a pair, with their places in the tables.
  private static let bytes = 96

  init(_ walk: TraceWalk) {
    observations = WalkTable(walk, bytes: Self.bytes, of: .observations)
    pairs = WalkTable(walk, bytes: Self.bytes, of: .observations)
  }

  /// Observations that had not ended.
  public var open: some Collection<Open> { observations.values }

  /// Observations that ended after the last thing that the program did: it was taken down, and they
  /// with it. Those whose stream completed are not among them.
  public private(set) var takenDown: [Open] = []

  /// The streams that observed others, with these.
  public var connected: some Collection<StreamEdge> { pairs.keys }

  /// The observations of one stream by another; nil when there were none.
  public func pair(_ edge: StreamEdge) -> Pair? { pairs[edge] }

  mutating func begin(
    _ edge: UInt64, from: UInt32, to: UInt32, at moment: EventMoment, values: UInt64
  ) {
    let pair = StreamEdge(from: from, to: to)
    let isCounted = pairs.change(pair, orFirst: Pair()) { $0.count += 1 }
    let observation = Open(edge: edge, from: from, to: to, began: moment, values: values)
    guard isCounted, observations.set(observation, for: edge) else { return }
    pairs.change(pair) { $0.open += 1 }
  }

  /// The program does something: what has ended until now ended while it ran.
  mutating func goOn() { if !takenDown.isEmpty { takenDown.removeAll(keepingCapacity: true) } }

  mutating func end(_ edge: UInt64, _ reason: EndReason?, at moment: EventMoment, values: UInt64) {
    guard let known = observations.removeValue(forKey: edge) else { return }
    if reason != .completed, reason != .failed { takenDown.append(known) }
    pairs.change(StreamEdge(from: known.from, to: known.to)) { pair in
      pair.open -= 1
      // A damaged trace may end it in the name of another stream, which has delivered less.
      pair.delivered += values - min(known.values, values)
      pair.lastEnd = moment
      pair.lastReason = reason
      if reason == .failed { pair.failed += 1 }
    }
  }

  /// The trace has ended.
  mutating func finish() {
    for open in observations.values {
      pairs.change(StreamEdge(from: open.from, to: open.to)) { pair in
        pair.valuesBeforeOpen = min(pair.valuesBeforeOpen ?? .max, open.values)
      }
    }
  }

  /// How many values `from` delivered while `to` observed it, given how many it delivered at all.
  public func delivered(from: UInt32, to: UInt32, of values: UInt64) -> UInt64 {
    let pair = pair(StreamEdge(from: from, to: to))
    // Several at once see each value once.
    let still = pair?.valuesBeforeOpen.map { values - min($0, values) } ?? 0
    return min((pair?.delivered ?? 0) + still, values)
  }
}
