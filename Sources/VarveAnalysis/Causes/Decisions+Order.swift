internal import VarveFormat
internal import VarveProbe

/// What came in another order than it was begun in, and where work began.
extension Decisions {
  mutating func overtaking(
    _ effect: TraceEvent, _ line: [CausalPath.Step], _ reader: TraceReader,
    _ symbols: Symbolizer?
  ) throws(SelectionError) {
    guard effect.kind == .value,
      let before = values[effect.stream]?.last(where: { $0.ticks < effect.ticks }),
      let one = firstCause(of: effect.name).flatMap({ lookup[$0] }),
      let other = firstCause(of: before.name).flatMap({ lookup[$0] }), one.isBefore(other)
    else { return }
    // The step that waited longest let the other one pass.
    let waits = line.indices.dropLast().filter { line[$0 + 1].event.isHop || line[$0].event.isHop }
      .filter { !line[$0].event.isHop }
    let longest = waits.max { wait(line, $0) < wait(line, $1) }
    guard let longest else { return }
    add(.overtaken(by: before.name), line[longest].event, 80)
    if let symbols { try runningSideBySide(effect, before, reader, symbols) }
  }

  /// Where what overtook the value belongs to another run that the same code began, that code decided:
  /// it could have ended the first run when it began the second.
  private mutating func runningSideBySide(
    _ effect: TraceEvent, _ before: EventMoment, _ reader: TraceReader, _ symbols: Symbolizer
  ) throws(SelectionError) {
    guard let began = try beginning(of: effect, reader), let other = lookup[before.name],
      let later = try beginning(of: other, reader), began.name != later.name,
      let code = code(of: began, reader, symbols),
      self.code(of: later, reader, symbols) == code
    else { return }
    add(.sideBySide(before.name), began, 82)
  }

  /// Returns the event with which the program's code began the run that an event is of.
  private func beginning(of event: TraceEvent, _ reader: TraceReader) throws(SelectionError)
    -> TraceEvent?
  {
    guard let cause = event.causes.first.flatMap({ lookup[$0] }) else { return nil }
    if cause.isHop { return lookup.start(behind: cause) }
    guard !facts.is(cause.stream, .hot) else { return nil }
    return try observation(of: cause.stream, by: event.stream, reader)
  }

  /// Returns the event with which the program's code began to observe a stream, or bound another one
  /// to it.
  func observation(
    of stream: UInt32, by other: UInt32, _ reader: TraceReader
  ) throws(SelectionError) -> TraceEvent? {
    var selection = Selection()
    selection.streams = [stream]
    selection.kinds = KindSelection([.subscribed])
    var query = try EventQuery(selection, in: reader, columns: [.streams])
    var found: TraceEvent?
    query.run { page in
      page.forEach { batch, index in
        guard found == nil, let event = lookup[batch.columns.name(index)] else { return }
        let payload = SubscriptionPayload(word: event.payload.word)
        if payload.stack != 0, [0, other].contains(payload.stream) { found = event }
      }
      return found == nil
    }
    return found
  }

  /// Returns the line of the program that began an observation.
  private func code(
    of event: TraceEvent, _ reader: TraceReader, _ symbols: Symbolizer
  ) -> OwnFrame? {
    let stack = SubscriptionPayload(word: event.payload.word).stack
    guard let frames = reader.definitions.stacks[stack]?.frames else { return nil }
    symbols.lookUpOwn(frames)
    return symbols.ownFrame(of: frames)
  }

  /// An operator that chooses where work begins says nothing of where its values come.
  mutating func startingElsewhere(_ hop: TraceEvent, before later: [TraceEvent]) {
    let starting = later.first { $0.kind == .value && facts.is($0.stream, .startsElsewhere) }
    guard let starting else { return }
    add(.startedElsewhere(hop: hop.name), starting, 10)
  }

  /// A flattening after a move to a scheduler delivers where its inner streams do.
  mutating func undoingHop(_ hop: TraceEvent, _ moved: TraceEvent, before later: [TraceEvent]) {
    guard facts.is(moved.stream, .hops) else { return }
    let passed = later.reversed().prefix {
      $0.kind == .value && !facts.is($0.stream, .makesStreams)
    }
    // What has effects may have wanted to run there.
    guard !passed.contains(where: { facts.is($0.stream, .hasEffects) }) else { return }
    let outer = (passed.last ?? moved).stream
    let next = later.first { event in
      event.kind == .value && facts.is(event.stream, .makesStreams)
        && facts.inputs(of: event.stream).contains { $0.position != nil && $0.stream == outer }
    }
    guard let next,
      later.contains(where: {
        $0.kind == .hopBegan && $0.stream != hop.stream && $0.isBefore(next)
      }),
      !later.contains(where: {
        $0.kind == .value && facts.is($0.stream, .hops) && next.isBefore($0)
      })
    else { return }
    add(.undoneHop(moved: moved.name), next, 9)
  }

  private func wait(_ line: [CausalPath.Step], _ index: Int) -> UInt64 {
    let hop = line[index + 1]
    return hop.event.ticks - min((hop.scheduled ?? hop.event).ticks, hop.event.ticks)
  }
}
