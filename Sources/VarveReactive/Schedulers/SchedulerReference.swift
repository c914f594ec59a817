/// A reference to a scheduler, for objects that scheduled work may retain in turn: a producer, a
/// run of one, a timer.
///
/// Dispatch and event loops run their work independently of the scheduler object. A
/// `TestScheduler`, however, retains its scheduled work; if that work retained the scheduler in
/// turn, both would leak after the test. It is therefore referenced weakly: nothing could advance a
/// clock that only its own work retains.
package struct SchedulerReference<Kind> {
  private let kept: Kind?
  private weak let clock: TestScheduler?
}

extension SchedulerReference where Kind == any Scheduler {
  package init(_ scheduler: any Scheduler) {
    clock = scheduler as? TestScheduler
    kept = clock == nil ? scheduler : nil
  }

  /// The scheduler, if it still exists.
  package var existing: (any Scheduler)? { kept ?? clock }
}

extension SchedulerReference where Kind == any TimedScheduler {
  init(_ scheduler: any TimedScheduler) {
    clock = scheduler as? TestScheduler
    kept = clock == nil ? scheduler : nil
  }

  /// The scheduler, if it still exists.
  var existing: (any TimedScheduler)? { kept ?? clock }
}

// Safety: immutable, and schedulers are Sendable; the weak reference is read atomically.
extension SchedulerReference: @unchecked Sendable {}
