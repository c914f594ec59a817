internal import CVarveSystem
internal import Synchronization
internal import VarveProbe

/// The way back of a task, which stays with it across suspensions, on whatever thread it continues.
final class TaskChain: Sendable {
  @TaskLocal private static var local: TaskChain?

  let node: HopNode

  /// Takes over the caller's ownership of the node.
  init(_ node: HopNode) {
    self.node = node
    Self.living.wrappingAdd(1, ordering: .relaxed)
  }

  deinit {
    Self.living.wrappingSubtract(1, ordering: .relaxed)
    node.release()
  }

  /// The number of living chains. Finding a task-local takes 20 ns, and most programs have none of
  /// these; a task that has one sees it counted.
  private static let living = Atomic<Int>(0)

  /// Returns the chain of the task that runs on the calling thread, unless the thread runs other
  /// work meanwhile.
  @inline(__always)
  static func current(on thread: ThreadSlot) -> TaskChain? {
    living.load(ordering: .relaxed) == 0 ? nil : found(on: thread)
  }

  @inline(never)
  private static func found(on thread: ThreadSlot) -> TaskChain? {
    guard vv_task_runs() else { return nil }
    let running = thread.pointee.running
    guard running == nil || running?.pointee.scheduler == ForeignSchedulers.concurrency.id else {
      return nil
    }
    return local
  }

  /// Runs the operation of a task with its way back available.
  static func with<Success>(
    _ chain: TaskChain?, _ operation: @Sendable () async throws -> Success
  ) async rethrows -> Success {
    try await $local.withValue(chain) { try await operation() }
  }
}

extension HopNode {
  /// Returns what led to the code that runs on the calling thread (the work that a scheduler runs
  /// there, or the task), with an additional owner.
  static func around(_ thread: ThreadSlot) -> HopNode? {
    TaskChain.current(on: thread)?.node.retained() ?? running(on: thread)
  }
}

/// A task that the library creates, with the way back to the code that created it.
///
/// In a trace, the task is scheduled and begins like other work. Its work after a suspension is not
/// part of any thread's work, so its hop ends at once.
package enum TrackedTask {
  private static let identity = SchedulerIdentity(name: "Task", isForeign: true)

  /// Starts a task that runs `operation`.
  @discardableResult
  package static func start<Success: Sendable>(
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async -> Success
  ) -> Task<Success, Never> {
    let hop = Hop.scheduled(by: identity)
    return Task(priority: priority) {
      let chain = hop.arrive(by: identity)
      return await TaskChain.with(chain, operation)
    }
  }

  /// Starts a task that runs `operation` and may fail.
  @discardableResult
  package static func start<Success: Sendable>(
    priority: TaskPriority? = nil,
    throwing operation: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    let hop = Hop.scheduled(by: identity)
    return Task(priority: priority) {
      let chain = hop.arrive(by: identity)
      return try await TaskChain.with(chain, operation)
    }
  }
}

extension Hop {
  /// Records that a task has begun, and returns the chain that stays with it.
  fileprivate func arrive(by scheduler: SchedulerIdentity) -> TaskChain? {
    let chain = shared().takeNode().map(TaskChain.init)
    // What the task does by itself is caused by its beginning, until it receives something else.
    perform(by: scheduler) { Records.noteAwaited(Records.currentCause) }
    return chain
  }
}
