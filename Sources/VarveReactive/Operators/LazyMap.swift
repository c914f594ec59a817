private func mappingLazily<Value: Sendable, NewValue, Failure: Error>(
  _ feed: Feed<Value, Failure>, on scheduler: any Scheduler,
  _ transform: @escaping (Value) -> NewValue
) -> Junction<NewValue, Failure> {
  let operation = Operation(
    "lazyMap(on: $, transform:)", [.scheduler(scheduler)],
    absorbs: .superseded, traits: [.hops, .replaces, .holds])
  let kept = SchedulerReference(scheduler)
  return Junction(operation, of: feed, on: scheduler) { LazyMapInlet($0, kept, transform) }
}

/// Transforms the latest value when the scheduler runs its action.
private final class LazyMapInlet<Value: Sendable, NewValue, Failure: Error>:
  ScheduledInlet<Value, NewValue, Failure>, @unchecked Sendable
{
  // Safety: `state` is locked, `scheduler` is used by the input alone; the rest is immutable.
  private struct State {
    var latest: Held<Value>?
    var work: (any Disposable)?
    var isClosed = false
  }

  private let state = Lock(State())
  private var scheduler: SchedulerReference<any Scheduler>?
  private let transform: (Value) -> NewValue

  init(
    _ outlet: Outlet<NewValue, Failure>, _ scheduler: SchedulerReference<any Scheduler>,
    _ transform: @escaping (Value) -> NewValue
  ) {
    self.scheduler = scheduler
    self.transform = transform
    super.init(outlet)
  }

  override func receive(_ value: Value) {
    let held = Held(value)
    let (superseded, isClosed) = state.withLock { state -> (Held<Value>?, Bool) in
      guard !state.isClosed else { return (nil, true) }
      defer { state.latest = held }
      return (state.latest, false)
    }
    if isClosed { return swallow(.ended) }
    // The action scheduled for the older value will find the newer one.
    if superseded != nil { return swallow(superseded, .superseded) }
    keep(scheduler?.existing?.hop { [self] in deliver() })
  }

  private func keep(_ work: (any Disposable)?) {
    // The previous work is released outside the lock: it may belong to a client's scheduler.
    let (isKept, old) = state.withLock { state -> (Bool, (any Disposable)?) in
      guard !state.isClosed else { return (false, nil) }
      defer { state.work = work }
      return (true, state.work)
    }
    if !isKept { work?.dispose() }
    withExtendedLifetime(old) {}
  }

  private func deliver() {
    let latest = state.withLock { state in
      defer { state.latest = nil }
      return state.latest
    }
    guard let latest else { return }
    guard !root.isOver else { return swallow(latest, .ended) }
    let output = transform(latest.value)
    let isDelivered = root.takeTurn(ifGoingOnFrom: feed) {
      _ = latest.recall()
      root.deliver(output)
    }
    if !isDelivered { swallow(latest, .ended) }
  }

  override func terminate(_ termination: Termination<Failure>) {
    if case .interrupted = termination { discard() }
    end(termination, on: scheduler.take()?.existing)
  }

  override func discard() {
    let (latest, work) = state.withLock { state in
      defer { state = State(isClosed: true) }
      return (state.latest, state.work)
    }
    work?.dispose()
    swallow(latest, .ended)
  }
}

extension Signal {
  /// Transforms values on `scheduler`, skipping those that are replaced before it gets to them.
  ///
  ///     self                       --1--2-34---5--|
  ///     lazyMap(on: scheduler, ×2) ---2---4--8--10-|   3 was replaced before its turn
  ///
  /// - *Events*: completion and failure are delivered on `scheduler` after the waiting value;
  ///   interruption drops that value.
  /// - *Memory*: the latest value.
  /// - *Scheduling*: `scheduler`, which also runs `transform`.
  @preconcurrency
  public func lazyMap<NewValue>(
    on scheduler: any Scheduler, transform: @escaping @Sendable (Value) -> NewValue
  ) -> Signal<NewValue, Failure> where Value: Sendable {
    Signal<NewValue, Failure>(mappingLazily(feed, on: scheduler, transform))
  }
}

extension SignalProducer {
  /// Transforms values on `scheduler`, skipping those that are replaced before it gets to them. See
  /// `Signal.lazyMap(on:transform:)`.
  @preconcurrency
  public func lazyMap<NewValue>(
    on scheduler: any Scheduler, transform: @escaping @Sendable (Value) -> NewValue
  ) -> SignalProducer<NewValue, Failure> where Value: Sendable {
    SignalProducer<NewValue, Failure>(mappingLazily(feed, on: scheduler, transform))
  }
}
