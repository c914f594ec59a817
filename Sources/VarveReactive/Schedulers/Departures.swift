internal import Dispatch

/// Something that a scheduler does again and again, once for each time that it is asked to.
///
/// A class that is not generic: a closure that captures nothing else costs no allocation.
class Arrival: @unchecked Sendable {
  // Safety: immutable; see the subclass.
  init() {}

  /// What is done.
  func arrive() {}
}

/// Schedules one and the same work again and again, by one thread at a time.
class Departures {
  fileprivate init() {}

  /// Schedules the work once more.
  func schedule() {}

  /// The cheapest way to schedule `work` on `scheduler`.
  static func of(_ work: Arrival, on scheduler: KeptScheduler<any Scheduler>) -> Departures {
    if let queue = scheduler.existing as? QueueScheduler { return queue.departures(of: work) }
    return ScheduledDepartures(work, on: scheduler)
  }
}

/// Asks any scheduler.
private final class ScheduledDepartures: Departures {
  private let work: Arrival
  private let scheduler: KeptScheduler<any Scheduler>

  init(_ work: Arrival, on scheduler: KeptScheduler<any Scheduler>) {
    self.work = work
    self.scheduler = scheduler
    super.init()
  }

  override func schedule() {
    scheduler.existing?.hop { [work] in work.arrive() }
  }
}

/// Gives a queue the same block each time.
///
/// A block that is made anew for each action, with a closure in it and an object that can be
/// disposed of, costs more than everything else about a hop. What differs from action to action is
/// the hop that a trace is told of: that waits in a line of its own, and each action takes the first.
final class QueueDepartures: Departures {
  private let hops: WaitingHops
  private let block: @Sendable @convention(block) () -> Void
  private let scheduler: SchedulerIdentity
  private let queue: DispatchQueue

  init(_ work: Arrival, by scheduler: SchedulerIdentity, on queue: DispatchQueue) {
    let hops = WaitingHops()
    self.hops = hops
    self.scheduler = scheduler
    self.queue = queue
    block = {
      _ = hops.line.takeFirst { hop, _ in
        hop.perform(by: scheduler) { work.arrive() }
      }
    }
    super.init()
  }

  override func schedule() {
    hops.line.put(Hop.scheduled(by: scheduler), cause: 0)
    HandOver.perform { queue.async(execute: block) }
  }
}

/// The hops of actions that a queue has not run yet.
private final class WaitingHops: Sendable {
  let line = Backlog<Hop>()

  deinit {
    while line.takeFirst({ hop, _ in hop.forget() }) {}
  }
}
