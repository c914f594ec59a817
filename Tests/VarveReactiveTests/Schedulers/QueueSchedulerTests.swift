import Dispatch
import Testing
import VarveReactive
import VarveTestRig

@Suite("QueueScheduler")
struct QueueSchedulerTests {
  private let scheduler = QueueScheduler(name: "queue scheduler tests")

  /// Waits until everything that was scheduled has run.
  private func drain() {
    scheduler.queue.sync {}
  }

  @Test("H1: actions run in the order of scheduling")
  func order() {
    let log = Box<[Int]>([])
    for number in 0..<10_000 { scheduler.schedule { log.append(number) } }
    drain()
    #expect(log.value == Array(0..<10_000))
  }

  @Test("H1: actions run one at a time, and each thread's in its order")
  func serial() {
    let running = Box(0)
    let overlaps = Box(0)
    let log = Box<[[Int]]>(Array(repeating: [], count: 4))
    onThreads(4) { [scheduler] thread in
      for number in 0..<1000 {
        scheduler.schedule {
          if running.change({
            $0 += 1; return $0
          }) > 1 {
            overlaps.change { $0 += 1 }
          }
          log.change { $0[thread].append(number) }
          running.change { $0 -= 1 }
        }
      }
    }
    drain()
    #expect(overlaps.value == 0)
    #expect(log.value == Array(repeating: Array(0..<1000), count: 4))
  }

  @Test("H1: an action never runs inside the call, not even on the scheduler's own queue")
  func neverInside() {
    let log = Box<[String]>([])
    scheduler.queue.sync {
      scheduler.schedule { log.append("first") }
      log.append("scheduled")
    }
    scheduler.schedule { [scheduler] in
      scheduler.schedule { log.append("second") }
      log.append("scheduled again")
    }
    drain()
    drain()
    #expect(log.value == ["scheduled", "first", "scheduled again", "second"])
  }

  @Test("H1: blocks given to the queue itself keep their place among the actions")
  func mixed() {
    let log = Box<[Int]>([])
    for number in stride(from: 0, to: 1000, by: 2) {
      scheduler.schedule { log.append(number) }
      scheduler.queue.async { log.append(number + 1) }
    }
    drain()
    #expect(log.value == Array(0..<1000))
  }

  @Test("H1: schedulers that target one serial queue never run at the same time")
  func targets() {
    let target = DispatchQueue(label: "target")
    let running = Box(0)
    let overlaps = Box(0)
    let schedulers = (0..<3).map { QueueScheduler(name: "\($0)", targeting: target) }
    for _ in 0..<300 {
      for scheduler in schedulers {
        scheduler.schedule {
          if running.change({
            $0 += 1; return $0
          }) > 1 {
            overlaps.change { $0 += 1 }
          }
          running.change { $0 -= 1 }
        }
      }
    }
    for scheduler in schedulers { scheduler.queue.sync {} }
    #expect(overlaps.value == 0)
  }

  @Test("H3: an action that was disposed of before it began never begins")
  func disposed() {
    let log = Box<[Int]>([])
    scheduler.queue.sync {
      for number in 0..<10 {
        let handle = scheduler.schedule { log.append(number) }
        if number.isMultiple(of: 3) { handle?.dispose() }
      }
    }
    drain()
    #expect(log.value == [1, 2, 4, 5, 7, 8])
  }

  @Test("H3: disposing while the queue is about to begin never runs an action twice or half")
  func disposedMeanwhile() {
    let ran = Box(0)
    let kept = Box(0)
    for _ in 0..<2000 {
      let token = AnyDisposable { kept.change { $0 -= 1 } }
      kept.change { $0 += 1 }
      let scope = ScopedDisposable(token)
      let handle = scheduler.schedule {
        withExtendedLifetime(scope) { ran.change { $0 += 1 } }
      }
      handle?.dispose()
      handle?.dispose()
      #expect(handle?.isDisposed == true)
    }
    drain()
    #expect(ran.value <= 2000)
    #expect(kept.value == 0, "an action outlived its run or its disposal")
  }

  @Test("a disposed action is released at once, and one that has run when it has")
  func releases() {
    weak var disposed: Box<Int>?
    weak var run: Box<Int>?
    var handles: [(any Disposable)?] = []
    scheduler.queue.sync {
      let (first, second) = (Box(0), Box(0))
      (disposed, run) = (first, second)
      handles.append(scheduler.schedule { first.set(1) })
      handles.append(scheduler.schedule { second.set(1) })
      handles[0]?.dispose()
    }
    #expect(disposed == nil)
    drain()
    #expect(run == nil)
    #expect(handles[1]?.isDisposed == false)
  }

  @Test("pending actions keep their scheduler alive, and it goes when they have run")
  func keptAlive() {
    let done = DispatchSemaphore(value: 0)
    let current = Box<Bool?>(nil)
    weak var scheduler: QueueScheduler?
    let queue: DispatchQueue
    do {
      let strong = QueueScheduler(name: "short-lived")
      scheduler = strong
      queue = strong.queue
      strong.schedule(after: .milliseconds(1)) {
        current.set(Schedulers.current is QueueScheduler)
        done.signal()
      }
    }
    done.waitInTime()
    queue.sync {}
    #expect(current.value == true)
    #expect(scheduler == nil)
  }

  @Test("what is queued runs in order, and knows its queue, when nobody keeps the scheduler")
  func notKept() {
    let log = Box<[String]>([])
    weak var released: QueueScheduler?
    let queue: DispatchQueue
    do {
      let scheduler = QueueScheduler(name: "forgotten")
      released = scheduler
      queue = scheduler.queue
      queue.suspend()
      for number in 0..<3 {
        scheduler.schedule {
          let current = Schedulers.current
          log.append("\(number) on \(current.map { "\($0)" } ?? "nothing")")
          if number == 0 { current?.schedule { log.append("last") } }
        }
      }
    }
    #expect(released == nil)
    queue.resume()
    queue.sync {}
    queue.sync {}
    let name = "QueueScheduler(forgotten)"
    #expect(log.value == ["0 on \(name)", "1 on \(name)", "2 on \(name)", "last"])
  }

  @Test("it is shown with its name")
  func description() {
    #expect(scheduler.description == "QueueScheduler(queue scheduler tests)")
    #expect(QueueScheduler.main.description == "QueueScheduler.main")
    #expect(QueueScheduler.main.queue.label == DispatchQueue.main.label)
  }
}
