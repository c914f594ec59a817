internal import VarveFormat
internal import VarveProbe

/// Values that come round again.
extension Decisions {
  /// The smallest number of rounds that make a loop: two streams that follow each other come to rest
  /// after fewer …
  private static let fewestRounds = 6
  /// … and the longest that a round may take on average, in nanoseconds: a program that asks again some
  /// time after each answer intends it.
  private static let longestRound: UInt64 = 250_000_000
  /// The maximum number of events between the values of two streams.
  private static let mostBetweenRounds = 16

  /// Where the values of a line go round and round: the only operator that changes them, or else
  /// what closed the loop.
  mutating func feedingBack(
    _ line: [CausalPath.Step], _ reader: TraceReader
  ) throws(SelectionError) {
    guard let last = line.firstIndex(where: { $0.repeats?.rounds ?? 0 >= Self.fewestRounds }),
      let repeats = line[last].repeats, let first = lookup[repeats.first], last > 0
    else { return }
    let nanoseconds = reader.time.duration(from: first.ticks, to: line[last].event.ticks)
    guard nanoseconds / UInt64(repeats.rounds) <= Self.longestRound else { return }
    // The steps before those left out are the newest round, from its end back.
    let steps = line[max(0, last + 1 - repeats.steps)...last].map(\.event)
    guard !steps.contains(where: { $0.kind == .failed }) else { return }
    // With the value of the round before that led to it.
    let before = lookup.way(to: line[last].event.name, .pastWork, most: Self.mostBetweenRounds)
      .dropFirst().first { $0.kind == .value }
    let values = (before.map { [$0] } ?? []) + steps.reversed().filter { $0.kind == .value }
    let round = ValueRound(values, reader.definitions)
    if round.changing.count == 1, let only = round.changing.first {
      add(.changedInLoop(rounds: repeats.rounds), only, 88)
      return
    }
    // The observation that began last closed the loop. If it is not a binding, the code that sends on
    // what it observes is the place.
    var closing: (began: TraceEvent, effect: TraceEvent)?
    for (cause, effect) in round.handovers {
      guard let began = try observation(of: cause.stream, by: effect.stream, reader),
        closing.map({ $0.began.isBefore(began) }) != false
      else { continue }
      closing = (began, effect)
    }
    guard let closing else { return }
    let isCode = SubscriptionPayload(word: closing.began.payload.word).stream == 0
    let isSent = isCode && lookup.sender(of: closing.effect.name) != nil
    add(.fedBack(rounds: repeats.rounds), isSent ? closing.effect : closing.began, 88)
  }
}

/// The values of one turn of a loop, each of which caused the next one, from that of a stream to the
/// next one of the same stream.
struct ValueRound {
  /// The values, in the order of causes.
  let values: [TraceEvent]
  private let definitions: TraceDefinitions

  init(_ values: [TraceEvent], _ definitions: TraceDefinitions) {
    self.values = values
    self.definitions = definitions
  }

  /// The steps from one stream to another that was not made from any: a property, or a pipe.
  var handovers: [(cause: TraceEvent, effect: TraceEvent)] {
    zip(values, values.dropFirst()).filter {
      definitions.streams[$0.1.stream]?.parents.isEmpty == true
    }.map { ($0.0, $0.1) }
  }

  /// For each operator in the loop that turns a value into another one, such a value, if all values
  /// are of one type: otherwise, turning a value into another is what the program is for.
  var changing: [TraceEvent] {
    guard Set(values.map { definitions.streams[$0.stream]?.valueType }).count == 1 else {
      return []
    }
    var found: [TraceEvent] = []
    for (cause, effect) in zip(values, values.dropFirst()) where cause.payload != effect.payload {
      let isOperator = definitions.streams[effect.stream]?.parents.isEmpty == false
      if isOperator, !found.contains(where: { $0.stream == effect.stream }) { found.append(effect) }
    }
    return found
  }
}
