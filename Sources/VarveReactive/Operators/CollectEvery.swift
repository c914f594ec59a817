private func collecting<Value: Sendable, Failure: Error>(
  _ feed: Feed<Value, Failure>, every interval: Duration, on scheduler: any TimedScheduler,
  skipEmpty: Bool, discardWhenCompleted: Bool
) -> Junction<[Value], Failure> {
  precondition(interval > .zero, "An interval must be positive.")
  let operation = Operation(
    "collect(every: $, on: $)",
    [.duration(interval), .scheduler(scheduler)], absorbs: .gathered,
    traits: [.hops, .holds, .gathers])
  let kept = SchedulerReference(scheduler)
  return Junction(operation, of: feed, on: scheduler) {
    CollectInlet($0, every: interval, kept, skipEmpty, discardWhenCompleted)
  }
}

/// Gathers values until the next tick.
private final class CollectInlet<Value: Sendable, Failure: Error>:
  ScheduledInlet<Value, [Value], Failure>, @unchecked Sendable
{
  // Safety: `state` is locked, `scheduler` is used by the input alone; the rest is immutable.
  private struct State {
    var gathered: [Held<Value>] = []
    var isComplete = false
    var isClosed = false
  }

  private let state = Lock(State())
  private var scheduler: SchedulerReference<any TimedScheduler>?
  private let skipEmpty: Bool
  private let discardWhenCompleted: Bool

  init(
    _ outlet: Outlet<[Value], Failure>, every interval: Duration,
    _ scheduler: SchedulerReference<any TimedScheduler>, _ skipEmpty: Bool,
    _ discardWhenCompleted: Bool
  ) {
    self.scheduler = scheduler
    self.skipEmpty = skipEmpty
    self.discardWhenCompleted = discardWhenCompleted
    super.init(outlet)
    guard let scheduler = scheduler.existing else { return }
    dispose(
      atEnd: scheduler.hop(at: scheduler.now + interval, every: interval, leeway: interval / 10) {
        [self] in tick()
      })
  }

  override func receive(_ value: Value) {
    let held = Held(value)
    let isGathered = state.withLock { state in
      if !state.isClosed { state.gathered.append(held) }
      return !state.isClosed
    }
    if !isGathered { swallow(.ended) }
  }

  private func tick() {
    root.takeTurn(ifGoingOnFrom: feed) {
      let (gathered, isComplete) = state.withLock { state in
        defer { state.gathered = [] }
        return (state.gathered, state.isComplete)
      }
      if !gathered.isEmpty || !skipEmpty { root.deliver(recall(gathered)) }
      if isComplete { root.finish(.completed) }
    }
  }

  /// Returns the values for the delivery that follows. A record has room for a limited number of
  /// causes: older values are recorded as gathered into a value that does not name them.
  private func recall(_ gathered: [Held<Value>]) -> [Value] {
    let unnamed = gathered.count - HeldCause.mostNamed
    return gathered.enumerated().map { index, held in
      if index >= unnamed { return held.recall() }
      swallow(held, .gathered)
      return held.value
    }
  }

  override func terminate(_ termination: Termination<Failure>) {
    let scheduler = scheduler.take()?.existing
    if case .completed = termination, !discardWhenCompleted {
      return state.withLock { $0.isComplete = true }
    }
    discard()
    end(termination, on: scheduler)
  }

  override func discard() {
    let gathered = state.withLock { state in
      defer { state = State(isClosed: true) }
      return state.gathered
    }
    for held in gathered { swallow(held, .ended) }
  }
}

extension Signal {
  /// Delivers, every `interval`, the values that have come since the last delivery.
  ///
  ///     self                            --1--2-----3--4--|
  ///     collect(every: 4, on: scheduler) ---[1]-[2]-[3]-[4]-|
  ///
  /// - *Events*: failure and interruption are forwarded at once on `scheduler`, and the gathered
  ///   values are dropped. On completion they are dropped too, unless `discardWhenCompleted` is
  ///   false: then they are delivered at the next tick, followed by completion.
  /// - *Memory*: the values of one interval.
  /// - *Scheduling*: `scheduler`; its ticks begin when the operator is applied.
  ///
  /// - Parameters:
  ///   - interval: the time for which values are gathered.
  ///   - scheduler: provides the time and delivers the arrays.
  ///   - skipEmpty: whether an interval without values sends nothing.
  ///   - discardWhenCompleted: whether the values gathered at completion are dropped.
  @preconcurrency
  public func collect(
    every interval: some TimeSpan, on scheduler: any TimedScheduler, skipEmpty: Bool = false,
    discardWhenCompleted: Bool = true
  ) -> Signal<[Value], Failure> where Value: Sendable {
    Signal<[Value], Failure>(
      collecting(
        feed, every: interval.asDuration, on: scheduler, skipEmpty: skipEmpty,
        discardWhenCompleted: discardWhenCompleted))
  }
}

extension SignalProducer {
  /// Delivers, every `interval` from the start, the values that have come since the last delivery.
  /// See `Signal.collect(every:on:skipEmpty:discardWhenCompleted:)`.
  @preconcurrency
  public func collect(
    every interval: some TimeSpan, on scheduler: any TimedScheduler, skipEmpty: Bool = false,
    discardWhenCompleted: Bool = true
  ) -> SignalProducer<[Value], Failure> where Value: Sendable {
    SignalProducer<[Value], Failure>(
      collecting(
        feed, every: interval.asDuration, on: scheduler, skipEmpty: skipEmpty,
        discardWhenCompleted: discardWhenCompleted))
  }
}
