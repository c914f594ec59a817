import CVarveSystem
import Dispatch
import Testing
import VarveReactive
import VarveTestRig

@Suite("start(on:)") struct StartOnTests {
  @Test("H11: the start moves to the scheduler, and nothing else does")
  func start() {
    let scheduler = TestScheduler()
    let (signal, input) = Signal<Int, Never>.pipe()
    let log = Box<[String]>([])
    let work = SignalProducer<Int, Never> { observer, lifetime in
      log.append("started")
      observer.send(value: 0)
      lifetime += signal.observe(observer)
    }
    work.start(on: scheduler).start { log.append("\($0)") }
    #expect(log.value == [])
    scheduler.advance()
    #expect(log.value == ["started", "VALUE 0"])
    input.send(value: 1)
    input.sendCompleted()
    #expect(log.value == ["started", "VALUE 0", "VALUE 1", "COMPLETED"])
  }

  @Test("H3: a start that was disposed of before its turn does no work")
  func disposal() {
    let scheduler = TestScheduler()
    let log = Box<[String]>([])
    let work = SignalProducer<Int, Never> { _, _ in log.append("started") }
    let disposable = work.start(on: scheduler).start { log.append("\($0)") }
    disposable.dispose()
    #expect(log.value == ["INTERRUPTED"])
    scheduler.advance()
    #expect(log.value == ["INTERRUPTED"])
  }

  @Test("P4: disposing during the work stops it, on whichever thread it runs")
  func disposalDuringWork() {
    let queue = QueueScheduler(name: "busy")
    let began = DispatchSemaphore(value: 0)
    let events = Box<[String]>([])
    let work = SignalProducer<Int, Never> { observer, lifetime in
      began.signal()
      while !lifetime.hasEnded { observer.send(value: 1) }
    }
    let disposable = work.start(on: queue).start {
      if $0.isTerminating { events.append("\($0)") }
    }
    began.waitInTime()
    disposable.dispose()
    queue.queue.sync {}
    #expect(events.value == ["INTERRUPTED"])
  }

  @Test("H9: applying it starts nothing")
  func application() {
    let scheduler = TestScheduler()
    let log = Box<[String]>([])
    _ = SignalProducer<Int, Never> { _, _ in log.append("started") }.start(on: scheduler)
    scheduler.advance()
    #expect(log.value == [])
  }
}

@Suite("startOnCurrentScheduler()") struct StartOnCurrentSchedulerTests {
  private let starts = Box<[Thread]>([])

  private enum Thread: Equatable {
    case caller, background
  }

  private func startsHere() -> Thread {
    let caller = vv_thread_system_id()
    let done = DispatchSemaphore(value: 0)
    let thread = Box<UInt64>(0)
    let scheduler = Box<(any Scheduler)?>(nil)
    let work = SignalProducer<Int, Never> { _, _ in
      thread.set(vv_thread_system_id())
      scheduler.set(Schedulers.current)
      done.signal()
    }
    work.startOnCurrentScheduler().start()
    done.waitInTime()
    #expect(scheduler.value != nil)
    return thread.value == caller ? .caller : .background
  }

  @Test("P7: on a scheduler the work starts at once")
  func onScheduler() {
    let queue = QueueScheduler(name: "current")
    let done = DispatchSemaphore(value: 0)
    queue.schedule {
      starts.append(startsHere())
      done.signal()
    }
    done.waitInTime()
    #expect(starts.value == [.caller])
  }

  @Test("P7: on a thread without a scheduler the work starts on a background scheduler")
  func elsewhere() {
    onThreads(1) { _ in starts.append(startsHere()) }
    #expect(starts.value == [.background])
  }

  @MainActor
  @Test("P7: on the main thread the work starts at once")
  func onMainThread() {
    #expect(startsHere() == .caller)
  }
}
