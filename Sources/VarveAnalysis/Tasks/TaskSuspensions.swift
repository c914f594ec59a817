internal import VarveFormat
internal import VarveProbe

/// Where the tasks that do not run are suspended, up to a step of a trace.
final class TaskSuspensions {
  /// What a task awaits, and the stack of the functions that do.
  struct Suspension {
    let awaited: TaskAwait
    let stack: UInt32
  }

  private var suspensions: WalkTable<UInt64, Suspension>

  init(_ walk: TraceWalk) { suspensions = WalkTable(walk, bytes: 40, of: .work) }

  /// Returns the stack of the functions of a task that await something of a kind, or anything; nil if the
  /// task awaits nothing of it.
  func stack(of task: UInt64, awaiting kind: TaskAwait? = nil) -> UInt32? {
    suspensions[task].flatMap { kind == nil || $0.awaited == kind ? $0.stack : nil }
  }

  func note(_ step: TaskSteps.Step) {
    switch step {
    case .began(let task, _): suspensions.removeValue(forKey: task)
    case .ended(let task, let end):
      guard let awaited = TaskAwait(rawValue: end.awaited), awaited != .nothing else {
        suspensions.removeValue(forKey: task)
        return
      }
      suspensions.set(Suspension(awaited: awaited, stack: end.stack), for: task)
    default: return
    }
  }
}
