public import VarveProbe

/// Observations of streams: which began, which ended and why, which were open when the trace ended.
public struct EdgeLedger: Sendable {
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
    /// How many ended, by reason.
    public var ended: [EndReason: UInt64] = [:]
    /// The last end.
    public var lastEnd: EventMoment?
    /// Its reason.
    public var lastReason: EndReason?
    /// The first beginning.
    public var firstBegan: EventMoment?
    /// How many values the observed stream delivered during those that ended.
    var delivered: UInt64 = 0
  }

  /// Observations that had not ended, by edge.
  public private(set) var open: [UInt64: Open] = [:]
  /// Observations that ended after the last thing that the program did: it was taken down, and they
  /// with it. Those whose stream completed are not among them.
  public private(set) var takenDown: [Open] = []
  /// By the streams that they connect.
  public private(set) var pairs: [StreamEdge: Pair] = [:]

  mutating func begin(
    _ edge: UInt64, from: UInt32, to: UInt32, at moment: EventMoment, values: UInt64
  ) {
    open[edge] = Open(edge: edge, from: from, to: to, began: moment, values: values)
    let key = StreamEdge(from: from, to: to)
    pairs[key, default: Pair()].count += 1
    pairs[key, default: Pair()].open += 1
    if pairs[key]?.firstBegan == nil { pairs[key]?.firstBegan = moment }
  }

  /// The program does something: what has ended until now ended while it ran.
  mutating func goOn() {
    if !takenDown.isEmpty { takenDown = [] }
  }

  mutating func end(_ edge: UInt64, _ reason: EndReason?, at moment: EventMoment, values: UInt64) {
    guard let known = open.removeValue(forKey: edge) else { return }
    if reason != .completed, reason != .failed { takenDown.append(known) }
    let key = StreamEdge(from: known.from, to: known.to)
    pairs[key, default: Pair()].open -= 1
    // A damaged trace may end it in the name of another stream, which has delivered less.
    pairs[key, default: Pair()].delivered += values - min(known.values, values)
    pairs[key, default: Pair()].lastEnd = moment
    pairs[key, default: Pair()].lastReason = reason
    if let reason { pairs[key, default: Pair()].ended[reason, default: 0] += 1 }
  }

  /// How many values `from` delivered while `to` observed it, given how many it delivered at all.
  public func delivered(from: UInt32, to: UInt32, of values: UInt64) -> UInt64 {
    let ended = pairs[StreamEdge(from: from, to: to)]?.delivered ?? 0
    // Several at once see each value once.
    let still = openBetween[StreamEdge(from: from, to: to)].map { values - min($0, values) } ?? 0
    return min(ended + still, values)
  }

  /// For the pairs with open observations, how many values had been delivered when the first of
  /// them began.
  private var openBetween: [StreamEdge: UInt64] {
    open.values.reduce(into: [:]) { found, edge in
      let key = StreamEdge(from: edge.from, to: edge.to)
      found[key] = min(found[key] ?? .max, edge.values)
    }
  }
}
