internal import Dispatch

/// Something that a scheduler does again and again, once for each time that it is asked to.
///
/// A class that is not generic: a closure that captures nothing else costs no allocation.
class HandOffAction: @unchecked Sendable {
  // Safety: immutable; see the subclass.
  init() {}

  /// What is done.
  func deliverNext() {}
}

/// Schedules one and the same work again and again, by one thread at a time.
class HandOffTrigger {
  fileprivate init() {}

  /// Schedules the work once more.
  func schedule() {}

  /// The cheapest way to schedule `work` on `scheduler`.
  static func of(_ work: HandOffAction, on scheduler: SchedulerReference<any Scheduler>)
    -> HandOffTrigger
  {
    if let queue = scheduler.existing as? QueueScheduler { return queue.trigger(for: work) }
    return ScheduledTrigger(work, on: scheduler)
  }
}

/// Asks any scheduler.
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

/// Gives a queue the same block each time.
///
/// A block that is made anew for each action, with a closure in it and an object that can be
/// disposed of, costs more than everything else about a hop. What differs from action to action is
/// the hop that a trace is told of: that waits in a line of its own, and each action takes the first.
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

/// The hops of actions that a queue has not run yet.
private final class WaitingHops: Sendable {
  let line = HandOffQueue<Hop>()

  deinit {
    while line.takeFirst({ hop, _ in hop.forget() }) {}
  }
}
