extension Junction where Output: Sendable {
  /// Holds back the latest value while `condition` is true.
  static func throttle(
    _ feed: Feed<Output, OutputFailure>, while condition: Feed<Bool, Never>,
    on scheduler: any Scheduler
  ) -> Junction {
    let operation = Operation(
      "throttle(while: $, on: $)",
      [.parent(1), .scheduler(scheduler)], absorbs: .superseded,
      traits: [.joins, .hops, .replaces, .holds])
    let kept = SchedulerReference(scheduler)
    return Junction(operation, inputs: [feed, condition], on: scheduler) { root, disposables in
      let outlet = Outlet(root: root, disposables: disposables)
      let inlet = ThrottleWhileInlet(outlet, kept)
      condition.connect(ConditionInlet(inlet), stoppedBy: disposables)
      guard !root.isOver else { return }
      feed.connect(inlet, stoppedBy: disposables)
    }
  }
}

/// Hands values off to the scheduler, or holds back the latest one.
private final class ThrottleWhileInlet<Value: Sendable, Failure: Error>:
  ScheduledInlet<Value, Value, Failure>, @unchecked Sendable
{
  // Safety: `state` is locked, and values are put into the hand-off under the lock; the rest is
  // immutable.
  private struct State {
    /// Nil after the input's end.
    var scheduler: SchedulerReference<any Scheduler>?
    var isHolding = false
    var held: Held<Value>?
  }

  private let state: Lock<State>
  private let handOff: HandOff<Value, Failure>

  init(_ outlet: Outlet<Value, Failure>, _ scheduler: SchedulerReference<any Scheduler>) {
    state = Lock(State(scheduler: scheduler))
    let number = Subscription.newNumber()
    handOff = HandOff(to: outlet.root, from: number)
    super.init(outlet, number: number)
  }

  override func receive(_ value: Value) {
    let held = Held(value)
    let (isOpen, superseded, scheduler) = state.withLock {
      state -> (Bool, Held<Value>?, (any Scheduler)?) in
      guard let scheduler = state.scheduler?.existing else { return (false, nil, nil) }
      guard state.isHolding else {
        handOff.put(held)
        return (true, nil, scheduler)
      }
      defer { state.held = held }
      return (true, state.held, nil)
    }
    guard isOpen else { return swallow(.ended) }
    swallow(superseded, .superseded)
    scheduler?.hop { [handOff] in handOff.deliverNext() }
  }

  func hold(_ isHolding: Bool) {
    let scheduler = state.withLock { state -> (any Scheduler)? in
      state.isHolding = isHolding
      guard !isHolding, let held = state.held else { return nil }
      state.held = nil
      // Under the lock, so that no later value gets ahead of it.
      handOff.put(held)
      return state.scheduler?.existing
    }
    scheduler?.hop { [handOff] in handOff.deliverNext() }
  }

  override func terminate(_ termination: Termination<Failure>) {
    guard let scheduler = close() else { return root.abandon() }
    guard !root.isOver else { return }
    // A separate object, because the condition retains the inlet, too.
    let last = LastChance(root)
    scheduler.hop { [self] in
      handOff.end(termination)
      withExtendedLifetime(last) {}
    }
  }

  override func discard() {
    _ = close()
    handOff.discard()
  }

  /// Accepts no further values. Returns the scheduler if it was open.
  private func close() -> (any Scheduler)? {
    let last = state.withLock { state in
      defer { state = State() }
      return state
    }
    swallow(last.held, .ended)
    return last.scheduler?.existing
  }
}

/// Receives the condition. Its end has no effect.
private final class ConditionInlet<Value: Sendable, Failure: Error>:
  Inlet<Bool, Never, Value, Failure>
{
  private let throttled: ThrottleWhileInlet<Value, Failure>

  init(_ throttled: ThrottleWhileInlet<Value, Failure>) {
    self.throttled = throttled
    super.init(throttled.root)
  }

  override func receive(_ value: Bool) {
    throttled.hold(value)
    swallow(.control)
  }
}

extension Signal {
  /// Delivers every value while `condition` is false, and holds back the latest one while it is
  /// true.
  ///
  ///     self                  --1--2--3--4--5--|
  ///     condition             f----t-----f-----
  ///     throttle(while: …)    --1--------3--4--5--|
  ///
  /// - *Events*: the end is forwarded on `scheduler` after the values under way, and the value that
  ///   is held back is dropped. The end of the condition has no effect.
  /// - *Memory*: the value that is held back, and the values that the scheduler has not delivered
  ///   yet.
  /// - *Scheduling*: one action on `scheduler` for each event.
  @preconcurrency
  public func throttle(
    while condition: some SignalProducerConvertible<Bool, Never>, on scheduler: any Scheduler
  ) -> Signal where Value: Sendable {
    Signal(.throttle(feed, while: condition.producer.feed, on: scheduler))
  }
}

extension SignalProducer {
  /// Delivers every value while `condition` is false, and holds back the latest one while it is
  /// true. See `Signal.throttle(while:on:)`.
  @preconcurrency
  public func throttle(
    while condition: some SignalProducerConvertible<Bool, Never>, on scheduler: any Scheduler
  ) -> SignalProducer where Value: Sendable {
    SignalProducer(.throttle(feed, while: condition.producer.feed, on: scheduler))
  }
}
