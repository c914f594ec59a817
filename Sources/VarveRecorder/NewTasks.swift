internal import CVarveSystem

/// Tells the tasks that are made during a recording from those that were made before it, of which
/// nothing is known where they are met first.
enum NewTasks {
  /// Runs tasks at once, on the thread that makes them.
  private final class AtOnce: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Says that tasks are new from now on, while the gate is still closed.
  ///
  /// Tasks are numbered in the order in which they are made, and only a task can tell where the numbers
  /// are. It has ended when this returns, and is in no trace; it also shows whether tasks are laid out as
  /// expected.
  static func begin() {
    guard vv_tasks_are_followed() else { return }
    let first = Task.detached(executorPreference: AtOnce()) {}
    withExtendedLifetime(first) {
      vv_tasks_are_new_from(unsafeBitCast(first, to: UnsafeRawPointer.self))
    }
  }
}
