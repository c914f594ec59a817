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
    /// The time of the last value, if no end has followed it.
    var openValue: UInt64?
    /// The number of times that each parent was attached to the stream.
    var starts: [UInt32: Int] = [:]
  }

  private(set) var findings: [UInt32: Findings] = [:]
  private(set) var busy = BusyStretches()
  private(set) var range: ClosedRange<UInt64>?
  private(set) var damage: [TraceFileError] = []
  private(set) var passedOver = PassedOver()

  private let lanes: Set<UInt32>
  private let definitions: [UInt32: StreamDefinition]
  private var clock: TickConverter

  /// - Parameters:
  ///   - lanes: the streams that may get a lane.
  ///   - selection: the events to read.
  init<Source: EventSource>(lanes: Set<UInt32>, selection: Selection, in source: Source)
    throws(SelectionError)
  {
    self.lanes = lanes
    definitions = source.definitions.streams
    clock = TickConverter(source.time)
    var query = try EventQuery(
      selection, in: source, columns: [.kinds, .streams, .subscriptions, .payloads])
    query.run { page in
      page.forEach { look(at: $0, $1) }
      return true
    }
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

  /// Returns whether a stream is drawn run by run: it ended or was started more than once.
  func hasRuns(_ stream: StreamDefinition) -> Bool {
    guard let found = findings[stream.id] else { return false }
    if found.ends > 1 { return true }
    if stream.parents.isEmpty { return found.hasRunIDs }
    return stream.parents.contains { parent in
      found.starts[parent, default: 0] > stream.parents.count { $0 == parent }
    }
  }

  private mutating func look(at batch: EventBatch, _ index: Int) {
    let stream = batch.columns.streams[index]
    switch RecordKind(rawValue: batch.columns.kinds[index]) {
    case .value, .failed, .completed, .interrupted:
      guard lanes.contains(stream) else { return }
      note(batch, index, stream, time: noteTime(batch.columns.ticks[index]))
    case .subscribed:
      let fed = UInt32(truncatingIfNeeded: batch.columns.words[index])
      guard fed != 0 else { return }
      if lanes.contains(fed), definitions[fed]?.parents.contains(stream) == true {
        findings[fed, default: Findings()].starts[stream, default: 0] += 1
      }
      if lanes.contains(fed) || lanes.contains(stream) { _ = noteTime(batch.columns.ticks[index]) }
    default: return
    }
  }

  private mutating func noteTime(_ ticks: UInt64) -> UInt64 {
    let time = UInt64(max(clock.nanoseconds(sinceStart: ticks), 0))
    busy.add(time)
    range = min(range?.lowerBound ?? time, time)...max(range?.upperBound ?? time, time)
    return time
  }

  private mutating func note(
    _ batch: EventBatch, _ index: Int, _ stream: UInt32, time: UInt64
  ) {
    var found = findings[stream, default: Findings()]
    let isEnd = batch.columns.kinds[index] != RecordKind.value.rawValue
    found.events += 1
    if isEnd { found.ends += 1 }
    found.openValue = isEnd ? nil : time
    if batch.columns.subscriptions[index] != 0 { found.hasRunIDs = true }
    findings[stream] = found
  }

  /// Returns the number of columns to leave free at the right for the text of the last value.
  func trailingColumns(of columns: Int) -> Int {
    guard let range, let last = findings.values.compactMap(\.openValue).max() else { return 0 }
    let free = 4
    let width = (range.upperBound - range.lowerBound) / UInt64(max(columns, 1))
    return range.upperBound - last <= width * UInt64(free) ? free : 0
  }
}
