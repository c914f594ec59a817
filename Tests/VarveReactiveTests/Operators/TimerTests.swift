import ReactiveCocoa2Compatibility
import Testing
import VarveReactive
import VarveTestRig

@Suite("Timers as producers") struct TimerTests {
  private let scheduler = TestScheduler()
  private let log = Box<[String]>([])

  private func watch<Value>(_ producer: SignalProducer<Value, Never>) -> any Disposable {
    let (log, scheduler) = (log, scheduler)
    return producer.start { log.append("\(scheduler.now.nanoseconds / 1_000_000) \($0)") }
  }

  private func advance(to milliseconds: Int64) {
    scheduler.advance(to: SchedulerInstant(nanoseconds: milliseconds * 1_000_000))
  }

  @Test("H4: a timer sends what the clock shows at each tick")
  func timer() {
    let disposable = watch(
      SignalProducer<SchedulerInstant, Never>.timer(interval: .milliseconds(10), on: scheduler))
    advance(to: 25)
    disposable.dispose()
    advance(to: 60)
    #expect(log.value == ["10 VALUE 0.01 seconds", "20 VALUE 0.02 seconds", "25 INTERRUPTED"])
  }

  @Test("an interval counts from 0, and each start for itself")
  func counting() {
    let counter = SignalProducer<Int, Never>.interval(.milliseconds(10), on: scheduler)
    let first = watch(counter)
    advance(to: 15)
    let second = watch(counter)
    advance(to: 30)
    first.dispose()
    second.dispose()
    #expect(
      log.value == [
        "10 VALUE 0", "20 VALUE 1", "25 VALUE 0", "30 VALUE 2", "30 INTERRUPTED",
        "30 INTERRUPTED",
      ])
  }

  @Test("the elements of a sequence come one at each tick, and completion at the next")
  func elements() throws {
    _ = watch(
      SignalProducer<String, Never>.interval(
        ["a", "b"], interval: .milliseconds(10), on: scheduler))
    try scheduler.run(limit: 10)
    #expect(log.value == ["10 VALUE a", "20 VALUE b", "30 COMPLETED"])
  }

  @Test("P1: nothing is scheduled before the start")
  func application() throws {
    _ = SignalProducer<Int, Never>.interval(.milliseconds(10), on: scheduler)
    try scheduler.run(limit: 1)
    #expect(scheduler.now.nanoseconds == 0)
  }

  @Test("P6: what has seen enough stops the timer")
  func taking() throws {
    _ = watch(
      SignalProducer<Int, Never>.interval(.milliseconds(10), on: scheduler).take(first: 2))
    try scheduler.run(limit: 10)
    #expect(log.value == ["10 VALUE 0", "20 VALUE 1", "20 COMPLETED"])
  }

  @Test("N1: a timer is called after its interval, its scheduler and its place")
  func name() {
    let timer = SignalProducer<SchedulerInstant, Never>.timer(
      interval: .milliseconds(300), on: scheduler, file: "Clock/Wall.swift", line: 7)
    #expect(timer.description == "timer(interval: 300ms, on: TestScheduler)@Wall.swift:7")
    #expect(timer.bracketDescription == "+interval: 0.300000 onScheduler: TestScheduler")
  }
}
