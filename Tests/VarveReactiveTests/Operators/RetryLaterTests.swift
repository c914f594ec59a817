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
}
