internal import CVarveSystem

/// Continues the stacks of tasks beyond those of threads: from a function to the one that awaits
/// it.
///
/// Only the runtime knows which of its frames called a task's function. That address is learned
/// from a task that runs synchronously, on the thread that first captures a stack and nowhere else.
enum AwaitChain {
  private static let isLearned: Void = {
    Task.detached(executorPreference: AtOnce()) { await beLookedAt() }
    vv_await_is_learned_store()
  }()

  /// Ensures that the stacks of tasks can be walked.
  @inline(__always)
  static func learn() {
    // Cheaper than checking whether the constant was computed.
    if !vv_await_is_learned() { _ = isLearned }
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
