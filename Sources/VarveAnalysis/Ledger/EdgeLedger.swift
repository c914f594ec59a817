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

  private var observations = Slab<Open>()
  private var slots: [UInt64: UInt32] = [:]
  private var takenDownSlots: [UInt32] = []
  private var pairs = Slab<Pair>()
  private var pairSlots: [StreamEdge: UInt32] = [:]

  /// What it takes to remember an observation, and a pair, with their places in the tables.
  private static let bytes = 96

  /// Observations that had not ended.
  public var open: some Collection<Open> { slots.values.lazy.map { observations[$0] } }

  /// Observations that ended after the last thing that the program did: it was taken down, and they
  /// with it. Those whose stream completed are not among them.
  public var takenDown: some Collection<Open> { takenDownSlots.lazy.map { observations[$0] } }

  /// The streams that observed others, with these.
  public var connected: some Collection<StreamEdge> { pairSlots.keys }

  /// The observations of one stream by another; nil when there were none.
  public func pair(_ edge: StreamEdge) -> Pair? { pairSlots[edge].map { pairs[$0] } }

  /// - Returns: false when the observation was passed over.
  mutating func begin(
    _ edge: UInt64, from: UInt32, to: UInt32, at moment: EventMoment, values: UInt64,
    _ memory: inout WalkMemory
  ) -> Bool {
    guard let pair = pairSlot(StreamEdge(from: from, to: to), &memory) else { return false }
    pairs[pair].count += 1
    let observation = Open(edge: edge, from: from, to: to, began: moment, values: values)
    if let slot = slots[edge] {
      observations[slot] = observation
    } else {
      guard let slot = observations.add(observation, taking: Self.bytes, of: &memory) else {
        return false
      }
      slots[edge] = slot
    }
    pairs[pair].open += 1
    return true
  }

  private mutating func pairSlot(_ edge: StreamEdge, _ memory: inout WalkMemory) -> UInt32? {
    if let known = pairSlots[edge] { return known }
    let slot = pairs.add(Pair(), taking: Self.bytes, of: &memory)
    if let slot { pairSlots[edge] = slot }
    return slot
  }

  /// The program does something: what has ended until now ended while it ran.
  mutating func goOn() {
    guard !takenDownSlots.isEmpty else { return }
    for slot in takenDownSlots { observations.remove(slot) }
    takenDownSlots.removeAll(keepingCapacity: true)
  }

  mutating func end(_ edge: UInt64, _ reason: EndReason?, at moment: EventMoment, values: UInt64) {
    guard let slot = slots.removeValue(forKey: edge) else { return }
    let known = observations[slot]
    if reason == .completed || reason == .failed {
      observations.remove(slot)
    } else {
      takenDownSlots.append(slot)
    }
    guard let pair = pairSlots[StreamEdge(from: known.from, to: known.to)] else { return }
    pairs[pair].open -= 1
    // A damaged trace may end it in the name of another stream, which has delivered less.
    pairs[pair].delivered += values - min(known.values, values)
    pairs[pair].lastEnd = moment
    pairs[pair].lastReason = reason
    if reason == .failed { pairs[pair].failed += 1 }
  }

  /// The trace has ended.
  mutating func finish() {
    for slot in slots.values {
      let open = observations[slot]
      guard let pair = pairSlots[StreamEdge(from: open.from, to: open.to)] else { continue }
      pairs[pair].valuesBeforeOpen = min(pairs[pair].valuesBeforeOpen ?? .max, open.values)
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
