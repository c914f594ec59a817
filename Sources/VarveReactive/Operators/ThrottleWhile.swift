extension Junction where Output: Sendable {
  /// Holds the latest value back while `condition` is true.
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

/// Sends values on their way, or holds the latest one back.
private final class ThrottleWhileInlet<Value: Sendable, Failure: Error>:
  ScheduledInlet<Value, Value, Failure>, @unchecked Sendable
{
  // Safety: `state` is locked, and values are put into the hand-off while it is; the rest is
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
      // In here, so that no later value takes a place before it.
      handOff.put(held)
      return state.scheduler?.existing
    }
    scheduler?.hop { [handOff] in handOff.deliverNext() }
  }

  override func terminate(_ termination: Termination<Failure>) {
    guard let scheduler = close() else { return root.abandon() }
    guard !root.isOver else { return }
    // Beside the inlet, because the condition keeps that, too.
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

  /// Lets nothing in any more; returns the scheduler, if that happens for the first time.
  private func close() -> (any Scheduler)? {
    let last = state.withLock { state in
      defer { state = State() }
      return state
    }
    swallow(last.held, .ended)
    return last.scheduler?.existing
  }
}

/// Receives whether values are held back. Its end changes nothing.
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
  /// Delivers every value while `condition` is false; while it is true, holds the latest one back.
  ///
  ///     self                  --1--2--3--4--5--|
  ///     condition             f----t-----f-----
  ///     throttle(while: …)    --1--------3--4--5--|
  ///
  /// - *Events*: the end is forwarded on `scheduler` behind the values that are on their way, and the
  ///   value that is held back is dropped. The condition's end leaves things as they are.
  /// - *Memory*: the value that is held back, and those that the scheduler has not got to.
  /// - *Scheduling*: one action on `scheduler` for each event.
  @preconcurrency
  public func throttle(
    while condition: some SignalProducerConvertible<Bool, Never>, on scheduler: any Scheduler
  ) -> Signal where Value: Sendable {
    Signal(.throttle(feed, while: condition.producer.feed, on: scheduler))
  }
}

extension SignalProducer {
  /// Delivers every value while `condition` is false; while it is true, holds the latest one back.
  /// See `Signal.throttle(while:on:)`.
  @preconcurrency
  public func throttle(
    while condition: some SignalProducerConvertible<Bool, Never>, on scheduler: any Scheduler
  ) -> SignalProducer where Value: Sendable {
    SignalProducer(.throttle(feed, while: condition.producer.feed, on: scheduler))
  }
}
