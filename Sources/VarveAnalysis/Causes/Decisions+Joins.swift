internal import VarveFormat
internal import VarveProbe

/// Operators with several inputs.
extension Decisions {
  /// The maximum number of operators between a join and one that kept back values of its input.
  private static let mostBetween = 16
  /// How operators keep back values one by one.
  private static let lossy: Set<AbsorptionReason> = [.filtered, .repeated, .superseded]

  mutating func joining(_ event: TraceEvent, index: Int) {
    guard event.kind == .value, facts.is(event.stream, [.joins, .needsAllInputs]) else { return }
    let causes = (graph.causes[event.name] ?? []).compactMap { graph.events[$0] }
    if let before = values[event.stream]?.last(where: { $0.ticks < event.ticks }),
      lookup[before.name]?.subscription == event.subscription,
      let one = firstCause(of: event.name), one == firstCause(of: before.name)
    {
      add(.twice(before.name), event, 66)
    }
    guard causes.count > 1, let oldest = causes.min(by: { $0.isBefore($1) }) else { return }
    let newer = values[oldest.stream]?.count { $0.ticks > oldest.ticks && $0.ticks <= event.ticks }
    if let newer, newer > 0 {
      add(.oldInput(oldest.name, newer: newer), event, 72)
      fallingOutOfStep(event, causes.filter { $0.stream != oldest.stream })
    } else {
      add(.joined(oldest.name), event, 36)
    }
  }

  /// A value of one input of a merge that came after that of another one, for the same cause. It
  /// tells more if the inputs are listed in another order: the one that was to come first came last.
  mutating func merging(_ event: TraceEvent, over earlier: [TraceEvent]) {
    guard event.kind == .value, facts.is(event.stream, .joins),
      !facts.is(event.stream, .needsAllInputs),
      let before = values[event.stream]?.last(where: { $0.ticks < event.ticks }),
      let other = lookup[before.name],
      let one = position(of: event.causes, in: event.stream),
      let two = position(of: other.causes, in: event.stream), one != two,
      let first = firstCause(of: event.name), first == firstCause(of: before.name)
    else { return }
    add(.merged(after: before.name), event, one < two ? 68 : 30)
    // The two ways exclude each other only if their conditions do.
    let ways = earlier.prefix { $0.name != first && !$0.isHop }
    let filter = ways.first {
      $0.kind == .value && facts.definition($0.stream)?.absorbs == .filtered
    }
    if let filter, one > two { add(.passedTwice(before.name), filter, 66) }
  }

  /// An operator that begins its inputs one after the other, of which the next waits for the end of the
  /// one that the value came from.
  mutating func waitingForEnd(_ event: TraceEvent) {
    guard event.kind == .value, let parents = facts.definition(event.stream)?.parents,
      parents.count > 1, !facts.is(event.stream, .hot),
      let position = position(of: event.causes, in: event.stream), position + 1 < parents.count,
      facts.pair(parents[position], event.stream) != nil,
      facts.pair(parents[position + 1], event.stream) == nil,
      !facts.ended(parents[position])
    else { return }
    add(.waitsForEnd(next: parents[position + 1]), event, 56)
  }

  /// Returns whether an event is a value of a join that pairs the first with the first and the second with
  /// the second (`zip`), and has never delivered more often than its slowest input.
  func pairs(_ event: TraceEvent) -> Bool {
    guard event.kind == .value, facts.is(event.stream, [.joins, .needsAllInputs, .holds]),
      facts.definition(event.stream)?.absorbs == .gathered
    else { return false }
    let received = facts.inputs(of: event.stream).map {
      facts.delivered(from: $0.stream, to: event.stream)
    }
    guard received.count > 1, let fewest = received.min() else { return false }
    return facts.values(of: event.stream) <= fewest
  }

  /// A pair from beside the way, of which one part had been replaced: the newer ones wait for a partner.
  mutating func holdingBack(_ event: TraceEvent, until effect: TraceEvent) {
    guard pairs(event) else { return }
    for cause in (graph.causes[event.name] ?? []).compactMap({ graph.events[$0] }) {
      let newer = values[cause.stream]?.count {
        $0.ticks > cause.ticks && $0.ticks <= effect.ticks
      }
      if let newer, newer > 0 { add(.oldInput(cause.name, newer: newer), event, 70) }
    }
  }

  /// Returns the position of the input that delivered one of some events to a join.
  private func position(of causes: [EventName], in join: UInt32) -> Int? {
    guard let cause = causes.first.flatMap({ lookup[$0] }) else { return nil }
    return facts.inputs(of: join).first { $0.stream == cause.stream }?.position
  }

  /// An operator above the input that a pairing join waited for, which kept back some of its values:
  /// since then, what the join pairs does not belong together.
  private mutating func fallingOutOfStep(_ event: TraceEvent, _ fresh: [TraceEvent]) {
    for input in fresh {
      var stream = input.stream
      for _ in 0..<Self.mostBetween {
        let inputs = facts.inputs(of: stream)
        guard inputs.count == 1, inputs[0].position == 0 else { break }
        let received = facts.delivered(from: inputs[0].stream, to: stream)
        let delivered = facts.values(of: stream)
        let value = graph.events.values.first { $0.stream == stream && $0.kind == .value }
        let isLossy = facts.definition(stream)?.absorbs.map(Self.lossy.contains) ?? false
        if isLossy, received > delivered, let value {
          add(.outOfStep(event.name, dropped: received - delivered), value, 76)
          return
        }
        stream = inputs[0].stream
      }
    }
  }

  /// A join that took the old value of an input although the same cause led to a new one, which came
  /// within the same delivery, and after the join.
  mutating func joiningEarly(
    _ effect: TraceEvent, _ line: [TraceEvent], _ reader: TraceReader
  ) throws(SelectionError) {
    for event in line
    where event.kind == .value && facts.is(event.stream, [.joins, .needsAllInputs]) {
      let causes = (graph.causes[event.name] ?? []).compactMap { graph.events[$0] }
      guard causes.count > 1, let oldest = causes.min(by: { $0.isBefore($1) }),
        let newest = causes.max(by: { $0.isBefore($1) }),
        let way = mainLine(to: newest.name), let cause = way.last,
        let newer = try firstValues(of: [oldest.stream], after: event, reader)[oldest.stream],
        let later = mainLine(to: newer), later.last == cause, !later.contains(event.name),
        lookup[newer]?.payload != lookup[oldest.name]?.payload
      else { continue }
      add(.joinedEarly(oldest.name, newer: newer), event, 78)
    }
  }
}
