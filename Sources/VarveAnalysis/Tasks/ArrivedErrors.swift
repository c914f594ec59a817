internal import VarveFormat
internal import VarveProbe

/// Errors of tasks that arrive where somebody asks for their results.
struct ArrivedErrors: TaskGuesser {
  private let suspensions: TaskSuspensions
  /// The tasks that wait for each task's result.
  private var waiting: WalkTable<UInt64, UInt64>
  private(set) var guesses: [Finding] = []

  private static let mostGuesses = 16

  init(_ suspensions: TaskSuspensions, _ walk: TraceWalk) {
    self.suspensions = suspensions
    waiting = WalkTable(walk, bytes: 40, of: .work)
  }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .ended(let task, let end) where moment.awaited == .task && end.number != 0:
      waiting.set(task, for: end.number)
    case .failed(let task) where moment.parent == nil:
      guard moment.error != ThrownErrors.cancellation, !moment.isCancelled,
        let waiter = waiting.removeValue(forKey: task),
        let stack = suspensions.stack(of: waiter, awaiting: .task)
      else { return }
      add("task \(task), which failed with \(moment.error),", moment.event, at: stack)
    case .failureRead(let task): add("task \(task)", moment.event, at: moment.stack)
    default: return
    }
  }

  private mutating func add(_ task: String, _ event: EventName, at stack: UInt32) {
    guard guesses.count < Self.mostGuesses, stack != 0 else { return }
    guesses.append(
      Finding(
        .handled, weight: 40, place: .stack(stack),
        "the error of \(task) arrives here: what does this code make of it?", evidence: [event]))
  }
}
