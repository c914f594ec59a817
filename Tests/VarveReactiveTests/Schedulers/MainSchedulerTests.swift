import Dispatch
import Testing
import VarveReactive
import VarveTestRig

@Suite("Schedulers inside the call")
struct ImmediateSchedulerTests {
  @Test("H2: the immediate scheduler runs inside the call")
  func immediate() {
    let count = Box(0)
    let handle = ImmediateScheduler().schedule { count.change { $0 += 1 } }
    #expect(count.value == 1)
    #expect(handle == nil)
  }
}

@MainActor
@Suite("UIScheduler")
struct UISchedulerTests {
  private let scheduler = UIScheduler()
  private let log = Box<[String]>([])

  @Test("H2: it runs inside the call on the main thread with nothing queued")
  func inside() {
    let handle = scheduler.schedule { [log] in log.append("ran") }
    #expect(handle == nil)
    #expect(log.value == ["ran"])
    scheduler.schedule { [log] in log.append("ran again") }
    #expect(log.value == ["ran", "ran again"])
  }

  @Test("H2: it keeps the order when something is queued already")
  func queued() async {
    let (scheduler, log) = (scheduler, log)
    onThreads(1) { _ in scheduler.schedule { log.append("from elsewhere") } }
    scheduler.schedule { log.append("from main") }
    #expect(log.value == [])
    await withCheckedContinuation { done in scheduler.schedule { done.resume() } }
    #expect(log.value == ["from elsewhere", "from main"])
    scheduler.schedule { log.append("inside again") }
    #expect(log.value == ["from elsewhere", "from main", "inside again"])
  }

  @Test("H2: what an action schedules comes after it")
  func nested() async {
    let (scheduler, log) = (scheduler, log)
    await withCheckedContinuation { done in
      scheduler.schedule {
        scheduler.schedule {
          log.append("second")
          done.resume()
        }
        log.append("first")
      }
    }
    #expect(log.value == ["first", "second"])
  }

  @Test("H2: from elsewhere it runs on the main thread, in order")
  func elsewhere() async {
    let (scheduler, log) = (scheduler, log)
    await withCheckedContinuation { done in
      onThreads(1) { _ in
        for number in 0..<100 {
          scheduler.schedule {
            MainActor.assertIsolated()
            log.append("\(number)")
          }
        }
        scheduler.schedule { done.resume() }
      }
    }
    #expect(log.value == (0..<100).map { "\($0)" })
  }

  @Test("H3: a queued action that is disposed of never begins, and those after it do")
  func disposed() async {
    let (scheduler, log) = (scheduler, log)
    onThreads(1) { _ in
      let first = scheduler.schedule { log.append("disposed of") }
      scheduler.schedule { log.append("left alone") }
      first?.dispose()
    }
    await withCheckedContinuation { done in scheduler.schedule { done.resume() } }
    #expect(log.value == ["left alone"])
    scheduler.schedule { log.append("inside") }
    #expect(log.value == ["left alone", "inside"])
  }

  @Test("H1: the main queue's scheduler never runs inside the call")
  func mainQueue() async {
    let log = log
    await withCheckedContinuation { done in
      QueueScheduler.main.schedule {
        MainActor.assertIsolated()
        log.append("ran")
        done.resume()
      }
      log.append("scheduled")
    }
    #expect(log.value == ["scheduled", "ran"])
  }
}
