internal import VarveFormat
internal import VarveProbe

/// Tasks made by code that sets something back as soon as it is left, as if it had done by then what the
/// tasks do.
struct EarlyResets: TaskGuesser {
  private struct Waiting {
    var task: UInt64
    var event: EventName
  }

  private var makers: WalkTable<UInt64, UInt32>
  /// By the code that makes the tasks, the first one that had to wait for something.
  private var found: [UInt32: Waiting] = [:]

  private static let mostPlaces = 1_024

  init(_ walk: TraceWalk) { makers = WalkTable(walk, bytes: 40, of: .work) }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .made(let task, _) where moment.making == .task && moment.maker != 0:
      if found[moment.maker] == nil { makers.set(moment.maker, for: task) }
    case .ended(let task, _):
      guard let maker = makers.removeValue(forKey: task), moment.awaited != .nothing,
        found[maker] == nil, found.count < Self.mostPlaces
      else { return }
      found[maker] = Waiting(task: task, event: moment.event)
    default: return
    }
  }

  /// Returns a guess for each piece of code that makes such tasks, by its source.
  func guesses(_ names: StackNames) -> [Finding] {
    names.lookUp(found.keys)
    var variables = TaskVariables()
    return found.sorted { $0.value.event < $1.value.event }.compactMap { maker, waiting in
      guard let own = names.own(of: maker), let file = own.file,
        let (name, place) = variables.reset(leaving: own)
      else { return nil }
      let made = Place(path: file, line: own.line)
      return Finding(
        .race, weight: 43, place: .line(place),
        "\(name) is set back here when the function returns, while task \(waiting.task.description), which it made at "
          + "\(place: .line(made)), had still to wait for something: nothing there waits for the task",
        evidence: [waiting.event])
    }
  }
}
