internal import CVarveSystem

/// How stacks of tasks are walked beyond the threads' own: from a function to the one that awaits it.
///
/// Only the runtime knows of its frames which one called a task's function. The address is learned
/// from a task that runs at once, on the thread that asks for it and nowhere else.
enum AwaitChain {
  private static let isLearned: Void = {
    Task.detached(executorPreference: AtOnce()) { await beLookedAt() }
  }()

  /// Sees to it that the calling thread's stack can be walked, if it runs a task; returns whether it
  /// does.
  @inline(__always)
  @discardableResult
  static func learnInTask() -> Bool {
    guard vv_task_runs() else { return false }
    _ = isLearned
    return true
  }

  @inline(never)
  private static func beLookedAt() async { vv_await_learn() }

  /// Runs each job inside the call that enqueues it.
  private final class AtOnce: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
