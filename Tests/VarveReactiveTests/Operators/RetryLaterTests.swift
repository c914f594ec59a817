import Testing
import VarveReactive
import VarveTestRig

@Suite("retry(upTo:interval:on:)") struct RetryLaterTests {
  private let scheduler = TestScheduler()
  private let log = Box<[String]>([])
  private let attempts = Box(0)

  private func failing(_ failures: Int) -> SignalProducer<Int, Problem> {
    let attempts = attempts
    return SignalProducer { observer, _ in
      let attempt = attempts.change {
        $0 += 1
        return $0
      }
      observer.send(value: attempt)
      if attempt > failures { observer.sendCompleted() } else { observer.send(error: Problem()) }
    }
  }

  private func start(_ producer: SignalProducer<Int, Problem>) -> any Disposable {
    let (log, scheduler) = (log, scheduler)
    return producer.start { log.append("\(scheduler.now.nanoseconds / 1_000_000) \($0)") }
  }

  @Test("a run that failed is followed by another after the interval")
  func retries() throws {
    _ = start(failing(2).retry(upTo: 5, interval: .milliseconds(10), on: scheduler))
    #expect(log.value == ["0 VALUE 1"])
    try scheduler.run(limit: 10)
    #expect(log.value == ["0 VALUE 1", "10 VALUE 2", "20 VALUE 3", "20 COMPLETED"])
  }

  @Test("E3: the last run's failure is forwarded at once")
  func lastFailure() throws {
    _ = start(failing(9).retry(upTo: 1, interval: .milliseconds(10), on: scheduler))
    try scheduler.run(limit: 10)
    #expect(log.value == ["0 VALUE 1", "10 VALUE 2", "10 FAILED problem"])
  }

  @Test("P2: each start has all of its tries")
  func starts() throws {
    let retrying = failing(100).retry(upTo: 1, interval: .milliseconds(10), on: scheduler)
    _ = start(retrying)
    _ = start(retrying)
    try scheduler.run(limit: 10)
    #expect(attempts.value == 4)
  }

  @Test("P5: disposing during the pause prevents the next run")
  func disposal() throws {
    let disposable = start(
      failing(9).retry(upTo: 5, interval: .milliseconds(10), on: scheduler))
    scheduler.advance(by: .milliseconds(5))
    disposable.dispose()
    try scheduler.run(limit: 10)
    #expect(log.value == ["0 VALUE 1", "5 INTERRUPTED"])
    #expect(attempts.value == 1)
  }

  @Test("H9: a pause that is over before it was noted does not end the next one")
  func hastyScheduler() {
    let scheduler = HastyScheduler()
    _ = failing(9).retry(upTo: 3, interval: .zero, on: scheduler).start { [log] event in
      log.append("\(event)")
    }
    scheduler.runAll()
    #expect(log.value == ["VALUE 1", "VALUE 2", "VALUE 3", "VALUE 4", "FAILED problem"])
  }

  @Test("E3: on a queue, too, the last of several runs that fail at once ends the stream")
  func queue() {
    let queue = QueueScheduler(name: "retry")
    for _ in 0..<300 {
      let isOver = Flag()
      SignalProducer<Int, Problem>(error: Problem()).retry(upTo: 3, interval: .zero, on: queue)
        .startWithFailed { _ in isOver.raise() }
      guard isOver.isRaisedInTime() else { return #expect(isOver.isRaised) }
    }
  }
}

/// A scheduler whose first action is over before the call that scheduled it returns, as when the
/// calling thread is held up there. The others wait until they are run by hand.
private final class HastyScheduler: TimedScheduler {
  private let hasBegun = Box(false)
  private let waiting = Box<[(action: @Sendable () -> Void, handle: AnyDisposable)]>([])

  var now: SchedulerInstant { SchedulerInstant(nanoseconds: 0) }

  func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
    schedule(at: now, action: action)
  }

  func schedule(
    at instant: SchedulerInstant, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    let handle = AnyDisposable()
    let isFirst = hasBegun.change { hasBegun in
      defer { hasBegun = true }
      return !hasBegun
    }
    if isFirst { onThreads(1) { _ in action() } } else { waiting.append((action, handle)) }
    return handle
  }

  func schedule(
    at start: SchedulerInstant, every interval: Duration, leeway: Duration,
    action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? { nil }

  /// Runs what waits, and what that schedules, but for what was disposed of.
  func runAll() {
    while let next = waiting.change({ $0.isEmpty ? nil : $0.removeFirst() }) {
      if !next.handle.isDisposed { next.action() }
    }
  }
}
