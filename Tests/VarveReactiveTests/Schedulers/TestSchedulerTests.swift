import Testing
import VarveReactive
import VarveTestRig

@Suite("TestScheduler")
struct TestSchedulerTests {
  private let scheduler = TestScheduler()
  private let log = Box<[String]>([])
  private let start = SchedulerInstant(nanoseconds: 0)

  private func note(_ text: String) -> @Sendable () -> Void {
    { [log, scheduler] in log.append("\(text) at \(scheduler.now.nanoseconds)") }
  }

  @Test("H5: nothing runs by itself, not even what is due")
  func still() {
    scheduler.schedule(note("now"))
    scheduler.schedule(at: start - .seconds(1), action: note("long ago"))
    #expect(log.value == [])
    #expect(scheduler.now == start)
  }

  @Test("H5: advance() runs what is due now and leaves the clock alone")
  func advance() {
    scheduler.schedule(note("a"))
    scheduler.schedule(after: .nanoseconds(1), action: note("b"))
    scheduler.advance()
    #expect(log.value == ["a at 0"])
    #expect(scheduler.now == start)
  }

  @Test("H5: advance(by:) runs exactly what is due, in order of dates, and shows each its date")
  func advanceBy() {
    scheduler.schedule(after: .nanoseconds(30), action: note("c"))
    scheduler.schedule(after: .nanoseconds(10), action: note("a"))
    scheduler.schedule(after: .nanoseconds(20), action: note("b"))
    scheduler.advance(by: .nanoseconds(20))
    #expect(log.value == ["a at 10", "b at 20"])
    #expect(scheduler.now == start + .nanoseconds(20))
    scheduler.advance(to: start + .nanoseconds(29))
    #expect(log.value.count == 2)
    scheduler.advance(to: start + .nanoseconds(35))
    #expect(log.value == ["a at 10", "b at 20", "c at 30"])
    #expect(scheduler.now == start + .nanoseconds(35))
  }

  @Test("H5: ties run in the order of scheduling")
  func ties() {
    let order = Box<[Int]>([])
    for number in 0..<500 {
      scheduler.schedule(after: .nanoseconds(number % 5)) { order.append(number) }
    }
    scheduler.advance(by: .nanoseconds(4))
    #expect(order.value == (0..<5).flatMap { rest in (0..<500).filter { $0 % 5 == rest } })
  }

  @Test("H5: what an action schedules runs in the same advance when it is due by then")
  func nested() {
    scheduler.schedule(after: .nanoseconds(10)) { [scheduler, note = note] in
      note("a")()
      scheduler.schedule(note("b"))
      scheduler.schedule(after: .nanoseconds(5), action: note("c"))
      scheduler.schedule(after: .nanoseconds(11), action: note("d"))
    }
    scheduler.advance(by: .nanoseconds(20))
    #expect(log.value == ["a at 10", "b at 10", "c at 15"])
  }

  @Test("H5: an action may move the clock itself")
  func movesItself() {
    scheduler.schedule(after: .nanoseconds(1)) { [scheduler, note = note] in
      scheduler.schedule(after: .nanoseconds(50), action: note("inner"))
      scheduler.advance(by: .nanoseconds(100))
    }
    scheduler.schedule(after: .nanoseconds(2), action: note("outer"))
    scheduler.advance(by: .nanoseconds(10))
    #expect(log.value == ["outer at 2", "inner at 51"])
    #expect(scheduler.now == start + .nanoseconds(101))
  }

  @Test("H5: a date in the past does not turn the clock back")
  func past() {
    scheduler.advance(by: .seconds(1))
    scheduler.schedule(at: start, action: note("late"))
    scheduler.advance()
    #expect(log.value == ["late at 1000000000"])
  }

  @Test("H5: run() runs everything, and the clock shows the last date")
  func run() throws {
    scheduler.schedule(after: .seconds(3600)) { [scheduler, note = note] in
      scheduler.schedule(after: .seconds(1), action: note("last"))
    }
    scheduler.schedule(at: .distantFuture, action: note("never"))
    try scheduler.run()
    #expect(log.value == ["last at 3601000000000"])
    #expect(scheduler.now == start + .seconds(3601))
  }

  @Test("H5: run() with a repeating timer stops at the limit with an error that says so")
  func runLimit() throws {
    let count = Box(0)
    let timer = scheduler.schedule(after: .zero, every: .seconds(1)) { count.change { $0 += 1 } }
    let error = #expect(throws: TestScheduler.RunLimitReached.self) {
      try scheduler.run(limit: 100)
    }
    #expect(error?.limit == 100)
    #expect(error?.now == start + .seconds(99))
    #expect(error?.description.contains("100 actions have run") == true)
    #expect(count.value == 100)
    // What is left stays scheduled.
    scheduler.advance(by: .seconds(1))
    #expect(count.value == 101)
    timer?.dispose()
    try scheduler.run(limit: 0)
  }

  @Test("H5: run() reaches its default limit too")
  func runDefaultLimit() {
    scheduler.schedule(after: .zero, every: .nanoseconds(1)) {}
    #expect(throws: TestScheduler.RunLimitReached.self) { try scheduler.run() }
  }

  @Test("H4: tick n of a timer is due at start + n · interval")
  func ticks() {
    let timer = scheduler.schedule(
      after: .nanoseconds(5), every: .nanoseconds(10), action: note("tick"))
    scheduler.advance(by: .nanoseconds(4))
    scheduler.advance(by: .nanoseconds(30))
    #expect(log.value == ["tick at 5", "tick at 15", "tick at 25"])
    timer?.dispose()
    scheduler.advance(by: .nanoseconds(100))
    #expect(log.value.count == 3)
  }

  @Test("H4: ticks that were missed become one, and those after it keep to the grid")
  func missedTicks() {
    scheduler.schedule(after: .zero, every: .nanoseconds(10)) { [scheduler, log, note = note] in
      note("tick")()
      if log.value.count == 1 { scheduler.advance(by: .nanoseconds(35)) }
    }
    scheduler.advance(by: .nanoseconds(50))
    #expect(log.value == ["tick at 0", "tick at 35", "tick at 40", "tick at 50"])
  }

  @Test("H3: an action that was disposed of never begins, also by an action of the same date")
  func disposed() {
    let second = SerialDisposable()
    scheduler.schedule(after: .nanoseconds(1)) { second.dispose() }
    second.inner = scheduler.schedule(after: .nanoseconds(1), action: note("second"))
    scheduler.schedule(after: .nanoseconds(1), action: note("third"))
    scheduler.advance(by: .nanoseconds(1))
    #expect(log.value == ["third at 1"])
  }

  @Test("an agenda full of disposed actions is swept, and keeps its order")
  func swept() {
    for number in 0..<1000 {
      let handle = scheduler.schedule(after: .nanoseconds(1000 - number)) { [log] in
        log.append("\(number)")
      }
      if number % 100 != 0 { handle?.dispose() }
    }
    scheduler.advance(by: .seconds(1))
    #expect(log.value == (0..<10).map { "\(900 - $0 * 100)" })
  }

  @Test("the clock can be moved back, and what has run stays run")
  func rewind() {
    scheduler.schedule(after: .nanoseconds(10), action: note("a"))
    scheduler.advance(by: .nanoseconds(10))
    scheduler.rewind(by: .nanoseconds(5))
    #expect(scheduler.now == start + .nanoseconds(5))
    scheduler.schedule(after: .nanoseconds(1), action: note("b"))
    scheduler.advance(by: .nanoseconds(5))
    #expect(log.value == ["a at 10", "b at 6"])
  }

  @Test("the clock starts where it is told to")
  func startDate() {
    let late = SchedulerInstant(nanoseconds: 5_000_000_000)
    #expect(TestScheduler(startingAt: late).now == late)
  }

  @Test("H5: several threads may schedule while the clock moves, and nothing is lost")
  func threads() throws {
    let count = Box(0)
    onThreads(4) { [scheduler] index in
      for step in 0..<500 {
        scheduler.schedule(after: .nanoseconds(step)) { count.change { $0 += 1 } }
        if index == 0 { scheduler.advance(by: .nanoseconds(1)) }
      }
    }
    try scheduler.run()
    #expect(count.value == 2000)
  }

  @Test("pending actions do not keep the scheduler alive")
  func released() {
    weak var released: TestScheduler?
    do {
      let scheduler = TestScheduler()
      released = scheduler
      scheduler.schedule(after: .seconds(1)) {}
      scheduler.schedule(after: .seconds(1), every: .seconds(1)) {}
    }
    #expect(released == nil)
  }
}
