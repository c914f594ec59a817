import Dispatch
import Testing
import VarveReactive
import VarveTestRig

@Suite("Schedulers.current")
struct CurrentSchedulerTests {
  @Test("H6: inside an action it is the scheduler that runs it")
  func inside() {
    let scheduler = QueueScheduler(name: "current")
    let found = Box<[Bool]>([])
    scheduler.schedule { found.append(Schedulers.current === scheduler) }
    scheduler.schedule(after: .zero) { found.append(Schedulers.current === scheduler) }
    let done = DispatchSemaphore(value: 0)
    let timer = scheduler.schedule(after: .zero, every: .milliseconds(1)) {
      found.append(Schedulers.current === scheduler)
      done.signal()
    }
    done.waitInTime()
    done.waitInTime()
    timer?.dispose()
    scheduler.queue.sync {}
    #expect(found.value.count >= 4)
    #expect(found.value.allSatisfy { $0 })
  }

  @Test("H6: it is nil elsewhere, also on the queue's thread between actions")
  func elsewhere() {
    let scheduler = QueueScheduler(name: "between")
    #expect(onFreshThread { Schedulers.current == nil } == true)
    let between = Box<[Bool]>([])
    scheduler.schedule {}
    scheduler.queue.async { between.append(Schedulers.current == nil) }
    scheduler.schedule {}
    scheduler.queue.async { between.append(Schedulers.current == nil) }
    let isOver = DispatchSemaphore(value: 0)
    scheduler.queue.async { isOver.signal() }
    isOver.waitInTime()
    #expect(between.value == [true, true])
  }

  @Test("H6: an action within an action hides the outer scheduler until it has returned")
  func nested() {
    let (outer, inner, virtual) = (
      QueueScheduler(name: "outer"), ImmediateScheduler(), TestScheduler()
    )
    let found = Box<[Bool]>([])
    outer.schedule {
      inner.schedule { found.append(Schedulers.current === inner) }
      found.append(Schedulers.current === outer)
      virtual.schedule { found.append(Schedulers.current === virtual) }
      virtual.advance()
      found.append(Schedulers.current === outer)
    }
    outer.queue.sync {}
    #expect(found.value == [true, true, true, true])
  }

  @MainActor
  @Test("H6: on the main thread outside all actions it is the main queue's scheduler")
  func main() {
    #expect(Schedulers.current === QueueScheduler.main)
    let scheduler = UIScheduler()
    let found = Box(false)
    scheduler.schedule { found.set(Schedulers.current === scheduler) }
    #expect(found.value)
  }
}
