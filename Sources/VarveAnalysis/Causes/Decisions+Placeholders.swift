internal import VarveFormat
internal import VarveProbe

/// What is shown while an answer is awaited.
extension Decisions {
  /// Returns whether an operator has sent one value more than it received, as one does that puts a
  /// value before all others.
  func leads(_ stream: UInt32) -> Bool {
    guard let definition = facts.definition(stream), definition.parents.count == 1,
      let traits = definition.traits,
      traits.isDisjoint(with: [.hot, .makesStreams, .restarts, .replays, .handlesFailure])
    else { return false }
    let received = facts.inputs(of: stream).reduce(UInt64(0)) {
      $0 + facts.delivered(from: $1.stream, to: stream)
    }
    return received > 0 && facts.values(of: stream) == received + 1
  }

  /// A value that stands for an answer until that comes, put before the values of all inner streams
  /// instead of those of each: from the second one on, the answer before is shown for so long.
  mutating func standingInOnce(_ event: TraceEvent, over earlier: [TraceEvent]) {
    guard event.kind == .value, leads(event.stream),
      let flattened = earlier.firstIndex(where: {
        $0.kind == .value && facts.is($0.stream, .makesStreams)
      }),
      !earlier[..<flattened].contains(where: \.isHop),
      earlier[flattened...].contains(where: \.isHop),
      let (number, count) = runs[earlier[flattened].name], number == count, number > 1,
      let first = values[event.stream]?.first, let placeholder = lookup[first.name],
      placeholder.subscription == event.subscription,
      !placeholder.causes.contains(where: { lookup[$0]?.kind == .value })
    else { return }
    add(.standsInOnce(first.name, of: count), event, 42)
  }
}
