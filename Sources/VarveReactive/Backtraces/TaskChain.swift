internal import CVarveSystem
internal import Synchronization
internal import VarveProbe

/// The way back of a task: what stays with it over its suspensions, on whatever thread it goes on.
final class TaskChain: Sendable {
  @TaskLocal private static var local: TaskChain?

  let node: HopNode

  /// Takes the caller's ownership of the node.
  init(_ node: HopNode) {
    self.node = node
    Self.living.wrappingAdd(1, ordering: .relaxed)
  }

  deinit {
    Self.living.wrappingSubtract(1, ordering: .relaxed)
    node.release()
  }

  /// How many there are. A task-local takes 20 ns to find, and most programs have none of these; a task
  /// that has one sees that it is counted.
  private static let living = Atomic<Int>(0)

  /// The one of the task that runs on the calling thread, unless that runs other work meanwhile.
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

  /// Does what a task does, with its way back at hand.
  static func with<Success>(
    _ chain: TaskChain?, _ operation: @Sendable () async throws -> Success
  ) async rethrows -> Success {
    try await $local.withValue(chain) { try await operation() }
  }
}

extension HopNode {
  /// What led to the code that runs on the calling thread: the work that a scheduler runs there, or
  /// the task; a new owner.
  static func around(_ thread: ThreadSlot) -> HopNode? {
    TaskChain.current(on: thread)?.node.retained() ?? running(on: thread)
  }
}

/// A task that the library makes, with the way back to the code that made it.
///
/// In a trace it is scheduled and begins as other work does; what it does after it was suspended is
/// no part of any thread's work, so its hop ends at once.
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
  /// Tells that a task has begun, and gives what is to stay with it.
  fileprivate func arrive(by scheduler: SchedulerIdentity) -> TaskChain? {
    let chain = shared().takeNode().map(TaskChain.init)
    // What the task does on its own was caused by its beginning, until it gets something else.
    perform(by: scheduler) { Records.noteAwaited(Records.currentCause) }
    return chain
  }
}
