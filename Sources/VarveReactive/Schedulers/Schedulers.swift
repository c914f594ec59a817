/// Where the calling code runs.
public enum Schedulers {
  /// The scheduler whose action runs on this thread; on the main thread outside all actions
  /// `QueueScheduler.main`, and elsewhere nil.
  ///
  /// Schedulers that are not the library's own are not known here.
  public static var current: (any Scheduler)? {
    if let identity = SchedulerIdentity.current { return identity.running }
    return MainThread.isCurrent ? QueueScheduler.main : nil
  }
}
