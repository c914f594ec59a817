/// A common clock for the traces of several processes.
///
/// Processes on one machine share the monotonic clock, so their times can be aligned exactly.
/// Between machines there is only the calendar, which is as accurate as their settings.
///
/// Counters are finer than nanoseconds. To keep the order of records less than a nanosecond apart,
/// a tick of the shared clock is a sixteenth of a nanosecond if any of the traces counts processor
/// ticks; times in nanoseconds are unchanged.
struct SharedClock {
  private static let fineness: UInt64 = 16
  /// The largest difference between two boot times that still count as the same: the calendar may
  /// have been set in between.
  private static let mostDrift: UInt64 = 2_000_000_000

  /// The clock of the merged trace.
  let clock: TraceClock
  /// The moment from which its times are counted.
  let anchor: ClockAnchor
  /// The calendar time of that moment.
  let started: UInt64
  /// Whether traces of different machines, or of different boots of one, had to be aligned by the
  /// calendar.
  let isByCalendar: Bool
  /// The conversion of each trace's ticks.
  let tracks: [Track]

  /// The conversion of one trace's ticks to those of the shared clock.
  struct Track {
    private let time: TraceTime
    private let start: UInt64

    fileprivate init(time: TraceTime, start: UInt64) {
      self.time = time
      self.start = start
    }

    /// Returns the shared tick of a tick.
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
    // Leaves room before the start: streams may be older than the recorder.
    let base = headers[first].anchor.monotonic
    anchor = ClockAnchor(ticks: base &* fineness, monotonic: base)
    let times = Self.times(of: readers)
    tracks = readers.indices.map { index in
      Track(
        time: times[index].finer(fineness),
        start: (base &+ (starts[index] - starts[first])) &* fineness)
    }
  }

  /// Returns the time of each trace. The files of one recording have different anchors of its
  /// clock; each is read with the anchors of all, since the order of records where two files meet
  /// might change otherwise.
  private static func times(of readers: [TraceReader]) -> [TraceTime] {
    readers.map { reader in
      let parts = readers.filter {
        $0.header.id == reader.header.id && $0.header.anchor == reader.header.anchor
          && $0.header.clock == reader.header.clock
      }
      return parts.count == 1
        ? reader.time
        : TraceTime(
          header: reader.header, anchors: parts.flatMap(\.anchors),
          lastSeen: parts.map(\.time.lastTick).max() ?? 0)
    }
  }

  /// Returns whether two traces were recorded during one boot of one machine.
  private static func shareMachine(_ one: TraceHeader, _ other: TraceHeader) -> Bool {
    guard one.process.host == other.process.host, one.clock != .byHand, other.clock != .byHand
    else { return false }
    // Many machines report no name. Without one, only traces with the same ID share a machine.
    if one.process.host.isEmpty { return one.id == other.id }
    let boots = [one, other].map { Int64(bitPattern: $0.process.started &- $0.anchor.monotonic) }
    return (boots[0] &- boots[1]).magnitude <= mostDrift
  }
}
