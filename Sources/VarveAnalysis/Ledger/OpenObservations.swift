public import VarveFormat

/// Observations that had not ended when the trace did. Those of streams that are alike are told
/// together: where each page that is opened makes streams of its own, they are one group.
public struct OpenObservations: Sendable {
  /// What is still observed, and by whom.
  public struct Group: Sendable {
    /// The stream that is observed; of several that are alike, the newest.
    public var from: UInt32
    /// The stream that observes it; 0 for observers outside all streams.
    public var to: UInt32
    /// How many observations.
    public var count: Int
    /// How many observations of such streams there were, those included that ended.
    public var everBegun: UInt64
    /// When the oldest began.
    public var oldest: EventMoment
    /// When the newest began.
    public var newest: EventMoment
    /// The beginnings of some of them.
    public var sample: [UInt64]
  }

  /// The groups, the oldest first.
  public private(set) var groups: [Group] = []

  /// Groups what a ledger has left of the streams of `selection`. Those that ended when the program
  /// was taken down count, too, when `tillEnd` is true.
  public init(
    _ ledger: TraceLedger, _ definitions: TraceDefinitions, selection: Selection = Selection(),
    tillEnd: Bool = false
  ) {
    func likeness(_ stream: UInt32) -> StreamLikeness? {
      definitions.streams[stream].map(StreamLikeness.init)
    }
    func key(_ from: UInt32, _ to: UInt32) -> Key {
      Key(from: likeness(from), to: to == 0 ? nil : likeness(to), isOutside: to == 0)
    }
    let begun = ledger.edges.pairs.reduce(into: [Key: UInt64]()) { sums, pair in
      sums[key(pair.key.from, pair.key.to), default: 0] += pair.value.count
    }
    let last = Array(ledger.edges.open.values) + (tillEnd ? ledger.edges.takenDown : [])
    groups = Dictionary(grouping: last) { key($0.from, $0.to) }.compactMap { key, open in
      guard let oldest = open.min(by: { $0.isBefore($1) }),
        let newest = open.max(by: { $0.isBefore($1) }),
        selection.matches(definitions.streams[newest.from] ?? StreamCensus.unknown(newest.from))
      else { return nil }
      return Group(
        from: newest.from, to: newest.to, count: open.count, everBegun: begun[key] ?? 0,
        oldest: oldest.began, newest: newest.began,
        sample: open.prefix(64).map(\.began.number))
    }.sorted { ($0.oldest.ticks, $0.from, $0.to) < ($1.oldest.ticks, $1.from, $1.to) }
  }

  private struct Key: Hashable {
    var from: StreamLikeness?
    var to: StreamLikeness?
    var isOutside: Bool
  }

  /// Those of observers outside all streams, and of streams with names: what somebody wrote, without
  /// the operators between.
  public func atEnds(_ definitions: TraceDefinitions) -> [Group] {
    groups.filter { $0.to == 0 || definitions.streams[$0.from]?.isNamed == true }
  }
}

extension EdgeLedger.Open {
  fileprivate func isBefore(_ other: EdgeLedger.Open) -> Bool {
    (began.ticks, edge) < (other.began.ticks, other.edge)
  }
}
