internal import Dispatch
internal import Synchronization

/// Runs actions on the main thread, and inside the call where that is possible.
///
/// An action that is scheduled on the main thread while nothing that was scheduled here waits or
/// runs is run inside the call; in a trace that is no hop. Every other action runs on the main
/// thread later, in the order of scheduling.
///
/// It needs somebody to drain the main queue: a run loop, `dispatchMain()`, or an asynchronous
/// `main`.
public final class UIScheduler: Scheduler, CustomStringConvertible {
  private static let sharedID = SchedulerIdentity.nextID()

  private let identity = SchedulerIdentity(id: sharedID, name: "UIScheduler")
  /// Actions that wait or run.
  private let unfinished = Atomic<Int>(0)

  /// Creates one. Actions of different UI schedulers do not wait for each other.
  public init() {
    identity.scheduler = self
  }

  /// Runs `action` on the main thread: now if possible.
  ///
  /// - Returns: what prevents the action from beginning, or nil when it has run already.
  @preconcurrency
  @discardableResult
  public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
    let before = unfinished.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
    if before == 0 && MainThread.isCurrent {
      identity.perform(action)
      finish()
      return nil
    }
    let work = ScheduledWork(action, by: identity)
    KnownHop.perform {
      DispatchQueue.main.async {
        work.run()
        self.finish()
      }
    }
    return work
  }

  private func finish() {
    unfinished.wrappingSubtract(1, ordering: .acquiringAndReleasing)
  }

  /// `UIScheduler`.
  public var description: String { identity.name }
}
