extension Junction where Output: Sendable {
  fileprivate static func debounce(
    _ feed: Feed<Output, OutputFailure>, _ interval: Duration, on scheduler: any TimedScheduler,
    discardWhenCompleted: Bool
  ) -> Junction {
    precondition(interval >= .zero, "An interval must not be negative.")
    let operation = Operation(
      "debounce($, on: $)", [.duration(interval), .scheduler(scheduler)],
      absorbs: .superseded, traits: [.hops, .replaces, .holds])
    let kept = SchedulerReference(scheduler)
    return Junction(operation, of: feed, on: scheduler) {
      DebounceInlet($0, interval, kept, discardWhenCompleted)
    }
  }

  fileprivate static func debounce(
    _ feed: Feed<Output, OutputFailure>, _ interval: Duration, on scheduler: any TimedScheduler,
    discardWhenCompleted: Bool, where isDebounced: @escaping (Output) -> Bool
  ) -> Junction {
    precondition(interval >= .zero, "An interval must not be negative.")
    let operation = Operation(
      "debounce($, on: $, where:)",
      [.duration(interval), .scheduler(scheduler)], absorbs: .superseded,
      traits: [.hops, .replaces, .holds])
    let kept = SchedulerReference(scheduler)
    return Junction(operation, of: feed, on: scheduler) {
      SelectiveDebounceInlet($0, interval, kept, discardWhenCompleted, isDebounced)
    }
  }
}

/// Delivers a value when no other has followed it for a while.
private class DebounceInlet<Value: Sendable, Failure: Error>:
  ScheduledInlet<Value, Value, Failure>, @unchecked Sendable
{
  // Safety: `waiting` is locked, `scheduler` is used by the input alone; the rest is immutable.
  private let interval: Duration
  fileprivate private(set) final var scheduler: SchedulerReference<any TimedScheduler>?
  private let discardWhenCompleted: Bool
  private let waiting = WaitingValue<Value>()

  init(
    _ outlet: Outlet<Value, Failure>, _ interval: Duration,
    _ scheduler: SchedulerReference<any TimedScheduler>,
    _ discardWhenCompleted: Bool, number: UInt64 = Subscription.newNumber()
  ) {
    self.interval = interval
    self.scheduler = scheduler
    self.discardWhenCompleted = discardWhenCompleted
    super.init(outlet, number: number)
  }

  override func receive(_ value: Value) {
    guard let scheduler = scheduler?.existing, let turn = supersede(with: Held(value)) else {
      return swallow(.ended)
    }
    let work = scheduler.hop(at: scheduler.now + interval) { [self] in deliver(turn) }
    waiting.keep(work, for: turn)
  }

  /// Replaces the waiting value by another, or by none. Returns nil after the end.
  final func supersede(with held: Held<Value>?) -> Int? {
    guard let place = waiting.replace(with: held) else { return nil }
    swallow(place.superseded, .superseded)
    return place.turn
  }

  private func deliver(_ turn: Int) {
    root.takeTurn(ifGoingOnFrom: feed) {
      // Older values come first: once this value has been taken, newer ones may follow.
      deliverOlder()
      guard let (held, isLast) = waiting.take(turn) else { return }
      root.deliver(held.recall())
      if isLast { root.finish(.completed) }
    }
  }

  /// Delivers, inside the root's serializer, the values that came before the one that is due: a
  /// timer does not wait for other actions of the scheduler.
  func deliverOlder() {}

  override func terminate(_ termination: Termination<Failure>) {
    let scheduler = scheduler.take()?.existing
    if case .completed = termination, !discardWhenCompleted, waiting.closeBehind() { return }
    discard()
    end(termination, on: scheduler)
  }

  override final func discard() { swallow(waiting.close(), .ended) }
}

/// Delivers some values at once, and others when no value has followed them for a while.
private final class SelectiveDebounceInlet<Value: Sendable, Failure: Error>:
  DebounceInlet<Value, Failure>, @unchecked Sendable
{
  // Safety: immutable.
  private let isDebounced: (Value) -> Bool
  private let atOnce: HandOff<Value, Failure>

  init(
    _ outlet: Outlet<Value, Failure>, _ interval: Duration,
    _ scheduler: SchedulerReference<any TimedScheduler>,
    _ discardWhenCompleted: Bool, _ isDebounced: @escaping (Value) -> Bool
  ) {
    self.isDebounced = isDebounced
    let number = Subscription.newNumber()
    let atOnce = HandOff(to: outlet.root, from: number)
    self.atOnce = atOnce
    super.init(outlet, interval, scheduler, discardWhenCompleted, number: number)
    dispose(atEnd: AnyDisposable { atOnce.discard() })
  }

  override func receive(_ value: Value) {
    guard !isDebounced(value) else { return super.receive(value) }
    guard supersede(with: nil) != nil else { return swallow(.ended) }
    atOnce.put(value)
    scheduler?.existing?.hop { [atOnce] in atOnce.deliverNext() }
  }

  override func deliverOlder() { atOnce.deliverAll() }
}

extension Signal {
  /// Delivers a value once `interval` has passed without another.
  ///
  ///     self                      --a-ab-abc---------d--|
  ///     debounce(3, on: scheduler) -------------abc-----|
  ///
  /// - *Events*: failure and interruption are forwarded at once on `scheduler`, and the waiting
  ///   value is dropped. On completion it is dropped too, unless `discardWhenCompleted` is false:
  ///   then it is delivered when it is due, followed by completion.
  /// - *Memory*: the latest value.
  /// - *Scheduling*: `scheduler`.
  @preconcurrency
  public func debounce(
    _ interval: some TimeSpan, on scheduler: any TimedScheduler, discardWhenCompleted: Bool = true
  ) -> Signal where Value: Sendable {
    Signal(
      .debounce(
        feed, interval.asDuration, on: scheduler, discardWhenCompleted: discardWhenCompleted))
  }

  /// Delivers a value that satisfies `isDebounced` once `interval` has passed without another, and
  /// every other value at once.
  ///
  ///     query.debounce(.milliseconds(300), on: scheduler) { !$0.isEmpty }
  ///
  /// - *Events*: as in `debounce(_:on:discardWhenCompleted:)`. A value that is delivered at once
  ///   replaces a waiting one.
  /// - *Memory*: the latest value, and the values that the scheduler has not delivered yet.
  /// - *Scheduling*: `scheduler`; `isDebounced` runs on the sender's thread.
  @preconcurrency
  public func debounce(
    _ interval: some TimeSpan, on scheduler: any TimedScheduler, discardWhenCompleted: Bool = true,
    where isDebounced: @escaping @Sendable (Value) -> Bool
  ) -> Signal where Value: Sendable {
    Signal(
      .debounce(
        feed, interval.asDuration, on: scheduler, discardWhenCompleted: discardWhenCompleted,
        where: isDebounced))
  }
}

extension SignalProducer {
  /// Delivers a value once `interval` has passed without another. See
  /// `Signal.debounce(_:on:discardWhenCompleted:)`.
  @preconcurrency
  public func debounce(
    _ interval: some TimeSpan, on scheduler: any TimedScheduler, discardWhenCompleted: Bool = true
  ) -> SignalProducer where Value: Sendable {
    SignalProducer(
      .debounce(
        feed, interval.asDuration, on: scheduler, discardWhenCompleted: discardWhenCompleted))
  }

  /// Delivers some values once `interval` has passed without another, and the rest at once. See
  /// `Signal.debounce(_:on:discardWhenCompleted:where:)`.
  @preconcurrency
  public func debounce(
    _ interval: some TimeSpan, on scheduler: any TimedScheduler, discardWhenCompleted: Bool = true,
    where isDebounced: @escaping @Sendable (Value) -> Bool
  ) -> SignalProducer where Value: Sendable {
    SignalProducer(
      .debounce(
        feed, interval.asDuration, on: scheduler, discardWhenCompleted: discardWhenCompleted,
        where: isDebounced))
  }
}
