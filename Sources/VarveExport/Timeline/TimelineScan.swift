internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The first pass over the events of a trace: which streams deserve a lane, and when events occur.
struct TimelineScan {
  /// The facts about one stream.
  struct Findings {
    var events = 0
    var ends = 0
    var hasRunIDs = false
    /// The tick of the last value, if no end has followed it.
    var openValue: UInt64?
    /// The number of times that each parent was attached to the stream.
    var starts: [UInt32: Int] = [:]

    init(_ tallies: [ScanPart.Tally]) {
      let ends = tallies.compactMap(\.lastEnd).max()
      for tally in tallies {
        events += tally.values + tally.ends
        self.ends += tally.ends
        hasRunIDs = hasRunIDs || tally.runs != 0
      }
      guard let value = tallies.compactMap(\.lastValue).max() else { return }
      openValue = ends.map { $0 > value } ?? false ? nil : value.tick
    }
  }

  private var findings: [Findings] = []
  private(set) var busy = BusyStretches()
  private(set) var range: ClosedRange<UInt64>?
  private(set) var damage: [TraceFileError] = []
  private(set) var passedOver = PassedOver()

  private let lanes: ScannedLanes
  private var clock: TickConverter

  /// Looks at all events.
  ///
  /// - Parameters:
  ///   - lanes: the streams that may get a lane.
  ///   - selection: the events to read.
  init<Source: EventSource>(lanes: Set<UInt32>, selection: Selection, in source: Source)
    throws(SelectionError)
  {
    var sweep = try Self.sweep(selection, in: source)
    let scanned = ScannedLanes(
      lanes, watched: selection.streams ?? [], source.definitions.streams)
    let parts = try sweep.run({ ScanPart(scanned, source.time) }) { $0.look(at: $1, $2) }
    self.init(parts, scanned, source.time)
    damage = sweep.damage
    include(damage, sweep.filter.ticks, in: source)
    passedOver = sweep.passedOver
  }

  /// Prepares to look at the events.
  static func sweep<Source: EventSource>(
    _ selection: Selection, in source: Source
  ) throws(SelectionError) -> EventSweep<Source> {
    try EventSweep(
      selection, in: source, columns: [.ticks, .kinds, .streams, .subscriptions],
      wordsOf: KindSelection([.subscribed]), ignoresStreams: true)
  }

  /// Joins what threads have found.
  init(_ parts: [ScanPart], _ lanes: ScannedLanes, _ time: TraceTime) {
    self.lanes = lanes
    clock = TickConverter(time)
    findings = (0..<lanes.count).map { slot in Findings(parts.map { $0.tallies[slot] }) }
    for part in parts {
      for (edge, count) in part.starts {
        guard let slot = lanes.slots.find(edge.to) else { continue }
        findings[slot].starts[edge.from, default: 0] += count
      }
      busy.add(part.times.stretches)
      guard let times = part.times.range else { continue }
      let known = range ?? times
      range =
        min(known.lowerBound, times.lowerBound)...max(known.upperBound, times.upperBound)
    }
  }

  /// Makes room on the axis for blocks that cannot be read, so that what is missing is seen.
  private mutating func include(
    _ damage: [TraceFileError], _ wanted: ClosedRange<UInt64>?, in source: some EventSource
  ) {
    guard var range, let wanted else { return }
    for block in damage.compactMap(\.block) {
      let ticks = source.blocks[block].ticks.clamped(to: wanted)
      let first = UInt64(max(clock.nanoseconds(sinceStart: ticks.lowerBound), 0))
      let last = max(UInt64(max(clock.nanoseconds(sinceStart: ticks.upperBound), 0)), first)
      range = min(range.lowerBound, first)...max(range.upperBound, last)
      busy.include(first...last)
    }
    self.range = range
  }

  /// Forgets when nothing happened.
  mutating func forgetGaps() { busy = BusyStretches() }

  /// Makes room on the axis for what happens on other lanes.
  mutating func include(_ stretches: [ClosedRange<UInt64>], _ other: ClosedRange<UInt64>?) {
    guard let other else { return }
    for stretch in stretches { busy.include(stretch) }
    let known = range ?? other
    range =
      min(known.lowerBound, other.lowerBound)...max(known.upperBound, other.upperBound)
  }

  /// Returns what was found about a stream; nil when it may not get a lane.
  subscript(stream: UInt32) -> Findings? { lanes.slots.find(stream).map { findings[$0] } }

  /// Returns whether a stream is drawn run by run: it ended or was started more than once.
  func hasRuns(_ stream: StreamDefinition) -> Bool {
    guard let found = self[stream.id] else { return false }
    if found.ends > 1 { return true }
    if stream.parents.isEmpty { return found.hasRunIDs }
    return stream.parents.contains { parent in
      found.starts[parent, default: 0] > stream.parents.count { $0 == parent }
    }
  }

  /// The tick of the last value that no end of its stream has followed.
  var lastOpen: UInt64? { findings.compactMap(\.openValue).max() }

  /// Returns the number of columns to leave free at the right for the text of the last value.
  func trailingColumns(of columns: Int) -> Int {
    guard let range, let tick = lastOpen else { return 0 }
    var clock = clock
    let last = UInt64(max(clock.nanoseconds(sinceStart: tick), 0))
    let free = 4
    let width = (range.upperBound - range.lowerBound) / UInt64(max(columns, 1))
    return range.upperBound - last <= width * UInt64(free) ? free : 0
  }
}
