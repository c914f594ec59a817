extension Junction {
  fileprivate static func retry(
    _ producer: SignalProducer<Output, OutputFailure>, upTo count: Int, interval: Duration,
    on scheduler: any TimedScheduler
  ) -> Junction {
    precondition(count >= 0, "a number of runs cannot be negative")
    precondition(interval >= .zero, "An interval must not be negative.")
    let operation = Operation(
      "retry(upTo: $, interval: $, on: $)",
      [.count(count), .duration(interval), .scheduler(scheduler)],
      traits: [.handlesFailure, .restarts])
    let kept = SchedulerReference(scheduler)
    return Junction(operation, inputs: [producer]) { root, disposables in
      let pause = Pause<Output, OutputFailure>(upTo: count, interval, kept)
      disposables.add(pause.work)
      let restarting = Restarting(
        producer, into: root, disposables, deliver: { root.send($0, from: $1) }
      ) { termination in
        if case .failed = termination, pause.begin() { return false }
        root.send(termination)
        return false
      }
      pause.restarting = restarting
      restarting.start()
    }
  }
}

/// Restarts a producer after a pause, a limited number of times.
private final class Pause<Value, Failure: Error> {
  /// The next start.
  let work = SerialDisposable()
  /// The object that restarts the producer. It keeps itself alive while a run lasts; during a
  /// pause, the scheduled work does.
  weak var restarting: Restarting<Value, Failure, Value, Failure>?
  private var remaining: Int
  private let interval: Duration
  private let scheduler: SchedulerReference<any TimedScheduler>

  init(
    upTo count: Int, _ interval: Duration, _ scheduler: SchedulerReference<any TimedScheduler>
  ) {
    remaining = count
    self.interval = interval
    self.scheduler = scheduler
  }

  /// Schedules the next start. Returns false if there is none.
  func begin() -> Bool {
    guard remaining > 0, let restarting, let scheduler = scheduler.existing else { return false }
    remaining -= 1
    // Installed before the work is scheduled, because the work may run, fail, and begin the next
    // pause before `hop` returns.
    let turn = SerialDisposable()
    work.inner = turn
    turn.inner = scheduler.hop(at: scheduler.now + interval) { restarting.start() }
    return true
  }
}

extension SignalProducer {
  /// Starts again `interval` after a run has failed, at most `count` times.
  ///
  ///     1st run                        --1--#
  ///     2nd run                                 --2--|
  ///     retry(upTo: 1, interval: 3, …) --1--------2--|
  ///
  /// - *Events*: the failure of the last run is forwarded at once, as are completion and
  ///   interruption.
  /// - *Memory*: none.
  /// - *Scheduling*: the runs after the first start on `scheduler`.
  public func retry(
    upTo count: Int, interval: some TimeSpan, on scheduler: any TimedScheduler
  ) -> SignalProducer {
    SignalProducer(.retry(self, upTo: count, interval: interval.asDuration, on: scheduler))
  }
}
