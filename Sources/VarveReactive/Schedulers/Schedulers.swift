/// A namespace for information about the scheduler of the calling code.
public enum Schedulers {
  /// The scheduler whose action runs on this thread. Outside all actions, it is
  /// `QueueScheduler.main` on the main thread and nil elsewhere.
  ///
  /// Schedulers that do not belong to the library are not reported.
  public static var current: (any Scheduler)? {
    if let identity = SchedulerIdentity.current { return identity.running }
    return MainThread.isCurrent ? QueueScheduler.main : nil
  }
}
