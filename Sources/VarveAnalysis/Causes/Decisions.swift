public import VarveFormat
internal import VarveProbe

/// The steps on the way to an event that are most worth reading, the most telling first.
public struct Decisions {
  /// The decisions.
  public private(set) var all: [Decision] = []
  /// For each value of an inner stream on the way, which of how many it was.
  public private(set) var runs: [EventName: (Int, of: Int)] = [:]

  private let path: CausalPath
  let graph: CausalGraph
  let facts: SilenceFacts
  let lookup: EventLookup
  /// The values of the streams of interest until the event, oldest first.
  private(set) var values: [UInt32: [EventMoment]] = [:]

  /// The maximum number of values kept for each stream.
  private static let mostValues = 4_096
  static let mostEvents = 500

  /// Finds the decisions on a path.
  ///
  /// - Parameters:
  ///   - path: the path to the event.
  ///   - graph: the events on it, and their causes.
  ///   - facts: what is known of the streams.
  ///   - reader: the trace.
  ///   - lookup: finds events.
  ///   - symbols: tells the functions of stacks; without it, decisions that need them are left out.
  public init(
    _ path: CausalPath, _ graph: CausalGraph, in facts: SilenceFacts, _ reader: TraceReader,
    lookup: EventLookup, symbols: Symbolizer? = nil
  ) throws(SelectionError) {
    self.path = path
    self.graph = graph
    self.facts = facts
    self.lookup = lookup
    let line = path.steps.filter { $0.depth == 0 }
    guard let effect = line.first?.event else { return }
    try readValues(line.map(\.event), until: effect, reader)
    for (index, step) in line.enumerated() where !step.event.isHop {
      flattening(step.event)
      joining(step.event, index: index)
      merging(step.event, over: line[(index + 1)...].map(\.event))
      gathering(step.event, over: line[(index + 1)...].map(\.event))
      gatheringAll(step.event)
      turning(step.event)
      levelling(step.event)
      waitingForEnd(step.event)
      gatheringTwice(step.event, over: line[(index + 1)...].map(\.event))
      thinning(step.event, before: line[..<index].map(\.event))
      restarting(step.event, index: index)
      if index > 0 { replacing(step.event, by: line[..<index].map(\.event)) }
    }
    // Which inner stream a value is of has to be known.
    for (index, step) in line.enumerated() where !step.event.isHop {
      standingInOnce(step.event, over: line[(index + 1)...].map(\.event))
    }
    for step in path.steps where step.depth > 0 { holdingBack(step.event, until: effect) }
    try overtaking(effect, line, reader, symbols)
    comparingAbove(effect, line.dropFirst().map(\.event))
    replayingFailures(line.map(\.event))
    changingTwice(effect)
    try replayingAgain(effect, line.map(\.event), reader)
    try readingInClosures(effect, line.map(\.event), reader)
    try joiningEarly(effect, line.map(\.event), reader)
    try feedingBack(line, reader)
    if let symbols {
      try capturing(effect, line.map(\.event), reader, symbols)
      unsharing(line.map(\.event), reader, symbols)
    }
    for step in line where step.event.runTask != nil { add(.taskRun, step.event, 28) }
    for (index, step) in line.enumerated()
    where step.event.kind == .hopBegan && step.event.runTask == nil && index > 0 {
      let after = line[index - 1].event
      // What only moves values, or keeps each of them for a while, changes nothing about them.
      let isPlain = facts.is(after.stream, [.hops, .holds]) && !facts.is(after.stream, .replaces)
      add(.hop, after, isPlain ? 24 : 28)
      startingElsewhere(step.event, before: line[..<index].map(\.event))
      undoingHop(step.event, after, before: line[..<(index - 1)].map(\.event))
    }
    if lookup.observer(of: effect.name) != nil { add(.observed, effect, 90) }
    if let first = line.last(where: { !$0.wasShown })?.event { add(.sent, first, 4) }
    all = all.enumerated().sorted {
      (-$0.element.weight, $0.offset) < (-$1.element.weight, $1.offset)
    }.map(\.element)
  }

  mutating func add(
    _ kind: Decision.Kind, _ event: TraceEvent, of stream: UInt32? = nil, _ weight: Int
  ) {
    all.append(Decision(event: event, stream: stream ?? event.stream, kind: kind, weight: weight))
  }

  private mutating func readValues(
    _ line: [TraceEvent], until effect: TraceEvent, _ reader: TraceReader
  ) throws(SelectionError) {
    var streams: Set<UInt32> = [effect.stream]
    for event in line where !event.isHop {
      if facts.is(event.stream, .makesStreams) || facts.is(event.stream, .joins)
        || facts.is(event.stream, .gathers) || comparesWithLast(event.stream) || mayLevel(event)
        || leads(event.stream)
      {
        streams.insert(event.stream)
        streams.formUnion(
          facts.inputs(of: event.stream).filter { $0.position != nil }.map(\.stream))
      }
    }
    for step in path.steps where step.depth > 0 && pairs(step.event) {
      streams.formUnion(facts.inputs(of: step.event.stream).map(\.stream))
    }
    var selection = Selection()
    selection.streams = streams
    selection.kinds = KindSelection([.value])
    var query = try EventQuery(selection, in: reader, columns: [.ticks, .streams])
    query.run { page in
      page.forEach { batch, index in
        let moment = EventMoment(name: batch.columns.name(index), ticks: batch.columns.ticks[index])
        guard moment.ticks <= effect.ticks else { return }
        values[batch.columns.streams[index], default: []].append(moment)
      }
      for (stream, moments) in values where moments.count > Self.mostValues * 2 {
        values[stream]?.removeFirst(moments.count - Self.mostValues)
      }
      return true
    }
  }

  // MARK: - Inner streams

  private mutating func flattening(_ event: TraceEvent) {
    guard event.kind == .value, facts.is(event.stream, .makesStreams) else { return }
    let outers = facts.inputs(of: event.stream).filter { $0.position != nil }.map(\.stream)
    let requests = graph.events.values.filter {
      $0.kind == .value && outers.contains($0.stream) && $0.isBefore(event)
    }
    var request = requests.max { $0.isBefore($1) }
    if request == nil { request = self.request(for: event, from: outers) }
    guard let request, let all = values[request.stream] else { return }
    let begun = all.filter { $0.ticks <= event.ticks }
    guard let index = begun.firstIndex(where: { $0.name == request.name }) else { return }
    runs[event.name] = (index + 1, of: begun.count)
    let isNewest = index + 1 == begun.count
    if !isNewest, facts.is(event.stream, .holds), !facts.is(event.stream, .runsSideBySide) {
      return add(.firstInLine(index + 1, of: begun.count), event, 70)
    }
    let isOld = !isNewest && facts.is(event.stream, .runsSideBySide)
    // Where only one stream was ever begun, the operator had nothing to decide.
    add(.run(index + 1, of: begun.count), event, isOld ? 84 : begun.count > 1 ? 34 : 8)
  }

  /// Returns the value because of which the inner stream that sent an event was begun: what sends into
  /// that may come from where the trace knows nothing, such as a callback.
  private func request(
    for event: TraceEvent, from outers: [UInt32]
  ) -> TraceEvent? {
    let inner = facts.inputs(of: event.stream).filter { $0.position == nil }.map(\.stream)
    let began = lookup.beginning(of: event.subscription, among: Set(inner))
    let cause = began?.causes.first.flatMap { lookup[$0] }
    return cause.flatMap { $0.kind == .value && outers.contains($0.stream) ? $0 : nil }
  }

  /// A value that an operator gathered with those of inner streams that newer ones had replaced.
  private mutating func gathering(_ event: TraceEvent, over earlier: [TraceEvent]) {
    guard event.kind == .value, facts.is(event.stream, .gathers),
      let flattening = earlier.first(where: {
        $0.kind == .value && facts.is($0.stream, .makesStreams)
      }),
      facts.is(flattening.stream, .replaces),
      let first = values[event.stream]?.first(where: {
        lookup[$0.name]?.subscription == event.subscription
      })
    else { return }
    let begun = lookup[first.name]?.causes.first.flatMap { lookup[$0]?.ticks } ?? first.ticks
    // The values of each inner stream have a subscription of their own.
    let old = values[flattening.stream]?.filter { moment in
      moment.ticks >= begun && moment.ticks < flattening.ticks
        && lookup[moment.name]?.subscription != flattening.subscription
    }
    guard let old, let last = old.last else { return }
    add(.gathered(last.name, earlier: old.count), event, 74)
  }

  /// A value that an operator made of all that it received: what is wrong with it may be what the
  /// operator keeps.
  private mutating func gatheringAll(_ event: TraceEvent) {
    guard event.kind == .value, facts.is(event.stream, .gathers),
      let before = values[event.stream]?.filter({
        $0.ticks <= event.ticks && lookup[$0.name]?.subscription == event.subscription
      }), before.count > 1
    else { return }
    add(.gatheredOf(before.count, since: before[0].name), event, 30)
  }

  /// A value that an operator made of one of its input.
  private mutating func turning(_ event: TraceEvent) {
    guard event.kind == .value, let cause = event.causes.first.flatMap({ lookup[$0] }),
      cause.kind == .value, event.causes.count == 1, cause.payload != event.payload,
      facts.definition(event.stream)?.parents == [cause.stream],
      let traits = facts.definition(event.stream)?.traits,
      traits.isDisjoint(with: [.makesStreams, .joins, .gathers, .holds])
    else { return }
    add(.turned(cause.name), event, 26)
  }

  /// A value of an operator that adds up what an operator above it has added up.
  private mutating func gatheringTwice(_ event: TraceEvent, over earlier: [TraceEvent]) {
    guard event.kind == .value, facts.is(event.stream, .gathers),
      let other = earlier.first(where: { $0.kind == .value && facts.is($0.stream, .gathers) }),
      other.stream != event.stream,
      !earlier.prefix(while: { $0.name != other.name }).contains(where: \.isHop)
    else { return }
    add(.gatheredTwice(other.name), event, 32)
  }

  /// A value of an operator that drops what comes too quickly, of which a later one gathers the rest:
  /// a sum, for example, that lacks what was dropped.
  private mutating func thinning(_ event: TraceEvent, before later: [TraceEvent]) {
    guard event.kind == .value, facts.definition(event.stream)?.absorbs == .superseded,
      !facts.is(event.stream, .makesStreams),
      later.contains(where: { $0.kind == .value && facts.is($0.stream, .gathers) })
    else { return }
    let received = facts.inputs(of: event.stream).reduce(UInt64(0)) {
      $0 + facts.delivered(from: $1.stream, to: event.stream)
    }
    let delivered = facts.values(of: event.stream)
    guard received > delivered + 1 else { return }
    add(.thinned(dropped: received - delivered, of: received), event, 70)
  }

  /// Returns the first event on the main line to an event.
  func firstCause(of name: EventName) -> EventName? {
    guard let graph = CausalGraph(of: name, in: lookup, most: Self.mostEvents) else { return nil }
    let step = CausalPath(graph).steps.last { $0.depth == 0 && !$0.wasShown }
    return step.map { ($0.scheduled ?? $0.event).name }
  }

  // MARK: - Restarts

  /// The failure that made an operator start its input again: all that the input did before, it
  /// did twice.
  private mutating func restarting(_ event: TraceEvent, index: Int) {
    guard index > 0, event.kind == .failed,
      let restarting = facts.restarting(event.stream)
    else { return }
    add(.restarted(after: event.name), event, of: restarting, 62)
  }

  /// A failure that led to a value: some operator above chose what to deliver instead.
  private mutating func replacing(_ failure: TraceEvent, by later: [TraceEvent]) {
    guard failure.kind == .failed, let next = later.last, next.kind == .value,
      let value = later.last(where: { value in
        facts.is(value.stream, .handlesFailure)
          && facts.inputs(of: value.stream).contains { $0.stream == failure.stream }
      })
    else { return }
    add(.replaced(failure.name), value, 80)
  }
}
