/// One clock for the traces of several processes.
///
/// Processes of one machine share the monotonic clock: their times are laid over one another
/// exactly. Between machines there is only the calendar, which is as right as they were set.
///
/// Counters turn faster than nanoseconds pass. So that records that lie less than one apart stay in
/// their order, a tick of the shared clock is a sixteenth of a nanosecond as soon as one of the
/// traces counts ticks of a processor; times in nanoseconds stay what they were.
struct SharedClock {
  private static let fineness: UInt64 = 16
  /// Two moments at which a machine was started are the same when they lie no further apart: the
  /// calendar may have been set in between.
  private static let mostDrift: UInt64 = 2_000_000_000

  /// The clock of the merged trace.
  let clock: TraceClock
  /// The moment that its times are counted from.
  let anchor: ClockAnchor
  /// When that was by the calendar.
  let started: UInt64
  /// Whether traces of different machines, or of different runs of one, had to be laid over one
  /// another by the calendar.
  let isByCalendar: Bool
  /// For each trace, how its ticks are turned.
  let tracks: [Track]

  /// How the ticks of one trace become those of the shared clock.
  struct Track {
    private let time: TraceTime
    private let start: UInt64

    fileprivate init(time: TraceTime, start: UInt64) {
      self.time = time
      self.start = start
    }

    /// The shared tick of a tick.
    func tick(_ tick: UInt64) -> UInt64 {
      let since = time.nanoseconds(sinceStart: tick)
      return since >= 0
        ? start &+ since.magnitude : start - min(start, since.magnitude)
    }
  }

  init(_ readers: [TraceReader]) {
    let headers = readers.map(\.header)
    isByCalendar = headers.dropFirst().contains { !Self.shareMachine($0, headers[0]) }
    let isFine = headers.contains { if case .counter = $0.clock { true } else { false } }
    let fineness = isFine ? Self.fineness : 1
    clock = isFine ? .counter(perSecond: 1_000_000_000 * fineness) : .monotonic
    let byCalendar = isByCalendar
    let starts = headers.map { byCalendar ? $0.process.started : $0.anchor.monotonic }
    let first = starts.indices.min { starts[$0] < starts[$1] } ?? 0
    started = headers[first].process.started
    // Room before the start: streams may be older than the recorder.
    let base = headers[first].anchor.monotonic
    anchor = ClockAnchor(ticks: base &* fineness, monotonic: base)
    let times = Self.times(of: readers)
    tracks = readers.indices.map { index in
      Track(
        time: times[index].finer(fineness),
        start: (base &+ (starts[index] - starts[first])) &* fineness)
    }
  }

  /// The time of each trace. Files of one recording know different moments of its clock: they are
  /// read by all of them, or what lies at the seam of two files might change its order.
  private static func times(of readers: [TraceReader]) -> [TraceTime] {
    readers.map { reader in
      let parts = readers.filter {
        $0.header.id == reader.header.id && $0.header.anchor == reader.header.anchor
          && $0.header.clock == reader.header.clock
      }
      return parts.count == 1
        ? reader.time : TraceTime(header: reader.header, anchors: parts.flatMap(\.anchors))
    }
  }

  /// Whether two traces were recorded while one machine ran.
  private static func shareMachine(_ one: TraceHeader, _ other: TraceHeader) -> Bool {
    guard one.process.host == other.process.host, one.clock != .byHand, other.clock != .byHand
    else { return false }
    // Many machines have no name here: those of one recording are one.
    if one.process.host.isEmpty { return one.id == other.id }
    let boots = [one, other].map { Int64(bitPattern: $0.process.started &- $0.anchor.monotonic) }
    return (boots[0] &- boots[1]).magnitude <= mostDrift
  }
}
