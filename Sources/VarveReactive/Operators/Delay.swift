extension Junction where Output: Sendable {
  fileprivate static func delay(
    _ feed: Feed<Output, OutputFailure>, _ interval: Duration, on scheduler: any TimedScheduler
  ) -> Junction {
    precondition(interval >= .zero, "An interval must not be negative.")
    let operation = Operation(
      "delay($, on: $)", [.duration(interval), .scheduler(scheduler)],
      traits: [.hops, .holds])
    let kept = SchedulerReference(scheduler)
    return Junction(operation, of: feed, on: scheduler) { DelayInlet($0, interval, kept) }
  }
}

/// Schedules the delivery of each value and keeps the values in order.
private final class DelayInlet<Value: Sendable, Failure: Error>:
  ScheduledInlet<Value, Value, Failure>, @unchecked Sendable
{
  // Safety: `line` is locked, `scheduler` is used by the input alone; the rest is immutable.
  private let interval: Duration
  private var scheduler: SchedulerReference<any TimedScheduler>?
  private let line = Lock(Line<Value>())

  init(
    _ outlet: Outlet<Value, Failure>, _ interval: Duration,
    _ scheduler: SchedulerReference<any TimedScheduler>
  ) {
    self.interval = interval
    self.scheduler = scheduler
    super.init(outlet)
  }

  override func receive(_ value: Value) {
    let held = Held(value)
    guard let scheduler = scheduler?.existing,
      let ticket = line.withLock({ $0.append(held) })
    else { return swallow(.ended) }
    let work = scheduler.hop(at: scheduler.now + interval) { [self] in deliverFirst() }
    if !line.withLock({ $0.keep(work, for: ticket) }) { work?.dispose() }
  }

  private func deliverFirst() {
    root.takeTurn(ifGoingOnFrom: feed) {
      guard let entry = line.withLock({ $0.takeFirst() }) else { return }
      root.deliver(entry.held.recall())
    }
  }

  override func terminate(_ termination: Termination<Failure>) {
    guard let scheduler = scheduler.take()?.existing else { return }
    switch termination {
    case .completed:
      dispose(
        atEnd: scheduler.hop(at: scheduler.now + interval) { [self] in deliverRestAndComplete()
        })
    case .failed, .interrupted:
      discard()
      end(termination, on: scheduler)
    }
  }

  private func deliverRestAndComplete() {
    root.perform(
      DeferredClosure(inside: { [self] in
        while let entry = line.withLock({ $0.takeFirst() }) { root.deliver(entry.held.recall()) }
        root.finish(.completed)
      }))
  }

  override func discard() {
    for entry in line.withLock({ $0.close() }) {
      entry.work?.dispose()
      swallow(entry.held, .ended)
    }
  }
}

/// A queue of waiting values, each with a piece of scheduled work that will deliver the first of
/// them.
private struct Line<Value> {
  struct Entry {
    let held: Held<Value>
    var work: (any Disposable)?
  }

  private var entries = FIFOQueue<Entry>()
  private var isClosed = false

  /// Appends a value and returns its ticket, or nil after the end.
  mutating func append(_ held: Held<Value>) -> Int? {
    isClosed ? nil : entries.append(Entry(held: held, work: nil))
  }

  /// Stores the work of a value that is still waiting; returns false if it is not.
  mutating func keep(_ work: (any Disposable)?, for ticket: Int) -> Bool {
    entries.change(ticket) { $0.work = work }
  }

  mutating func takeFirst() -> Entry? { entries.takeFirst() }

  /// Closes the queue and returns the waiting values.
  mutating func close() -> [Entry] {
    isClosed = true
    return entries.takeAll()
  }
}

extension Signal {
  /// Delivers values and completion `interval` later.
  ///
  ///     self                    --1--2--3--|
  ///     delay(4, on: scheduler) ------1--2--3--|
  ///
  /// - *Events*: failure and interruption are forwarded at once on `scheduler`, and the waiting
  ///   values are dropped.
  /// - *Memory*: the waiting values, without a bound.
  /// - *Scheduling*: one action on `scheduler` for each event.
  @preconcurrency
  public func delay(
    _ interval: some TimeSpan, on scheduler: any TimedScheduler
  ) -> Signal where Value: Sendable {
    Signal(.delay(feed, interval.asDuration, on: scheduler))
  }
}

extension SignalProducer {
  /// Delivers values and completion `interval` later; the work starts at once. See
  /// `Signal.delay(_:on:)`.
  @preconcurrency
  public func delay(
    _ interval: some TimeSpan, on scheduler: any TimedScheduler
  ) -> SignalProducer where Value: Sendable {
    SignalProducer(.delay(feed, interval.asDuration, on: scheduler))
  }
}
