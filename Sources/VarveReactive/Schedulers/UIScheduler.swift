internal import Dispatch
internal import Synchronization

/// A scheduler that runs actions on the main thread, inside the scheduling call if possible.
///
/// An action that is scheduled on the main thread runs inside the call if no other action of this
/// scheduler is waiting or running; a trace shows no hop for it. All other actions run on the main
/// thread later, in the order of scheduling.
///
/// The program must drain the main queue with a run loop, `dispatchMain()` or an asynchronous
/// `main`.
public final class UIScheduler: Scheduler, CustomStringConvertible {
  private static let sharedID = SchedulerIdentity.nextID()

  private let identity = SchedulerIdentity(id: sharedID, name: "UIScheduler")
  /// The number of actions that are waiting or running.
  private let unfinished = Atomic<Int>(0)

  /// Creates a UI scheduler. Actions of different UI schedulers do not wait for each other.
  public init() {
    identity.scheduler = self
  }

  /// Runs `action` on the main thread, now if possible.
  ///
  /// - Returns: a disposable that prevents the action from beginning, or nil if it has already run.
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
