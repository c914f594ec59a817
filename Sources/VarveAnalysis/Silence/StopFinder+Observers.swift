internal import VarveFormat
internal import VarveProbe

/// Who observes, and who does not any more.
extension StopFinder {
  /// The maximum number of observations that end together with one.
  private static let mostEnding = 32

  /// Returns the stop at a stream whose last observation was disposed of, by code that is known,
  /// before values came that found no observer.
  func abandoning(
    _ stream: UInt32, _ tale: StreamTale, _ swallowed: StreamTale.Swallowed
  ) -> Stop? {
    guard let end = tale.edgeEnd, let last = swallowed.last, last.ticks > end.moment.ticks,
      !facts.history.isTakenDown(end.moment), let author = disposer(at: end.moment)
    else { return nil }
    var stop = Stop(stream, .abandoned)
    stop.stopped = swallowed.count
    stop.since = swallowed.since
    stop.moment = end.moment
    stop.began = tale.began
    stop.examples = swallowed.newest.reversed().map(\.value)
    stop.author = author
    stop.weight = StopWeight.abandoned
    return stop
  }

  /// Returns the stack of the code that ended an observation by disposing of it, or of one further
  /// down, which ended first.
  private func disposer(at end: EventMoment) -> UInt32? {
    var event = lookup[end.name]
    for _ in 0..<Self.mostEnding {
      guard let ended = event, ended.kind == .ended else { return nil }
      let stack = UInt32(truncatingIfNeeded: ended.payload.word >> 32)
      if stack != 0 { return stack }
      event = lookup.previous(before: ended)
    }
    return nil
  }

  /// Returns the stop at a stream that is shared, and gives who comes later none of the values that came
  /// before: the asked one came later.
  func sharedEarlier(_ stream: UInt32, _ tale: StreamTale) -> Stop? {
    guard facts.is(stream, .hot), !facts.is(stream, .replays), !facts.is(stream, .standsIn),
      !facts.is(asked, .hot), !facts.inputs(of: stream).isEmpty, let began = beginningOfAsked
    else { return nil }
    let after = tale.ticks.count(after: began.ticks)
    guard !after.hasMore, tale.values > after.count else { return nil }
    var stop = Stop(stream, .replayedFewer)
    stop.stopped = tale.values - after.count
    stop.received = stop.stopped
    stop.moment = began
    stop.weight = StopWeight.sharedEarlier
    return stop
  }

  /// When the asked stream began to observe its first input.
  private var beginningOfAsked: EventMoment? {
    upstream.members.first { $0.below == asked }.flatMap { tales[$0.stream].observers[asked] }
  }

  /// Returns the stack of the code that took the signal of a property's changes to observe it; nil if
  /// its value is observed, too, or that is not known.
  func observerOfChanges(of stream: UInt32, by observer: UInt32? = nil) -> UInt32? {
    guard facts.is(stream, [.hot, .replays]), stream != asked else { return nil }
    let tale = tales[stream]
    let began = observer.flatMap { tale.observers[$0] } ?? tale.firstObserved
    return began.flatMap { lookup.signalTaker(of: stream, before: $0.name) }
  }
}

extension SilenceFacts {
  /// Returns the stack of the code that took the signal of a property for whose first change a join waits;
  /// nil if the step is no such join, or if that is not known.
  func signalTaker(for step: Silence.Step, _ lookup: EventLookup) -> UInt32? {
    guard case .waitsForChange(let positions) = step.reason, let position = positions.first,
      let input = inputs(of: step.stream).first(where: { $0.position == position })
    else { return nil }
    func isThis(_ one: SubscriptionHistory.Open) -> Bool {
      one.from == input.stream && one.to == step.stream
    }
    let subscriptions = history.subscriptions
    let observed =
      subscriptions.open.first(where: isThis) ?? subscriptions.takenDown.first(where: isThis)
    return observed.flatMap { lookup.signalTaker(of: input.stream, before: $0.began.name) }
  }
}
