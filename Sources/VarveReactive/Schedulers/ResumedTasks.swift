internal import VarveProbe

/// The tasks that a clock has resumed and that may not have run yet.
///
/// A task that sleeps on a clock reports it with `sleeps`, the clock's action reports with
/// `resumes` that it resumes the task, and the task reports with `goesOn` that it continues. On the
/// main actor, it then runs to its next suspension before other code does. Elsewhere, it may be
/// anywhere before its next suspension, which is not reported; but most such tasks sleep again, and
/// the others are given some time.
package final class ResumedTasks: Sendable {
  private struct State {
    var lastSleep: UInt64 = 0
    var asleep: Set<UInt64> = []
    var onTheirWay: Set<UInt64> = []
    /// The deadlines of the wait for tasks that continued off the main actor, by task.
    var elsewhere: [Int: ContinuousClock.Instant] = [:]
  }

  private static let patience = Duration.milliseconds(20)

  private let state = Lock(State())

  init() {}

  /// Notes that a task is about to sleep. Returns a number for this sleep.
  package func sleeps(_ task: Int) -> UInt64 {
    state.withLock { state in
      state.elsewhere[task] = nil
      state.lastSleep += 1
      state.asleep.insert(state.lastSleep)
      return state.lastSleep
    }
  }

  /// Notes that a task is about to be resumed.
  package func resumes(_ sleep: UInt64) {
    state.withLock { state in
      if state.asleep.remove(sleep) != nil { state.onTheirWay.insert(sleep) }
    }
  }

  /// Notes that a task continues, resumed or cancelled.
  package func goesOn(_ task: Int, after sleep: UInt64, onMainThread: Bool) {
    state.withLock { state in
      state.asleep.remove(sleep)
      guard state.onTheirWay.remove(sleep) != nil, !onMainThread else { return }
      state.elsewhere[task] = .now + Self.patience
    }
  }

  /// Whether some task has not run since it was resumed, or may not have.
  package var areBusy: Bool {
    state.withLock { state in
      let now = ContinuousClock.now
      state.elsewhere = state.elsewhere.filter { $0.value > now }
      return !state.onTheirWay.isEmpty || !state.elsewhere.isEmpty
    }
  }
}
