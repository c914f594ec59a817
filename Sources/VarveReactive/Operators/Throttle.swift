extension Junction where Output: Sendable {
  fileprivate static func throttle(
    _ feed: Feed<Output, OutputFailure>, _ interval: Duration, on scheduler: any TimedScheduler
  ) -> Junction {
    precondition(interval >= .zero, "An interval must not be negative.")
    let operation = Operation(
      "throttle($, on: $)",
      [.duration(interval), .scheduler(scheduler)], absorbs: .superseded,
      traits: [.hops, .replaces, .holds, .samples])
    let kept = SchedulerReference(scheduler)
    return Junction(operation, of: feed, on: scheduler) {
      ThrottleInlet($0, interval, kept)
    }
  }
}

/// Delivers the latest value once enough time has passed since the previous delivery.
private final class ThrottleInlet<Value: Sendable, Failure: Error>:
  ScheduledInlet<Value, Value, Failure>, @unchecked Sendable
{
  // Safety: `waiting` is locked, `scheduler` is used by the input alone; the rest is immutable.
  private let interval: Duration
  private var scheduler: SchedulerReference<any TimedScheduler>?
  private let waiting = WaitingValue<Value>()

  init(
    _ outlet: Outlet<Value, Failure>, _ interval: Duration,
    _ scheduler: SchedulerReference<any TimedScheduler>
  ) {
    self.interval = interval
    self.scheduler = scheduler
    super.init(outlet)
  }

  override func receive(_ value: Value) {
    guard let scheduler, let clock = scheduler.existing,
      let place = waiting.replace(with: Held(value))
    else { return swallow(.ended) }
    swallow(place.superseded, .superseded)
    waiting.keep(schedule(place, on: clock), for: place.turn)
  }

  /// Schedules the delivery of a value. The action may retain the scheduler, because it is disposed
  /// of when the input ends.
  private func schedule(
    _ place: WaitingValue<Value>.Place, on scheduler: any TimedScheduler
  ) -> (any Disposable)? {
    let now = scheduler.now
    let turn = place.turn
    // After the clock was set back, it is unknown how long ago the last value was delivered.
    guard let last = place.lastTaken, last <= now, last + interval > now else {
      return scheduler.hop { [self] in deliver(turn, at: scheduler.now) }
    }
    return scheduler.hop(at: last + interval) { [self] in deliver(turn, at: scheduler.now) }
  }

  private func deliver(_ turn: Int, at now: SchedulerInstant) {
    root.takeTurn(ifGoingOnFrom: feed) {
      if let (held, _) = waiting.take(turn, at: now) { root.deliver(held.recall()) }
    }
  }

  override func terminate(_ termination: Termination<Failure>) {
    discard()
    end(termination, on: scheduler.take()?.existing)
  }

  override func discard() { swallow(waiting.close(), .ended) }
}

extension Signal {
  /// Delivers at most one value in each `interval`: the latest.
  ///
  ///     self                       --a-b-c---d--e----|
  ///     throttle(4, on: scheduler) --a---c---d---e---|
  ///
  /// - *Events*: the end is forwarded at once on `scheduler`, and the waiting value is dropped.
  /// - *Memory*: the latest value.
  /// - *Scheduling*: `scheduler`.
  @preconcurrency
  public func throttle(
    _ interval: some TimeSpan, on scheduler: any TimedScheduler
  ) -> Signal where Value: Sendable {
    Signal(.throttle(feed, interval.asDuration, on: scheduler))
  }
}

extension SignalProducer {
  /// Delivers at most one value in each `interval`: the latest. See `Signal.throttle(_:on:)`.
  @preconcurrency
  public func throttle(
    _ interval: some TimeSpan, on scheduler: any TimedScheduler
  ) -> SignalProducer where Value: Sendable {
    SignalProducer(.throttle(feed, interval.asDuration, on: scheduler))
  }
}
