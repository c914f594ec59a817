/// A scheduler as something keeps it that may itself be kept by what is scheduled there: a producer, a
/// run of one, a timer.
///
/// Whatever Dispatch or a loop is to run, it runs without the scheduler. But a `TestScheduler` holds
/// what is scheduled on it, and if that held the clock in turn, both would stay when the test has let
/// go of them. So it is not kept: nobody could move a clock that only its own work holds.
package struct SchedulerReference<Kind> {
  private let kept: Kind?
  private weak let clock: TestScheduler?
}

extension SchedulerReference where Kind == any Scheduler {
  package init(_ scheduler: any Scheduler) {
    clock = scheduler as? TestScheduler
    kept = clock == nil ? scheduler : nil
  }

  /// The scheduler, if it is still there.
  package var existing: (any Scheduler)? { kept ?? clock }
}

extension SchedulerReference where Kind == any TimedScheduler {
  init(_ scheduler: any TimedScheduler) {
    clock = scheduler as? TestScheduler
    kept = clock == nil ? scheduler : nil
  }

  /// The scheduler, if it is still there.
  var existing: (any TimedScheduler)? { kept ?? clock }
}

// Safety: immutable, and schedulers are Sendable; the weak reference is read atomically.
extension SchedulerReference: @unchecked Sendable {}
