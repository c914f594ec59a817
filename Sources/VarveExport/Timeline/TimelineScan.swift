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
  }

  private var findings: [Findings] = []
  private(set) var busy = BusyStretches()
  private(set) var range: ClosedRange<UInt64>?
  private(set) var damage: [TraceFileError] = []
  private(set) var passedOver = PassedOver()

  private var slots = StreamSlots()
  private let definitions: [UInt32: StreamDefinition]
  private var clock: TickConverter
  /// The first and the last tick of an event.
  private var ticks: (first: UInt64, last: UInt64) = (.max, 0)
  /// The tick that was noted last, and how far after it the busy stretch goes on for sure.
  private var busyTick: UInt64 = .max
  private var reach = TickReach()

  /// - Parameters:
  ///   - lanes: the streams that may get a lane.
  ///   - selection: the events to read.
  init<Source: EventSource>(lanes: Set<UInt32>, selection: Selection, in source: Source)
    throws(SelectionError)
  {
    for (slot, lane) in lanes.enumerated() { slots.add(lane, slot: slot) }
    findings = Array(repeating: Findings(), count: lanes.count)
    definitions = source.definitions.streams
    clock = TickConverter(source.time)
    var query = try EventQuery(
      selection, in: source, columns: [.kinds, .streams, .subscriptions, .payloads],
      payloadsOf: KindSelection([.subscribed]))
    query.run { page in
      page.forEachRun { entries, columns, _ in look(at: entries, columns) }
      return true
    }
    finish()
    damage = query.damage
    include(damage, query.filter.ticks, in: source)
    passedOver = query.passedOver
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

  /// Makes room on the axis for what happens on other lanes.
  mutating func include(_ stretches: [ClosedRange<UInt64>], _ other: ClosedRange<UInt64>?) {
    guard let other else { return }
    for stretch in stretches { busy.include(stretch) }
    let known = range ?? other
    range =
      min(known.lowerBound, other.lowerBound)...max(known.upperBound, other.upperBound)
  }

  /// Returns what was found about a stream; nil when it may not get a lane.
  subscript(stream: UInt32) -> Findings? { slots.find(stream).map { findings[$0] } }

  /// Returns whether a stream is drawn run by run: it ended or was started more than once.
  func hasRuns(_ stream: StreamDefinition) -> Bool {
    guard let found = self[stream.id] else { return false }
    if found.ends > 1 { return true }
    if stream.parents.isEmpty { return found.hasRunIDs }
    return stream.parents.contains { parent in
      found.starts[parent, default: 0] > stream.parents.count { $0 == parent }
    }
  }

  /// Looks at events; not inlined, so that what they change stays in registers.
  @inline(never)
  private mutating func look(
    at entries: UnsafeBufferPointer<EventPage.Entry>, _ columns: ColumnPointers
  ) {
    for entry in entries {
      let index = Int(entry.index)
      let stream = columns.streams[index]
      switch RecordKind(rawValue: columns.kinds[index]) {
      case .value:
        guard let slot = slots.find(stream) else { continue }
        note(columns.ticks[index])
        findings[slot].events += 1
        findings[slot].openValue = columns.ticks[index]
        if columns.subscriptions[index] != 0 { findings[slot].hasRunIDs = true }
      case .failed, .completed, .interrupted:
        guard let slot = slots.find(stream) else { continue }
        note(columns.ticks[index])
        findings[slot].events += 1
        findings[slot].ends += 1
        findings[slot].openValue = nil
        if columns.subscriptions[index] != 0 { findings[slot].hasRunIDs = true }
      case .subscribed: noteStart(of: stream, columns, index)
      default: continue
      }
    }
  }

  private mutating func noteStart(of stream: UInt32, _ columns: ColumnPointers, _ index: Int) {
    let fed = UInt32(truncatingIfNeeded: columns.words[index])
    guard fed != 0 else { return }
    let slot = slots.find(fed)
    if let slot, definitions[fed]?.parents.contains(stream) == true {
      findings[slot].starts[stream, default: 0] += 1
    }
    if slot != nil || slots.find(stream) != nil { note(columns.ticks[index]) }
  }

  /// Notes the time of an event. Most events follow another so soon that nothing has to be computed.
  @inline(__always)
  private mutating func note(_ tick: UInt64) {
    if tick >= busyTick, tick <= reach.end, tick - busyTick <= reach.ticks {
      busyTick = tick
    } else {
      noteApart(tick)
    }
  }

  @inline(never)
  private mutating func noteApart(_ tick: UInt64) {
    extendBusy()
    busy.add(time(tick))
    ticks = (min(ticks.first, tick), max(ticks.last, tick))
    busyTick = tick
    reach = clock.reach(from: tick, within: busy.grain)
  }

  /// Extends the last busy stretch to the tick that was noted last.
  private mutating func extendBusy() {
    guard ticks.first != .max else { return }
    busy.extend(to: time(busyTick))
    ticks.last = max(ticks.last, busyTick)
  }

  private mutating func time(_ tick: UInt64) -> UInt64 {
    UInt64(max(clock.nanoseconds(sinceStart: tick), 0))
  }

  private mutating func finish() {
    guard ticks.first != .max else { return }
    extendBusy()
    range = time(ticks.first)...time(ticks.last)
  }

  /// Returns the number of columns to leave free at the right for the text of the last value.
  func trailingColumns(of columns: Int) -> Int {
    guard let range, let tick = findings.compactMap(\.openValue).max() else { return 0 }
    var clock = clock
    let last = UInt64(max(clock.nanoseconds(sinceStart: tick), 0))
    let free = 4
    let width = (range.upperBound - range.lowerBound) / UInt64(max(columns, 1))
    return range.upperBound - last <= width * UInt64(free) ? free : 0
  }
}
