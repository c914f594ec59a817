internal import VarveFormat
internal import VarveProbe

/// What operators make of values: the same of different ones, or something else than what was compared.
extension Decisions {
  /// The fewest different values of which a result says something, and the number of last ones that are
  /// looked at.
  private static let fewestLevelled = 6
  private static let mostLevelled = 64

  /// Returns whether an operator makes a number of a number, one by one: that many have the same
  /// result may be a mistake in its arithmetic. A truth value, a case or a text is often the same.
  func mayLevel(_ event: TraceEvent) -> Bool {
    guard event.kind == .value, event.payload.isNumber,
      let definition = facts.definition(event.stream), definition.parents.count == 1,
      let traits = definition.traits
    else { return false }
    return definition.absorbs == nil
      && traits.isDisjoint(with: [.makesStreams, .joins, .gathers, .holds, .replays, .standsIn])
  }

  /// An operator that made the same number of nearly all values, which differ.
  mutating func levelling(_ event: TraceEvent) {
    guard mayLevel(event),
      let before = values[event.stream]?.filter({ $0.ticks <= event.ticks })
    else { return }
    var inputs: Set<UInt64> = []
    var results: [UInt64: Int] = [:]
    for moment in before.suffix(Self.mostLevelled) {
      guard let result = lookup[moment.name], result.payload.isNumber,
        let input = result.causes.first.flatMap({ lookup[$0] }), input.payload.isNumber
      else { return }
      if inputs.insert(input.payload.word).inserted {
        results[result.payload.word, default: 0] += 1
      }
    }
    guard inputs.count >= Self.fewestLevelled, let most = results.values.max(),
      most >= inputs.count * 3 / 4
    else { return }
    add(.levelled(most, of: inputs.count), event, 46)
  }

  /// Returns whether an operator compares each value with the one before.
  func comparesWithLast(_ stream: UInt32) -> Bool {
    facts.definition(stream)?.absorbs == .repeated
  }

  /// A value that is the same as the one before it, below an operator that had compared others, and
  /// found them different.
  mutating func comparingAbove(_ effect: TraceEvent, _ earlier: [TraceEvent]) {
    guard effect.kind == .value,
      let before = values[effect.stream]?.last(where: { $0.ticks < effect.ticks }),
      let last = lookup[before.name], last.subscription == effect.subscription,
      last.payload.isSame(as: effect.payload),
      let compared = earlier.first(where: { $0.kind == .value && comparesWithLast($0.stream) }),
      let other = values[compared.stream]?.last(where: { $0.ticks < compared.ticks }),
      let previous = lookup[other.name], previous.subscription == compared.subscription,
      !previous.payload.isSame(as: compared.payload)
    else { return }
    add(.distinctAbove(other.name), compared, 60)
  }
}

extension EventPayload {
  /// Whether it is a number.
  fileprivate var isNumber: Bool {
    switch kind {
    case .integer, .unsigned, .real: true
    default: false
    }
  }

  /// Returns whether two payloads are known to be the same value.
  fileprivate func isSame(as other: EventPayload) -> Bool {
    guard let kind, kind == other.kind else { return false }
    switch kind {
    case .integer, .unsigned, .real, .boolean: return word == other.word
    case .string, .bytes, .description: return bytes == other.bytes
    default: return false
    }
  }
}
