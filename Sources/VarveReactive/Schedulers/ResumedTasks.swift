internal import VarveProbe

/// The tasks that a clock has resumed and that may not have had their turn yet.
///
/// A task that sleeps by a clock says so (`sleeps`); the clock's action says that it resumes it; and the
/// task says when it goes on (`goesOn`). On the main actor its turn is then over before anybody else there
/// gets one. Elsewhere it may be anywhere between that and its next suspension, which nobody is told
/// of; but most such tasks sleep again, and those that do not are given some time.
package final class ResumedTasks: Sendable {
  private struct State {
    var lastSleep: UInt64 = 0
    var asleep: Set<UInt64> = []
    var onTheirWay: Set<UInt64> = []
    /// Until when to wait for tasks that went on elsewhere, by task.
    var elsewhere: [Int: ContinuousClock.Instant] = [:]
  }

  private static let patience = Duration.milliseconds(20)

  private let state = Lock(State())

  init() {}

  /// Notes that a task is about to sleep, and returns a number for that.
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

  /// Notes that a task goes on, resumed or cancelled.
  package func goesOn(_ task: Int, after sleep: UInt64, onMainThread: Bool) {
    state.withLock { state in
      state.asleep.remove(sleep)
      guard state.onTheirWay.remove(sleep) != nil, !onMainThread else { return }
      state.elsewhere[task] = .now + Self.patience
    }
  }

  /// Whether some task is known not to have had its turn, or may not have had it.
  package var areBusy: Bool {
    state.withLock { state in
      let now = ContinuousClock.now
      state.elsewhere = state.elsewhere.filter { $0.value > now }
      return !state.onTheirWay.isEmpty || !state.elsewhere.isEmpty
    }
  }
}
