/// A scheduler that runs each action inside the call that schedules it.
///
/// A trace shows no hop, because the action is not handed over.
public final class ImmediateScheduler: Scheduler, CustomStringConvertible {
  private static let sharedID = SchedulerIdentity.nextID()

  private let identity = SchedulerIdentity(id: sharedID, name: "ImmediateScheduler")

  /// Creates an immediate scheduler.
  public init() {
    identity.scheduler = self
  }

  /// Runs `action` now and returns nil.
  @preconcurrency
  @discardableResult
  public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
    identity.perform(action)
    return nil
  }

  /// `ImmediateScheduler`.
  public var description: String { identity.name }
}
