internal import VarveAnalysis
internal import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// Draws events onto their lanes.
struct TimelinePainter {
  private var streams: [StreamLanes] = []
  private var ids: [UInt32] = []
  /// The recording of each stream, in a trace of several.
  private(set) var recordings: [UInt32: UInt32] = [:]
  private var slots = StreamSlots()
  /// The values of each stream that were counted and not yet drawn.
  private var counted: [CountedValues] = []
  private var borders: ColumnBorders
  /// The stream of each run that a subscription feeds, as an index into `streams`.
  private var streamOfRun: WalkTable<UInt64, Int>
  private var failures: [Timeline.Note] = []
  private var hops: LaneHops
  /// Whether hops are not drawn because there are too many events.
  private(set) var leavesOutHops = false
  /// The maximum number of events of which hops are drawn.
  private let mostWithHops: UInt64
  /// Whether nothing is missing from the trace.
  private let isComplete: Bool
  private let walk: TraceWalk
  /// The subscriptions and runs that could not be remembered until their ends.
  var passedOver: PassedOver { walk.passedOver }

  /// Values of a run in a column after the first, which is drawn at once.
  private struct CountedValues {
    var run: UInt64 = 0
    var track = 0
    /// The first and the last tick of the column; no tick lies between them if nothing is counted.
    var from: UInt64 = 1
    var to: UInt64 = 0
    var column = 0
    var count = 0
    /// The last of them.
    var last = EventName(ring: 0, sequence: 0)
    var lastTick: UInt64 = 0

    /// Counts more, of which one is the last.
    mutating func add(_ more: Int, _ event: EventName, at tick: UInt64) {
      // Values that stand for later ones come before those of other threads in between.
      if (tick, event.ring, event.sequence) >= (lastTick, last.ring, last.sequence) {
        (last, lastTick) = (event, tick)
      }
      count += more
    }
  }

  /// What draws runs of a stream: its only parent, which feeds it, or that it is a source. Other
  /// streams that feed it, such as those that are flattened or joined, are known to end.
  private struct Observed {
    var parent: UInt32?
    var isSource = false
    var feeders: Set<UInt32> = []
  }

  /// The memory that a subscription takes in a growing table, in bytes.
  private static let edgeBytes = 64

  private var observed: [Observed] = []
  private let axis: TimeAxis
  /// The column of the last event that was looked up, and its ticks: most events follow one in theirs.
  private var here: (column: Int, ticks: ClosedRange<UInt64>)
  private let texts: ValueTexts
  private var clock: TickConverter

  private static let deepest = 6
  private static let mostFailures = 8

  init(
    _ flow: StreamFlow, fedBy feeds: Set<StreamEdge>, of source: some EventSource, axis: TimeAxis,
    columns: Int, ascii: Bool, mostWithHops: UInt64, isComplete: Bool,
    hasRuns: (StreamDefinition) -> Bool
  ) {
    self.isComplete = isComplete
    self.mostWithHops = mostWithHops
    let definitions = source.definitions.streams
    walk = TraceWalk(source)
    streamOfRun = WalkTable(walk, bytes: Self.edgeBytes, of: .observations)
    hops = LaneHops(flow, walk)
    self.axis = axis
    borders = ColumnBorders(axis, source.time)
    let first = borders.ticks(around: 0)
    var clock = TickConverter(source.time)
    here = (axis.column(UInt64(max(clock.nanoseconds(sinceStart: 0), 0))), first)
    self.clock = clock
    texts = ValueTexts(source, ascii: ascii)
    let inner = Dictionary(grouping: feeds, by: \.to)
    for node in flow.nodes {
      guard let stream = definitions[node.stream] else { continue }
      slots.add(node.stream, slot: streams.count)
      ids.append(node.stream)
      var lanes = StreamLanes(
        name: TerminalText.name(stream.name, ascii: ascii), depth: min(node.depth, Self.deepest),
        columns: columns, hasRuns: hasRuns(stream), walk)
      lanes.live(from: stream.born == 0 ? 0 : axis.column(self.time(stream.born)))
      streams.append(lanes)
      let parents = stream.parents
      let parent = parents.count == 1 ? parents[0] : nil
      var feeders = Set(parents).union(inner[stream.id]?.map(\.from) ?? [])
      if let parent { feeders.remove(parent) }
      observed.append(Observed(parent: parent, isSource: parents.isEmpty, feeders: feeders))
    }
    counted = Array(repeating: CountedValues(), count: streams.count)
  }

  /// The streams whose observations end runs of those that are drawn.
  var feeders: Set<UInt32> {
    streams.indices.reduce(into: []) { feeders, slot in
      if streams[slot].hasRuns { feeders.formUnion(observed[slot].feeders) }
    }
  }

  /// Draws the selected events.
  ///
  /// - Parameter expectation: what is expected of the events; drawing stops where it does not hold.
  /// - Returns: whether it holds, so that the lanes are those that all events lead to.
  mutating func paint<Source: EventSource>(
    _ selection: Selection, from source: Source, expectation: TimelineExpectation? = nil
  ) throws(SelectionError) -> Bool {
    var selection = selection
    // The first or last events are those of streams. What a hop brings is known only in the order of
    // all events; of very many, the values of a block are drawn at once, and no hop could be told
    // from the next.
    let isAPart = selection.head != nil || selection.tail != nil
    let isWhole = selection.since == nil && selection.ticks == nil && selection.kinds.isAll
    for slot in streams.indices {
      streams[slot].seesBeginnings = isComplete && isWhole && !isAPart
    }
    let events = try Self.events(of: selection, in: source)
    leavesOutHops = !isAPart && events > mostWithHops
    selection.keepsHops = !isAPart && !leavesOutHops
    let painted = PaintedEvents(
      slots, ids: ids, observations: observations, borders: borders, expectation: expectation)
    var query = try EventQuery(
      selection, in: source, columns: [.kinds, .streams, .subscriptions, .words],
      payloadsOf: KindSelection([.subscribed, .ended]),
      thin: selection.keepsHops ? nil : { painted.select(from: $0, isWhole: $1) })
    if expectation != nil, !query.isThinned { return false }
    query.run { page in
      page.forEachRun { entries, columns in paint(entries, columns) }
      return expectation?.holds ?? true
    }
    guard let expectation else { return true }
    return expectation.holds && query.damage.isEmpty
  }

  /// Returns the number of events in the blocks that a selection's time touches.
  private static func events(
    of selection: Selection, in source: some EventSource
  ) throws(SelectionError) -> UInt64 {
    guard let wanted = try EventFilter(selection, in: source).ticks else { return 0 }
    return source.blocks.reduce(0) { $0 + ($1.ticks.overlaps(wanted) ? UInt64($1.count) : 0) }
  }

  /// The streams whose observations begin and end runs, with the slots of these.
  private var observations: [UInt32: [Int]] {
    var found: [UInt32: [Int]] = [:]
    for slot in streams.indices where streams[slot].hasRuns {
      if let parent = observed[slot].parent { found[parent, default: []].append(slot) }
      if observed[slot].isSource { found[ids[slot], default: []].append(slot) }
      for feeder in observed[slot].feeders { found[feeder, default: []].append(slot) }
    }
    return found
  }

  /// Returns the lanes from top to bottom, their streams, their failures, and the hops that led to
  /// them.
  mutating func finish() -> ([Lane], [UInt32], [Timeline.Note], [Timeline.Hops]) {
    var lanes: [Lane] = []
    var laneStreams: [UInt32] = []
    var firstLane: [Int: Int] = [:]
    for index in streams.indices {
      draw(index)
      streams[index].close()
      firstLane[index] = lanes.count
      lanes += streams[index].tracks
      laneStreams += streams[index].tracks.map { _ in ids[index] }
    }
    for index in failures.indices { failures[index].lane = firstLane[failures[index].lane] ?? 0 }
    return (lanes, laneStreams, failures, ways(firstLane))
  }

  /// Returns the hops by stream, those that were most often taken first.
  private func ways(_ firstLane: [Int: Int]) -> [Timeline.Hops] {
    let ways = hops.tallies.sorted {
      ($0.key.stream, $1.value.count, $0.value.tag.time, $0.key.to)
        < ($1.key.stream, $0.value.count, $1.value.tag.time, $1.key.to)
    }
    return ways.map { way, tally in
      Timeline.Hops(
        lane: firstLane[way.stream] ?? 0, from: way.from, to: way.to, count: tally.count,
        longest: tally.longest, tag: tally.tag)
    }
  }

  /// Draws events; not inlined, so that what they change stays in registers.
  @inline(never)
  private mutating func paint(
    _ entries: UnsafeBufferPointer<EventPage.Entry>, _ columns: ColumnPointers
  ) {
    let standsForOthers = !columns.others.isEmpty
    var isMoved = !leavesOutHops && hops.isMoved(on: columns.ring)
    for entry in entries {
      let index = Int(entry.index)
      guard columns.kinds[index] == RecordKind.value.rawValue else {
        paint(columns, index)
        if !leavesOutHops { isMoved = hops.isMoved(on: columns.ring) }
        continue
      }
      guard let slot = slots.find(columns.streams[index]) else { continue }
      let others = standsForOthers ? Int(columns.others[index]) : 0
      let last = others > 0 ? Int(columns.lastOthers[index]) : index
      let tick = columns.ticks[index]
      if counted[slot].run == columns.subscriptions[index], tick >= counted[slot].from,
        tick <= counted[slot].to
      {
        counted[slot].add(1 + others, columns.name(last), at: columns.ticks[last])
      } else {
        paintFirst(columns, index, slot, others: others, last: last)
      }
      if isMoved { noteHop(columns, index, slot) }
    }
  }

  /// Draws a value. Those that follow it in its column are only counted.
  private mutating func paintFirst(
    _ columns: ColumnPointers, _ index: Int, _ slot: Int, others: Int, last: Int
  ) {
    draw(slot)
    note(columns.ring, of: slot)
    let tick = columns.ticks[index]
    let column = column(of: tick)
    let run = columns.subscriptions[index]
    let name = columns.name(index)
    let tag = LaneTag(event: name, time: time(tick))
    let texts = texts
    let track = streams[slot].value(run: run, at: column, tag: tag) {
      // With others in its column, it has no room for its text.
      others > 0 ? "" : texts.text(of: name, in: columns.block)
    }
    guard let track else {
      let tag = LaneTag(event: columns.name(last), time: time(columns.ticks[last]))
      for _ in 0..<others { streams[slot].value(run: run, at: column, tag: tag) { "" } }
      return
    }
    counted[slot] = CountedValues(
      run: run, track: track, from: here.ticks.lowerBound, to: here.ticks.upperBound,
      column: column)
    if others > 0 { counted[slot].add(others, columns.name(last), at: columns.ticks[last]) }
  }

  /// Notes which recording a stream is of.
  private mutating func note(_ ring: UInt32, of slot: Int) {
    let recording = EventName.recording(ring)
    if recording != 0 { recordings[ids[slot]] = recording }
  }

  /// Notes that another scheduler was given an event, if it was.
  private mutating func noteHop(_ columns: ColumnPointers, _ index: Int, _ slot: Int) {
    guard let given = hops.deliver(slot, on: columns.ring) else { return }
    let (from, to) = (time(given), time(columns.ticks[index]))
    streams[slot].hop(
      run: columns.subscriptions[index], from: axis.column(from), to: axis.column(to))
    hops.count(
      slot, on: columns.ring, after: to - min(from, to),
      tag: LaneTag(event: columns.name(index), time: to))
  }

  /// Draws the counted values of a stream.
  private mutating func draw(_ slot: Int) {
    guard counted[slot].count > 0 else {
      counted[slot].to = 0
      counted[slot].from = 1
      return
    }
    let values = counted[slot]
    counted[slot] = CountedValues()
    streams[slot].values(
      values.count, on: values.track, at: values.column,
      tag: LaneTag(event: values.last, time: time(values.lastTick)))
  }

  /// Draws an event that is no value.
  private mutating func paint(_ columns: ColumnPointers, _ index: Int) {
    guard let kind = RecordKind(rawValue: columns.kinds[index]) else { return }
    let stream = columns.streams[index]
    let run = columns.subscriptions[index]
    let moment = time(columns.ticks[index])
    let column = column(of: columns.ticks[index])
    let tag = LaneTag(event: columns.name(index), time: moment)
    if !leavesOutHops, kind.isTerminal, let slot = slots.find(stream) {
      noteHop(columns, index, slot)
    }
    switch kind {
    case .completed: end(.completed, stream, run, column, tag)
    case .interrupted: end(.interrupted, stream, run, column, tag)
    case .failed:
      end(.failed, stream, run, column, tag)
      noteFailure(stream, tag, columns.block)
    case .subscribed:
      subscribed(stream, edge: run, fed: columns.words[index], column)
    case .ended:
      let reason = ReasonPayload(word: columns.words[index]).reason
      let cancelled = reason == UInt32(EndReason.disposed.rawValue)
      if let slot = streamOfRun.removeValue(forKey: run) {
        draw(slot)
        streams[slot].edgeEnded(run, cancelled: cancelled, at: column, tag: tag)
      }
      if let slot = slots.find(stream), observed[slot].isSource, streams[slot].hasRuns {
        draw(slot)
        streams[slot].observationEnded(run, cancelled: cancelled, at: column, tag: tag)
      }
    case .hopScheduled: hops.give(run, on: columns.ring, at: columns.ticks[index])
    case .hopBegan: hops.begin(run, of: stream, on: columns.ring)
    case .hopEnded: hops.end(run, on: columns.ring)
    case .hopCancelled: hops.cancel(run)
    case .assembled, .value, .absorbed, .log, .mark, .skipped, .sent, .waitBegan, .waitEnded, .read,
      .taskCreated, .taskCancelled, .taskFailed, .taskFailureRead, .hopSampled,
      .errorThrown:
      return
    }
  }

  private mutating func time(_ ticks: UInt64) -> UInt64 {
    UInt64(max(clock.nanoseconds(sinceStart: ticks), 0))
  }

  /// Returns the column of a tick.
  @inline(__always)
  private mutating func column(of tick: UInt64) -> Int {
    if !here.ticks.contains(tick) { find(tick) }
    return here.column
  }

  @inline(never)
  private mutating func find(_ tick: UInt64) {
    here = (axis.column(time(tick)), borders.ticks(around: tick))
  }

  private mutating func end(
    _ ending: LaneEnding, _ stream: UInt32, _ run: UInt64, _ column: Int, _ tag: LaneTag
  ) {
    guard let slot = slots.find(stream) else { return }
    draw(slot)
    note(tag.ring, of: slot)
    streams[slot].end(ending, run: run, at: column, tag: tag)
  }

  /// Begins a run of the fed stream if that has no other source, and of the observed stream if that
  /// is itself a source.
  private mutating func subscribed(_ stream: UInt32, edge: UInt64, fed: UInt64, _ column: Int) {
    let fed = UInt32(truncatingIfNeeded: fed)
    if let slot = slots.find(fed), observed[slot].parent == stream, streams[slot].hasRuns {
      draw(slot)
      streamOfRun.set(slot, for: edge)
      streams[slot].start(run: edge, at: column)
    } else if let slot = slots.find(fed), observed[slot].feeders.contains(stream),
      streams[slot].hasRuns
    {
      streamOfRun.set(slot, for: edge)
    }
    if let slot = slots.find(stream), observed[slot].isSource, streams[slot].hasRuns {
      draw(slot)
      streams[slot].start(unnamedBy: edge, at: column)
    }
  }

  private mutating func noteFailure(_ stream: UInt32, _ tag: LaneTag, _ block: Int) {
    guard let slot = slots.find(stream), failures.count < Self.mostFailures else { return }
    let text = texts.text(of: tag.event, in: block)
    failures.append(Timeline.Note(lane: slot, tag: tag, isFailure: true, text: text))
  }
}
