internal import VarveFormat
internal import VarveProbe

/// Functions of actors that several tasks were in at once, each suspended there.
struct InterleavedCalls: TaskGuesser {
  /// Where tasks leave an executor: the executor, and the functions that are suspended.
  private struct Exit: Hashable {
    var executor: UInt32
    var stack: UInt32
  }

  /// The executors of the program's own actors.
  private let actors: Set<UInt32>
  /// The tasks that have left one of these and will return, by where.
  private var left: WalkTable<UInt64, Exit>
  private var now: [Exit: UInt64] = [:]
  private var most: [Exit: (count: UInt64, event: EventName)] = [:]

  private static let mostPlaces = 1_024

  init(_ definitions: TraceDefinitions, _ walk: TraceWalk) {
    let shared: Set<String> = ["main actor", "global executor", "other executors"]
    actors = Set(
      definitions.schedulers.values.lazy.filter {
        $0.id >= SchedulerDefinition.executors && !shared.contains($0.name)
      }.map(\.id))
    left = WalkTable(walk, bytes: 48, of: .work)
  }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .began(let task, _):
      if left[task]?.executor == moment.executor { comeBack(task) }
    case .ended(let task, let end):
      if moment.awaited == .nothing { return comeBack(task) }
      guard actors.contains(moment.executor), end.stack != 0 else { return }
      leave(task, Exit(executor: moment.executor, stack: end.stack), moment.event)
    default: return
    }
  }

  /// A task has returned to the executor that it had left, or has ended.
  private mutating func comeBack(_ task: UInt64) {
    if let exit = left.removeValue(forKey: task) { now[exit, default: 1] -= 1 }
  }

  private mutating func leave(_ task: UInt64, _ exit: Exit, _ event: EventName) {
    guard left[task] == nil, now[exit] != nil || now.count < Self.mostPlaces,
      left.set(exit, for: task)
    else { return }
    now[exit, default: 0] += 1
    if now[exit, default: 0] > most[exit]?.count ?? 0 {
      most[exit] = (now[exit, default: 0], event)
    }
  }

  /// Returns a guess for the function that most tasks were in at once.
  var guesses: [Finding] {
    most.filter { $0.value.count > 1 }
      .sorted { ($1.value.count, $0.value.event) < ($0.value.count, $1.value.event) }
      .prefix(1)
      .map { exit, most in
        Finding(
          .race, weight: 30, place: .of(exit.executor, exit.stack),
          "\(most.count, "task", "tasks") had left \(scheduler: exit.executor) here at once, and came "
            + "back later: what one of them had looked at before, the others may have changed",
          evidence: [most.event])
      }
  }
}
