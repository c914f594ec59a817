internal import VarveFormat
internal import VarveProbe

/// Failures, and what handled them.
extension StopFinder {
  /// The maximum number of streams that a failure is followed through to its origin.
  private static let mostFailures = 64

  /// Returns the stops at a stream that failed, handled a failure, or started its input again.
  func failing(_ stream: UInt32, _ tale: StreamTale) -> [Stop] {
    var stops: [Stop] = []
    if tale.failures > 0, let end = tale.end, end.kind == .failed,
      facts.pair(stream, 0)?.failed ?? 0 > 0
    {
      var stop = Stop(stream, .failed)
      stop.stopped = tale.failures
      stop.moment = end.moment
      stop.examples = tale.lastFailures.reversed()
      stop.author = tale.outsideStack == 0 ? nil : tale.outsideStack
      stop.weight = StopWeight.failed
      stops.append(stop)
      if let failure = stop.examples.first, var origin = timingOut(failure) {
        origin.weight = stop.weight + StopWeight.timedOut
        stops.append(origin)
      }
    }
    if let stop = endedByInner(stream, tale) { stops.append(stop) }
    let inputs = facts.inputs(of: stream).filter { $0.position != nil }
    let failed = inputs.reduce(0) { $0 + tales[$1.stream].failures }
    if facts.is(stream, .restarts) {
      stops += restarting(stream, tale, inputs, failed: failed)
    } else if facts.is(stream, .handlesFailure), failed > tale.failures,
      !inputs.contains(where: { passesOn(tales[$0.stream].lastFailures, stream) })
    {
      var stop = Stop(stream, .handledFailure)
      stop.stopped = failed - tale.failures
      stop.examples = inputs.flatMap { tales[$0.stream].lastFailures }.suffix(1)
      stop.moment = stop.examples.first.flatMap { lookup[$0] }
        .map { EventMoment(name: $0.name, ticks: $0.ticks) }
      (stop.more, stop.hasMore) = stop.moment.map { more(above: stream, after: $0) } ?? (0, false)
      let isLast = stop.moment.map { moment in
        facts.history.stream(asked)?.lastValue.map { $0.ticks <= moment.ticks } ?? true
      }
      let endsAll = tale.end != nil || tale.values == 0 || isLast == true
      stop.weight = endsAll ? StopWeight.handledLast : StopWeight.handled
      stops.append(stop)
      if let failure = stop.examples.first, var origin = timingOut(failure) {
        origin.weight = stop.weight + StopWeight.timedOut
        stops.append(origin)
      }
    }
    return stops
  }

  /// Returns the stop at a flattening that one of its inner streams ended by a failure, which reached
  /// the asked stream, while its input went on.
  private func endedByInner(_ stream: UInt32, _ tale: StreamTale) -> Stop? {
    guard facts.is(stream, .makesStreams), let end = tale.end, end.kind == .failed,
      tales[asked].end?.kind == .failed
    else { return nil }
    let inputs = facts.inputs(of: stream)
    let isByInner = inputs.contains {
      $0.position == nil && facts.pair($0.stream, stream)?.failed ?? 0 > 0
    }
    guard isByInner, inputs.allSatisfy({ $0.position == nil || tales[$0.stream].failures == 0 })
    else { return nil }
    var stop = Stop(stream, .endedByInner)
    stop.stopped = tale.failures
    stop.moment = end.moment
    stop.examples = tale.lastFailures.reversed()
    (stop.more, stop.hasMore) = more(above: stream, after: end.moment)
    // A source that nobody holds any more is gone with its last observer, and what is sent to it then
    // is not in the trace.
    guard stop.more > 0 || goesOn(inputs, after: end.moment) else { return nil }
    stop.weight = StopWeight.endedByInner
    return stop
  }

  /// Returns whether the outer stream of a flattening had sent several values, and had not ended.
  private func goesOn(_ inputs: [SilenceFacts.Input], after moment: EventMoment) -> Bool {
    let outer = inputs.filter { $0.position != nil }.map { tales[$0.stream] }
    return !outer.isEmpty
      && outer.allSatisfy { $0.values > 1 && ($0.end?.moment.ticks ?? .max) > moment.ticks }
  }

  /// Returns whether a stream delivers failures as values, as `materializeResults()` does: it keeps
  /// nothing back.
  private func passesOn(_ failures: [EventName], _ stream: UInt32) -> Bool {
    guard let failure = failures.last.flatMap({ lookup[$0] }),
      let next = lookup.next(after: failure)
    else { return false }
    return next.kind == .value && next.stream == stream && next.causes.contains(failure.name)
  }

  /// Returns the stop at an operator that failed by itself because of the time, as a timeout does,
  /// although its input had not failed; nil if a failure has another origin.
  private func timingOut(_ failure: EventName) -> Stop? {
    guard var event = lookup[failure] else { return nil }
    for _ in 0..<Self.mostFailures {
      let cause = event.causes.lazy.compactMap { lookup[$0] }.first
      guard let cause, cause.kind == .failed else {
        guard cause?.isHop == true,
          case let inputs = facts.inputs(of: event.stream).filter({ $0.position != nil }),
          // What failed before only waited here, as in a delay.
          !inputs.isEmpty, inputs.allSatisfy({ tales[$0.stream].failures == 0 })
        else { return nil }
        var stop = Stop(event.stream, .timedOut)
        stop.received = tales[event.stream].values
        stop.moment = EventMoment(name: event.name, ticks: event.ticks)
        stop.stopped = 1
        stop.examples = [event.name]
        return stop
      }
      event = cause
    }
    return nil
  }

  private func restarting(
    _ stream: UInt32, _ tale: StreamTale, _ inputs: [SilenceFacts.Input], failed: UInt64
  ) -> [Stop] {
    guard let input = inputs.first, let pair = facts.pair(input.stream, stream), pair.count > 1
    else { return [] }
    var stop = Stop(stream, .restarted)
    stop.stopped = pair.count - 1
    stop.received = failed
    stop.examples = Array(tales[input.stream].lastFailures.reversed().prefix(1))
    stop.moment = tales[input.stream].lastValue
    let isBarren = failed > 0 && tale.since == 0
    stop.weight = isBarren ? StopWeight.restarted : StopWeight.handled
    return [stop]
  }
}
