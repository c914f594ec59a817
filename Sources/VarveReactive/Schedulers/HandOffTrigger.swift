internal import Dispatch

/// An action that a scheduler performs repeatedly, once for each time that it is scheduled.
///
/// A non-generic class: a closure that captures nothing else costs no allocation.
class HandOffAction: @unchecked Sendable {
  // Safety: immutable; see the subclass.
  init() {}

  /// Performs the action.
  func deliverNext() {}
}

/// Schedules the same work repeatedly, from one thread at a time.
class HandOffTrigger {
  fileprivate init() {}

  /// Schedules the work once.
  func schedule() {}

  /// Returns the cheapest way to schedule `work` on `scheduler`.
  static func of(_ work: HandOffAction, on scheduler: SchedulerReference<any Scheduler>)
    -> HandOffTrigger
  {
    if let queue = scheduler.existing as? QueueScheduler { return queue.trigger(for: work) }
    return ScheduledTrigger(work, on: scheduler)
  }
}

/// Schedules the work on any scheduler.
private final class ScheduledTrigger: HandOffTrigger {
  private let work: HandOffAction
  private let scheduler: SchedulerReference<any Scheduler>

  init(_ work: HandOffAction, on scheduler: SchedulerReference<any Scheduler>) {
    self.work = work
    self.scheduler = scheduler
    super.init()
  }

  override func schedule() {
    scheduler.existing?.hop { [work] in work.deliverNext() }
  }
}

/// Enqueues the same block each time.
///
/// A new block for each action, with a closure and a disposable, would cost more than the rest of a
/// hop. Only the hop that is recorded in a trace differs between actions: the hops wait in a
/// separate queue, and each action takes the first.
final class QueueTrigger: HandOffTrigger {
  private let hops: WaitingHops
  private let block: @Sendable @convention(block) () -> Void
  private let scheduler: SchedulerIdentity
  private let queue: DispatchQueue

  init(_ work: HandOffAction, by scheduler: SchedulerIdentity, on queue: DispatchQueue) {
    let hops = WaitingHops()
    self.hops = hops
    self.scheduler = scheduler
    self.queue = queue
    block = {
      _ = hops.line.takeFirst { hop, _ in
        hop.perform(by: scheduler) { work.deliverNext() }
      }
    }
    super.init()
  }

  override func schedule() {
    hops.line.put(Hop.scheduled(by: scheduler), cause: 0)
    KnownHop.perform { queue.async(execute: block) }
  }
}

/// The hops of the actions that a queue has not run yet.
private final class WaitingHops: Sendable {
  let line = HandOffQueue<Hop>()

  deinit {
    while line.takeFirst({ hop, _ in hop.forget() }) {}
  }
}
