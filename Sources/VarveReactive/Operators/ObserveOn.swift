extension Junction {
  static func observe(
    _ feed: Feed<Output, OutputFailure>, on scheduler: any Scheduler
  ) -> Junction {
    let operation = Operation("observe(on: $)", [.scheduler(scheduler)], traits: [.hops, .holds])
    let kept = SchedulerReference(scheduler)
    return Junction(operation, of: feed, on: scheduler) { ObserveOnInlet($0, kept) }
  }
}

/// Hands every event off to a scheduler.
private final class ObserveOnInlet<Value, Failure: Error>: Inlet<Value, Failure, Value, Failure> {
  private let handOff: HandOff<Value, Failure>
  private let trigger: HandOffTrigger
  private let scheduler: SchedulerReference<any Scheduler>

  init(_ outlet: Outlet<Value, Failure>, _ scheduler: SchedulerReference<any Scheduler>) {
    let number = Subscription.newNumber()
    let handOff = HandOff(to: outlet.root, from: number)
    self.handOff = handOff
    trigger = HandOffTrigger.of(handOff, on: scheduler)
    self.scheduler = scheduler
    super.init(outlet.root, number: number)
    outlet.disposables.add { handOff.discard() }
  }

  override func receive(_ value: Value) {
    guard !root.isOver else { return swallow(.ended) }
    handOff.put(value)
    trigger.schedule()
  }

  override func terminate(_ termination: Termination<Failure>) {
    guard let scheduler = scheduler.existing else { return root.abandon() }
    handOff.send(termination, on: scheduler)
  }
}

extension Signal {
  /// Delivers every event on `scheduler`, in order.
  ///
  ///     self                  --1--2--3--|
  ///     observe(on: scheduler) ---1--2--3--|
  ///
  /// - *Events*: the end keeps its place after the values. Disposing of a started producer stops
  ///   the work at once and drops the values under way; the interruption is delivered on
  ///   `scheduler`.
  /// - *Memory*: the events that the scheduler has not delivered yet, without a bound.
  /// - *Scheduling*: one action on `scheduler` for each event.
  @preconcurrency
  public func observe(on scheduler: any Scheduler) -> Signal where Value: Sendable {
    Signal(.observe(feed, on: scheduler))
  }
}

extension SignalProducer {
  /// Delivers every event on `scheduler`, in order; `start(on:)` moves the work. See
  /// `Signal.observe(on:)`.
  @preconcurrency
  public func observe(on scheduler: any Scheduler) -> SignalProducer where Value: Sendable {
    SignalProducer(.observe(feed, on: scheduler))
  }
}
