/// Runs each action inside the call that schedules it.
///
/// In a trace this is no hop: nothing is put aside.
public final class ImmediateScheduler: Scheduler, CustomStringConvertible {
  private static let sharedID = SchedulerIdentity.nextID()

  private let identity = SchedulerIdentity(id: sharedID, name: "ImmediateScheduler")

  /// Creates one.
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
