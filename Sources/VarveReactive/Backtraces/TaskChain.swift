internal import CVarveSystem
internal import VarveProbe

/// The way back of a task: what stays with it over its suspensions, on whatever thread it goes on.
final class TaskChain: Sendable {
  /// The one of the task that runs.
  @TaskLocal static var current: TaskChain?

  let node: HopNode

  /// Takes the caller's ownership of the node.
  init(_ node: HopNode) { self.node = node }

  deinit { node.release() }
}

extension HopNode {
  /// What led to the code that runs on the calling thread: the work that a scheduler runs there, else
  /// the task; a new owner.
  static func around(_ thread: ThreadSlot) -> HopNode? {
    running(on: thread) ?? TaskChain.current?.node.retained()
  }
}

/// A task that the library makes, with the way back to the code that made it.
///
/// In a trace it is scheduled and begins as other work does; what it does after it was suspended is
/// no part of any thread's work, so its hop ends at once.
package enum TrackedTask {
  private static let identity = SchedulerIdentity(name: "Task", isForeign: true)

  /// Starts a task that runs `operation`, where a task made by the caller would.
  @discardableResult
  package static func start<Success: Sendable>(
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async -> Success
  ) -> Task<Success, Never> {
    let hop = Hop.scheduled(by: identity)
    return Task(priority: priority) {
      let chain = hop.arrive(by: identity)
      return await TaskChain.$current.withValue(chain) { await operation() }
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
      return try await TaskChain.$current.withValue(chain) { try await operation() }
    }
  }
}

extension Hop {
  /// Tells that a task has begun, and gives what is to stay with it.
  fileprivate func arrive(by scheduler: SchedulerIdentity) -> TaskChain? {
    let chain = shared().takeNode().map(TaskChain.init)
    perform(by: scheduler) {}
    return chain
  }
}
