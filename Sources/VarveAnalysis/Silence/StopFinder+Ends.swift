internal import VarveFormat
internal import VarveProbe

/// Ends that cut values off, and what made them.
extension StopFinder {
  func ending(_ stream: UInt32, _ tale: StreamTale) -> [Stop] {
    let inputs = facts.inputs(of: stream)
    guard let end = tale.end else { return disposing(stream, tale, inputs) }
    guard end.kind == .completed else { return [] }
    // What a source sends may be caused by other streams, but it is the source that ends.
    let isSource = inputs.allSatisfy { $0.position == nil } && !facts.createsStreams(stream)
    var stop = Stop(stream, isSource ? .sourceEnded : .ended)
    // What only ends a stream early, as the trigger of `take(until:)`, is no end to pass on.
    let main = facts.is(stream, .endsEarly) ? inputs.filter { $0.position ?? 0 == 0 } : inputs
    if main.contains(where: { hasEnded($0.stream, by: end.moment) }) || isPassedOn(end, main) {
      return []
    }
    stop.moment = end.moment
    stop.stopped = tale.values
    stop.began = tale.began
    (stop.more, stop.hasMore) = more(above: stream, after: end.moment)
    stop.trigger = trigger(of: end, inputs)
    let isOwn = isOwn(end, inputs) || stop.trigger != nil
    if !isOwn { stop.author = author(of: stream, tale, inputs) }
    stop.weight =
      isSource ? StopWeight.sourceEnded : StopWeight.ended(more: stop.more, isByValue: isOwn)
    return [stop]
  }

  /// Returns the stack of the code that interrupted a source above a stream; nil if none did, or it is
  /// not known.
  func interrupter(above stream: UInt32) -> UInt32? {
    upstream.sources(above: stream, in: facts).lazy.compactMap { source -> UInt32? in
      guard let end = tales[source].end, end.kind == .interrupted else { return nil }
      return lookup.sender(of: end.moment.name)
    }.first
  }

  /// Returns whether an input ended by itself before a moment.
  private func hasEnded(_ input: UInt32, by moment: EventMoment) -> Bool {
    guard let end = tales[input].end, end.kind != .interrupted else { return false }
    return end.moment.ticks <= moment.ticks
  }

  /// Returns whether a stream only passed on the end of an input, which another observer may have
  /// started again since.
  private func isPassedOn(_ end: StreamTale.End, _ inputs: [SilenceFacts.Input]) -> Bool {
    end.causes.contains { cause in
      guard let event = lookup[cause], event.kind == end.kind else { return false }
      return inputs.contains { $0.stream == event.stream }
    }
  }

  /// Returns the input, other than the first, whose own end ended a stream.
  private func trigger(of end: StreamTale.End, _ inputs: [SilenceFacts.Input]) -> UInt32? {
    end.causes.lazy.compactMap { cause -> UInt32? in
      guard let event = lookup[cause], event.kind == .completed else { return nil }
      return inputs.first { $0.stream == event.stream && $0.position ?? 0 > 0 }?.stream
    }.first
  }

  /// Returns whether a stream ended because of a value of its input, as `take(first:)` does.
  private func isOwn(_ end: StreamTale.End, _ inputs: [SilenceFacts.Input]) -> Bool {
    end.causes.contains { cause in
      guard let event = lookup[cause] else { return false }
      return event.kind == .value && inputs.contains { $0.stream == event.stream }
    }
  }

  private func author(
    of stream: UInt32, _ tale: StreamTale, _ inputs: [SilenceFacts.Input]
  ) -> UInt32? {
    let edges = [tale.edgeEnd] + inputs.map { tales[$0.stream].edgeEnd }
    return edges.compactMap { $0?.stack }.first { $0 != 0 }
  }

  private func disposing(
    _ stream: UInt32, _ tale: StreamTale, _ inputs: [SilenceFacts.Input]
  ) -> [Stop] {
    for input in inputs where facts.isAttached(input.stream, to: stream) {
      guard let pair = facts.pair(input.stream, stream), pair.open == 0,
        pair.lastReason == .disposed || pair.lastReason == .released, let moment = pair.lastEnd,
        pair.count == 1 || input.position != nil, !facts.history.isTakenDown(moment),
        !isByAnEnd(moment)
      else { continue }
      let giver = otherInput(endingObservationAt: moment, inputs)
      // What another operator let go of below ended this one, too.
      if giver == nil, isByAValueBelow(moment, stream) { continue }
      var stop = Stop(stream, .disposed)
      stop.moment = moment
      stop.stopped = tale.values
      stop.began = tales[input.stream].began
      (stop.more, stop.hasMore) = more(above: stream, after: moment)
      stop.trigger = giver
      if giver == nil { stop.author = author(of: stream, tale, [input]) }
      stop.weight = StopWeight.ended(more: stop.more)
      return [stop]
    }
    return []
  }

  /// Returns the input, other than the first, whose value made the operator let go of its first one.
  private func otherInput(
    endingObservationAt moment: EventMoment, _ inputs: [SilenceFacts.Input]
  ) -> UInt32? {
    guard let cause = causeOfDisposal(moment), cause.kind == .value else { return nil }
    return inputs.first { $0.stream == cause.stream && $0.position ?? 0 > 0 }?.stream
  }

  /// Returns whether an operator further down let go of its first input at a value of another one.
  private func isByAValueBelow(_ moment: EventMoment, _ stream: UInt32) -> Bool {
    guard let cause = causeOfDisposal(moment), cause.kind == .value else { return false }
    var below = upstream.below(stream)
    while let next = below {
      let inputs = facts.inputs(of: next)
      if otherInput(endingObservationAt: moment, inputs) != nil { return true }
      below = upstream.below(next)
    }
    return false
  }

  private func causeOfDisposal(_ moment: EventMoment) -> TraceEvent? {
    lookup[moment.name]?.causes.first.flatMap { lookup[$0] }
  }

  /// Returns whether an observation was disposed of because a stream on the way had ended: that end
  /// is the stop, and not what it led to.
  private func isByAnEnd(_ disposal: EventMoment) -> Bool {
    guard let cause = causeOfDisposal(disposal) else { return false }
    return (cause.kind == .completed || cause.kind == .failed) && upstream.contains(cause.stream)
  }

  /// Returns the number of values of the busiest source above a stream after a moment.
  func more(above stream: UInt32, after moment: EventMoment) -> (UInt64, Bool) {
    let counts = Set(upstream.sources(above: stream, in: facts)).map {
      tales[$0].ticks.count(after: moment.ticks)
    }
    return counts.max { $0.count < $1.count }.map { ($0.count, $0.hasMore) } ?? (0, false)
  }
}
