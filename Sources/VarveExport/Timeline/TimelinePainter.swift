internal import VarveAnalysis
internal import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// Puts events onto their lanes.
struct TimelinePainter {
  private var stories: [LaneStory] = []
  private var slots: [UInt32: Int] = [:]
  /// Whose run an edge feeds.
  private var fedStory: [UInt64: Int] = [:]
  /// Whose run an edge observes.
  private var observedStory: [UInt64: Int] = [:]
  private var failures: [Timeline.Note] = []
  private var mostEdges = HighWater()
  private var memory: WalkMemory
  /// Edges that could not be remembered until their ends.
  private(set) var passedOver = PassedOver()

  /// What it takes to remember an edge, with its place in a table that grows.
  private static let edgeBytes = 64

  private let definitions: [UInt32: StreamDefinition]
  private let axis: TimeAxis
  private let ascii: Bool
  private var clock: TickConverter

  private static let deepest = 6
  private static let mostFailures = 8

  init(
    _ flow: StreamFlow, of source: some EventSource, axis: TimeAxis, columns: Int, ascii: Bool,
    hasRuns: (StreamDefinition) -> Bool
  ) {
    definitions = source.definitions.streams
    memory = WalkMemory(source)
    self.axis = axis
    self.ascii = ascii
    clock = TickConverter(source.time)
    for node in flow.nodes {
      guard let stream = definitions[node.stream] else { continue }
      slots[node.stream] = stories.count
      var story = LaneStory(
        name: TerminalText.escaped(stream.name), depth: min(node.depth, Self.deepest),
        columns: columns, hasRuns: hasRuns(stream))
      story.live(from: stream.born == 0 ? 0 : axis.column(self.time(stream.born)))
      stories.append(story)
    }
  }

  /// Runs through the events.
  mutating func paint<Source: EventSource>(_ selection: Selection, from source: Source)
    throws(SelectionError)
  {
    var query = try EventQuery(
      selection, in: source, columns: [.kinds, .streams, .subscriptions, .payloads])
    query.run { page in
      page.withPointers { entries, blocks in
        for entry in entries { paint(blocks[Int(entry.batch)], Int(entry.index)) }
      }
      return true
    }
  }

  /// The lanes from top to bottom, and what failed on them.
  mutating func finish() -> ([Lane], [Timeline.Note]) {
    var lanes: [Lane] = []
    var firstLane: [Int: Int] = [:]
    for index in stories.indices {
      stories[index].close()
      passedOver.observations += stories[index].strayEvents
      firstLane[index] = lanes.count
      lanes += stories[index].tracks
    }
    for index in failures.indices { failures[index].lane = firstLane[failures[index].lane] ?? 0 }
    return (lanes, failures)
  }

  private mutating func paint(_ columns: ColumnPointers, _ index: Int) {
    guard let kind = RecordKind(rawValue: columns.kinds[index]) else { return }
    let stream = columns.streams[index]
    let run = columns.subscriptions[index]
    let moment = time(columns.ticks[index])
    let column = axis.column(moment)
    let tag = LaneTag(event: columns.name(index), time: moment)
    switch kind {
    case .value:
      guard let slot = slots[stream] else { return }
      stories[slot].value(run: run, at: column, tag: tag, &memory) {
        MarbleText.text(
          payload: columns.payloadKinds[index], word: columns.words[index],
          bytes: columns.text(index), ascii: ascii)
      }
    case .completed: end(.completed, stream, run, column, tag)
    case .interrupted: end(.interrupted, stream, run, column, tag)
    case .failed:
      end(.failed, stream, run, column, tag)
      noteFailure(columns, index, stream, tag)
    case .subscribed:
      subscribed(stream, edge: run, fed: columns.words[index], column)
    case .ended:
      let cancelled = columns.words[index] == UInt64(EndReason.disposed.rawValue)
      for slot in [fedStory.removeValue(forKey: run), observedStory.removeValue(forKey: run)] {
        if let slot { stories[slot].edgeEnded(run, cancelled: cancelled, at: column, tag: tag) }
      }
    case .assembled, .absorbed, .hopScheduled, .hopBegan, .hopEnded, .hopCancelled, .log, .mark,
      .skipped:
      return
    }
  }

  private mutating func time(_ ticks: UInt64) -> UInt64 {
    UInt64(max(clock.nanoseconds(sinceStart: ticks), 0))
  }

  private mutating func end(
    _ ending: LaneEnding, _ stream: UInt32, _ run: UInt64, _ column: Int, _ tag: LaneTag
  ) {
    guard let slot = slots[stream] else { return }
    stories[slot].end(ending, run: run, at: column, tag: tag, &memory)
  }

  /// An edge begins a run of the stream that it feeds, when that has no other source, and of the
  /// stream that it observes, when that is a source itself.
  private mutating func subscribed(_ stream: UInt32, edge: UInt64, fed: UInt64, _ column: Int) {
    let fed = UInt32(truncatingIfNeeded: fed)
    if let slot = slots[fed], definitions[fed]?.parents == [stream], stories[slot].hasRuns {
      if remembersEdge() { fedStory[edge] = slot }
      stories[slot].start(run: edge, at: column, &memory)
    }
    if let slot = slots[stream], definitions[stream]?.parents.isEmpty == true,
      stories[slot].hasRuns
    {
      let isDrawn = stories[slot].start(unnamedBy: edge, at: column)
      if isDrawn, remembersEdge() { observedStory[edge] = slot }
    }
  }

  /// Whether there is memory for one edge more.
  private mutating func remembersEdge() -> Bool {
    let count = fedStory.count + observedStory.count + 1
    let isRemembered = mostEdges.rise(to: count, each: Self.edgeBytes, &memory)
    if !isRemembered { passedOver.observations += 1 }
    return isRemembered
  }

  private mutating func noteFailure(
    _ columns: ColumnPointers, _ index: Int, _ stream: UInt32, _ tag: LaneTag
  ) {
    guard let slot = slots[stream], failures.count < Self.mostFailures else { return }
    let text = MarbleText.text(
      payload: columns.payloadKinds[index], word: columns.words[index], bytes: columns.text(index),
      ascii: ascii)
    failures.append(Timeline.Note(lane: slot, tag: tag, isFailure: true, text: text))
  }
}
