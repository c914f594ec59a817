import Dispatch
import Testing
import VarveReactive
import VarveTestRig

/// Real time passes here: what is asserted is never that something came in time, only that it did
/// not come early and in which order.
@Suite("QueueScheduler's clock")
struct QueueTimeTests {
  private let scheduler = QueueScheduler(name: "queue time tests")
  private let done = DispatchSemaphore(value: 0)

  @Test("H4: an action never runs early")
  func neverEarly() {
    let early = Box(0)
    for milliseconds in [0, 1, 1, 2, 3, 5, 8, 13, 20] {
      let due = scheduler.now + .milliseconds(milliseconds) + .nanoseconds(1)
      scheduler.schedule(at: due) { [scheduler, done] in
        if scheduler.now < due { early.change { $0 += 1 } }
        done.signal()
      }
    }
    for _ in 0..<9 { done.waitInTime() }
    #expect(early.value == 0)
  }

  @Test("H4: actions come in order of their dates, and of scheduling where dates are equal")
  func dates() {
    let log = Box<[Int]>([])
    // Far enough ahead that all are scheduled before the first is due.
    let start = scheduler.now + .seconds(2)
    for number in (0..<20).reversed() {
      scheduler.schedule(at: start + .microseconds(number / 2)) { log.append(number) }
    }
    scheduler.schedule(at: start + .milliseconds(1)) { [done] in done.signal() }
    done.waitInTime()
    // Spelled out for the type checker, which would take seconds.
    let expected: [Int] = (0..<10).flatMap { (pair: Int) -> [Int] in [2 * pair + 1, 2 * pair] }
    #expect(log.value == expected)
  }

  @Test("H1: a date in the past is no way into the call")
  func past() {
    let log = Box<[String]>([])
    scheduler.queue.sync {
      scheduler.schedule(at: scheduler.now - .seconds(1)) { [done] in
        log.append("late")
        done.signal()
      }
      log.append("scheduled")
    }
    done.waitInTime()
    #expect(log.value == ["scheduled", "late"])
  }

  @Test("work that sets itself dates in the past leaves room for other work")
  func fair() {
    let isOver = Box(false)
    scheduler.scheduleEndlessly(until: isOver)
    scheduler.schedule(after: .milliseconds(2)) { [scheduler, done] in
      scheduler.schedule {
        isOver.set(true)
        done.signal()
      }
    }
    done.waitInTime()
    #expect(isOver.value)
  }

  @Test("H3: an action that is disposed of before its date never begins")
  func disposed() {
    let log = Box<[Int]>([])
    for number in 0..<300 {
      let handle = scheduler.schedule(after: .milliseconds(3)) { log.append(number) }
      if number != 150 { handle?.dispose() }
    }
    scheduler.schedule(after: .milliseconds(10)) { [done] in done.signal() }
    done.waitInTime()
    #expect(log.value == [150])
  }

  @Test("an action that is never due waits for ever, and harms nobody")
  func never() {
    let ran = Box(false)
    let handle = scheduler.schedule(at: .distantFuture) { ran.set(true) }
    let other = scheduler.schedule(after: .seconds(Int64.max)) { ran.set(true) }
    scheduler.schedule(after: .milliseconds(1)) { [done] in done.signal() }
    done.waitInTime()
    #expect(!ran.value)
    handle?.dispose()
    other?.dispose()
  }

  @Test("H4: tick n does not come before start + n · interval")
  func ticks() {
    let times = Box<[SchedulerInstant]>([])
    let start = scheduler.now + .milliseconds(2)
    let timer = scheduler.schedule(at: start, every: .milliseconds(2), leeway: .zero) {
      [scheduler, done] in
      times.append(scheduler.now)
      done.signal()
    }
    for _ in 0..<10 { done.waitInTime() }
    timer?.dispose()
    scheduler.queue.sync {}
    for (tick, time) in times.value.enumerated() {
      #expect(time >= start + .milliseconds(2 * tick))
    }
  }

  @Test("H4: missed ticks become one, and those after it keep to the grid")
  func coalescing() {
    let times = Box<[SchedulerInstant]>([])
    let interval = Duration.milliseconds(4)
    let start = scheduler.now
    let timer = scheduler.schedule(at: start, every: interval, leeway: .zero) {
      [scheduler, done] in
      times.append(scheduler.now)
      if times.value.count == 1 { while scheduler.now < start + interval * 10 {} }
      if times.value.count <= 3 { done.signal() }
    }
    for _ in 0..<3 { done.waitInTime() }
    timer?.dispose()
    // Ticks 1 to 9 were missed: one of them comes at once, and the next is tick 11 or later.
    #expect(times.value[1] >= start + interval * 10)
    #expect(times.value[2] >= start + interval * 11)
  }

  @Test("H4: a timer does not overlap itself")
  func overlap() {
    let running = Box(0)
    let overlaps = Box(0)
    let timer = scheduler.schedule(after: .zero, every: .microseconds(200)) { [scheduler, done] in
      if running.change({
        $0 += 1; return $0
      }) > 1 {
        overlaps.change { $0 += 1 }
      }
      let end = scheduler.now + .microseconds(300)
      while scheduler.now < end {}
      running.change { $0 -= 1 }
      done.signal()
    }
    for _ in 0..<20 { done.waitInTime() }
    timer?.dispose()
    #expect(overlaps.value == 0)
  }

  @Test("H3: a timer that is disposed of, also from its own tick, does not tick again")
  func disposedTimer() {
    let count = Box(0)
    let handle = Box<(any Disposable)?>(nil)
    scheduler.queue.sync {
      handle.set(
        scheduler.schedule(after: .zero, every: .milliseconds(1)) {
          count.change { $0 += 1 }
          handle.value?.dispose()
        })
    }
    scheduler.schedule(after: .milliseconds(10)) { [done] in done.signal() }
    done.waitInTime()
    #expect(count.value == 1)
    #expect(handle.value?.isDisposed == true)
  }

  @Test("a timer runs on when its disposable is dropped, and releases its action when disposed of")
  func timerLifetime() {
    weak var captured: Box<Int>?
    var handle: (any Disposable)?
    do {
      let box = Box(0)
      captured = box
      handle = scheduler.schedule(after: .zero, every: .milliseconds(1)) { [done] in
        box.change { $0 += 1 }
        done.signal()
      }
    }
    for _ in 0..<3 { done.waitInTime() }
    handle?.dispose()
    scheduler.queue.sync {}
    handle = nil
    #expect(captured == nil)

    let dropped = Box(0)
    let end = SerialDisposable()
    end.inner = scheduler.schedule(after: .zero, every: .milliseconds(1)) { [done] in
      dropped.change { $0 += 1 }
      if dropped.value == 3 { done.signal() }
    }
    done.waitInTime()
    end.dispose()
  }
}

extension QueueScheduler {
  fileprivate func scheduleEndlessly(until isOver: Box<Bool>) {
    schedule(at: now - .seconds(1)) {
      if !isOver.value { self.scheduleEndlessly(until: isOver) }
    }
  }
}
