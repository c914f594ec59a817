internal import VarveFormat
internal import VarveProbe

/// What operators and subjects kept, and delivered to later observers.
extension Decisions {
  /// The maximum number of streams of one place, and of values of theirs, that are compared.
  private static let mostAlike = 64
  /// The maximum number of events between an observation and the value that is replayed to it.
  private static let mostBetween = 24

  /// A failure that an operator kept and replayed each time that another one started it again.
  mutating func replayingFailures(_ line: [TraceEvent]) {
    let replays = line.filter {
      $0.kind == .failed && facts.is($0.stream, .replays) && !facts.is($0.stream, .hot)
    }
    for (_, replays) in Dictionary(grouping: replays, by: \.stream) where replays.count > 1 {
      guard let last = replays.first, let first = replays.last else { continue }
      add(.replayed(first.name, times: replays.count - 1), last, 94)
    }
  }

  /// A value that was replayed to an observation, although an earlier one of the same place had shown
  /// it: news of last week, to who opens a page. What a property has is its state, and no news.
  mutating func replayingAgain(
    _ effect: TraceEvent, _ line: [TraceEvent], _ reader: TraceReader
  ) throws(SelectionError) {
    guard effect.kind == .value,
      let replay = line.first(where: {
        $0.kind == .value && replaysEvents($0.stream)
      }),
      let began = observation(before: replay), let cause = replay.causes.first,
      lookup[cause].map({ $0.ticks < began.ticks }) ?? true,
      let first = try shown(effect, before: began, reader)
    else { return }
    add(.replayedAgain(first), began, 76)
  }

  /// Returns whether a stream delivers to late observers what it delivered before, or stands for one
  /// that does, and is no property.
  private func replaysEvents(_ stream: UInt32) -> Bool {
    if facts.is(stream, .replays) { return !isState(stream) }
    guard facts.is(stream, .standsIn), let original = facts.definition(stream)?.parents.first else {
      return false
    }
    return facts.is(original, .replays) && !isState(original)
  }

  /// Returns whether a stream is that of a property.
  func isState(_ stream: UInt32) -> Bool {
    facts.is(stream, [.standsIn, .replays])
      || facts.allDefinitions.contains {
        $0.parents == [stream] && $0.traits?.isSuperset(of: [.standsIn, .replays]) == true
      }
  }

  /// Returns the observation, begun by the program's code, during whose start a value was replayed.
  private func observation(before replay: TraceEvent) -> TraceEvent? {
    var before = lookup.previous(before: replay)
    for _ in 0..<Self.mostBetween {
      guard let event = before, event.kind == .subscribed || event.kind == .assembled else {
        return nil
      }
      let payload = SubscriptionPayload(word: event.payload.word)
      if event.kind == .subscribed, payload.stack != 0 { return event }
      before = lookup.previous(before: event)
    }
    return nil
  }

  /// Returns the value of a like stream with the same first cause, from before an observation.
  private func shown(
    _ effect: TraceEvent, before began: TraceEvent, _ reader: TraceReader
  ) throws(SelectionError) -> EventName? {
    guard let definition = facts.definition(effect.stream),
      let cause = firstCause(of: effect.name)
    else { return nil }
    let likeness = StreamLikeness(definition)
    let alike = facts.allDefinitions.lazy.filter { StreamLikeness($0) == likeness }
    var selection = Selection()
    selection.streams = Set(alike.prefix(Self.mostAlike).map(\.id))
    selection.kinds = KindSelection([.value])
    var query = try EventQuery(selection, in: reader, columns: [.ticks])
    var earlier: [EventName] = []
    query.run { page in
      page.forEach { batch, index in
        guard earlier.count < Self.mostAlike, batch.columns.ticks[index] < began.ticks else {
          return
        }
        earlier.append(batch.columns.name(index))
      }
      return earlier.count < Self.mostAlike
    }
    return earlier.first { firstCause(of: $0) == cause }
  }

  /// Work that began as an operator was started which was to share one run among several observers, and
  /// which a computed property makes anew at each access: so the work is done for each of them.
  mutating func unsharing(
    _ line: [TraceEvent], _ reader: TraceReader, _ symbols: Symbolizer
  ) {
    guard let began = line.last, began.kind == .hopBegan, began.runTask == nil,
      let given = began.causes.first.flatMap({ lookup[$0] }), given.kind == .hopScheduled,
      let replay = started(before: given)
    else { return }
    let likeness = StreamLikeness(replay)
    let alike = facts.allDefinitions.lazy.filter { StreamLikeness($0) == likeness }
      .prefix(Self.mostAlike)
    guard alike.count > 1, let frames = reader.definitions.stacks[replay.stack]?.frames else {
      return
    }
    symbols.lookUpOwn(frames)
    guard symbols.ownFrame(of: frames)?.function.hasSuffix(".getter") == true else { return }
    add(.unshared(alike.count), began, of: replay.id, 40)
  }

  /// Returns the operator that keeps what it delivers, and whose start scheduled work.
  private func started(before given: TraceEvent) -> StreamDefinition? {
    var before = lookup.previous(before: given)
    for _ in 0..<Self.mostBetween {
      guard let event = before, event.causes == given.causes || event.kind != .subscribed else {
        return nil
      }
      if event.kind == .subscribed {
        let definition = facts.definition(event.stream)
        let to = SubscriptionPayload(word: event.payload.word).stream
        if let definition, replaysOnce(definition) { return definition }
        if let above = facts.definition(to), replaysOnce(above) { return above }
      }
      before = lookup.previous(before: event)
    }
    return nil
  }

  private func replaysOnce(_ stream: StreamDefinition) -> Bool {
    facts.is(stream.id, .replays) && !facts.is(stream.id, .hot) && !isState(stream.id)
      && stream.parents.count == 1
  }
}
