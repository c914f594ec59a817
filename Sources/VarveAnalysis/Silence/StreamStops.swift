public import VarveFormat
public import VarveProbe

/// Why nothing more came from a stream: what it delivered last, what came upstream since, and the
/// places on the way at which values stopped, the most telling first.
public struct StreamStops: Sendable {
  /// The stream in question.
  public let stream: UInt32
  /// The number of values that it delivered until the end of the period.
  public private(set) var values: UInt64 = 0
  /// Its last value.
  public private(set) var lastValue: EventMoment?
  /// Whether its last value came before the period asked for.
  public private(set) var isBeforePeriod = false
  /// The end after its last value, if it ended.
  public private(set) var end: (kind: RecordKind, moment: EventMoment)?
  /// The number of values that its busiest source upstream delivered after its last value.
  public private(set) var upstream: UInt64 = 0
  /// That source.
  public private(set) var source: UInt32?
  /// The places at which values stopped, the most telling first.
  public private(set) var stops: [Stop] = []
  /// Damaged blocks that were passed over.
  public private(set) var damage: [TraceFileError] = []

  /// The number of stops that are kept.
  private static let most = 24

  /// Finds where values stopped on the way to `stream`.
  ///
  /// - Parameters:
  ///   - stream: the stream.
  ///   - facts: what is known of the trace until the end of the period; feeds must have been
  ///     learnt.
  ///   - source: the trace.
  ///   - selection: the period asked for; what came before it is known, too.
  ///   - event: the value of the stream that is asked about; nil for its last.
  ///   - lookup: finds the values that were swallowed.
  public init<Source: EventSource>(
    of stream: UInt32, in facts: SilenceFacts, _ source: Source,
    _ selection: Selection = Selection(), after event: TraceEvent? = nil, lookup: EventLookup
  ) throws(SelectionError) {
    self.stream = stream
    let upstream = Upstream(of: stream, in: facts)
    lastValue = facts.history.stream(stream)?.lastValue
    if let event { lastValue = EventMoment(name: event.name, ticks: event.ticks) }
    var lastTick = lastValue?.ticks
    if selection.since != nil, let start = try EventFilter(selection, in: source).ticks?.lowerBound
    {
      isBeforePeriod = lastTick.map { $0 < start } ?? false
      lastTick = max(lastTick ?? start, start - 1)
    }
    let tales = try StreamTales(
      upstream, in: facts, source, until: selection.until, lastTick: lastTick)
    damage = tales.damage
    let own = tales[stream]
    values = own.values
    if let end = own.end, lastValue.map({ $0.ticks <= end.moment.ticks }) ?? true {
      self.end = (end.kind, end.moment)
    }
    for member in upstream.members.dropFirst() where facts.is(member.stream, .hot) {
      let since = tales[member.stream].since
      if since > self.upstream { (self.upstream, self.source) = (since, member.stream) }
    }
    var finder = StopFinder(stream, upstream, tales, facts, lookup)
    stops = finder.found(isSilent: own.values == 0)
    if stops.count > Self.most { stops.removeSubrange(Self.most...) }
  }

  /// Replaces the places by some of them.
  public mutating func choose(_ chosen: ([Stop]) -> [Stop]) { stops = chosen(stops) }
}
