internal import VarveFormat
internal import VarveProbe

/// Detached tasks of code with task-local values, which they do not inherit.
struct DetachedTasks: TaskGuesser {
  private struct Made {
    var task: UInt64
    var event: EventName
  }

  /// The first task of each piece of code.
  private var made: [UInt32: Made] = [:]

  private static let mostMakers = 4_096

  mutating func note(_ moment: TaskMoment) {
    guard case .made(let task, _) = moment.step, moment.making == .task, moment.maker != 0,
      made[moment.maker] == nil, made.count < Self.mostMakers
    else { return }
    made[moment.maker] = Made(task: task, event: moment.event)
  }

  /// Returns a guess for each piece of code that makes such tasks, by its source.
  func guesses(_ names: StackNames) -> [Finding] {
    var variables = TaskVariables()
    return made.sorted { $0.value.task < $1.value.task }.compactMap { maker, made in
      guard let own = names.own(of: maker), let file = own.file,
        let local = variables.taskLocal(lostBy: own)
      else { return nil }
      return Finding(
        .partial, weight: 57, place: .line(Place(path: file, line: own.line)),
        "task \(made.task.description), made here, is detached: it does not see the value of the task-local \(local) that "
          + "its maker sees",
        evidence: [made.event])
    }
  }
}
