internal import VarveFormat
internal import VarveProbe

/// What is shown while an answer is awaited.
extension Decisions {
  /// Returns whether an operator passes on the values of several inputs, one after the other, as one does
  /// that puts a value before all others. What a property begins with is its state.
  func leads(_ stream: UInt32) -> Bool {
    guard let traits = facts.definition(stream)?.traits else { return false }
    return traits.isDisjoint(with: [
      .hot, .joins, .makesStreams, .renames, .restarts, .handlesFailure,
    ])
      && facts.inputs(of: stream).count > 1 && !isState(stream)
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
      let first = values[event.stream]?.first,
      let source = lookup[first.name]?.causes.first.flatMap({ lookup[$0] }),
      source.kind == .value, source.stream != earlier[0].stream,
      facts.values(of: source.stream) == 1
    else { return }
    add(.standsInOnce(first.name, of: count), event, 42)
  }
}
