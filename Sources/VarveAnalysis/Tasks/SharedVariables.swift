internal import VarveFormat
internal import VarveProbe

/// Tasks of different code that are kept in one variable: who makes the one cancels the other.
struct SharedVariables: TaskGuesser {
  /// A task that code has just cancelled.
  private struct Given {
    var task: UInt64
    var maker: UInt32
    var stack: UInt32
    var event: EventName
  }

  private struct Pair: Hashable {
    var cancelled: UInt32
    var made: UInt32
  }

  private struct Taken {
    var given: Given
    var by: UInt64
  }

  private var makers: WalkTable<UInt64, UInt32>
  /// The task that code cancelled last, by thread.
  private var given: [UInt32: Given] = [:]
  private var taken: [Pair: Taken] = [:]

  private static let mostPairs = 256

  init(_ walk: TraceWalk) { makers = WalkTable(walk, bytes: 40, of: .work) }

  mutating func note(_ moment: TaskMoment) {
    let ring = moment.event.ring
    switch moment.step {
    case .made(let task, _) where moment.making == .task && moment.maker != 0:
      makers.set(moment.maker, for: task)
      guard let last = given.removeValue(forKey: ring), last.maker != moment.maker else { return }
      let pair = Pair(cancelled: last.maker, made: moment.maker)
      guard taken[pair] == nil, taken.count < Self.mostPairs else { return }
      taken[pair] = Taken(given: last, by: task)
    case .cancelled(let task):
      guard let maker = makers[task], moment.stack != 0 else { return }
      given[ring] = Given(task: task, maker: maker, stack: moment.stack, event: moment.event)
    case .ended(let task, _):
      // Between the cancellation and what is made instead, its thread does nothing else.
      given[ring] = nil
      if moment.awaited == .nothing { makers.removeValue(forKey: task) }
    default: return
    }
  }

  /// Returns a guess for each pair of pieces of code that keep their tasks in the same variable, by their
  /// source.
  func guesses(_ names: StackNames) -> [Finding] {
    var variables = TaskVariables()
    return taken.sorted { $0.value.given.event < $1.value.given.event }.compactMap { pair, taken in
      guard let one = names.own(of: pair.cancelled), let other = names.own(of: pair.made),
        one.file == other.file, let name = variables.variable(of: one),
        variables.variable(of: other) == name
      else { return nil }
      return Finding(
        .partial, weight: 62, place: .stack(taken.given.stack),
        "task \(taken.given.task.description) was cancelled here before task \(taken.by.description) was made, which does "
          + "something else: \(name) holds both, the one in place of the other",
        evidence: [taken.given.event])
    }
  }
}
