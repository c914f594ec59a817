import Testing
import VarveReactive
import VarveTestRig

@Suite("timeout(after:raising:on:)") struct TimeoutTests {
  private func rig(_ kind: StreamKind) -> (TimedRig, (any Disposable)?) {
    let rig = TimedRig()
    let scheduler = rig.scheduler
    let disposable = rig.watch(
      kind, { $0.timeout(after: .milliseconds(10), raising: Problem(), on: scheduler) },
      { $0.timeout(after: .milliseconds(10), raising: Problem(), on: scheduler) })
    return (rig, disposable)
  }

  @Test("a stream that has not ended in time fails", arguments: StreamKind.allCases)
  func tooLate(kind: StreamKind) {
    let (rig, _) = rig(kind)
    rig.send(1, at: 9)
    #expect(rig.log.value == ["9 VALUE 1"])
    rig.send(2, at: 20)
    rig.input.sendCompleted()
    #expect(rig.log.value == ["9 VALUE 1", "10 FAILED problem"])
  }

  @Test("H3: a stream that ends in time leaves nothing scheduled", arguments: StreamKind.allCases)
  func inTime(kind: StreamKind) throws {
    let (rig, _) = rig(kind)
    rig.send(1, at: 9)
    rig.input.sendCompleted()
    try rig.scheduler.run()
    #expect(rig.log.value == ["9 VALUE 1", "9 COMPLETED"])
    #expect(rig.scheduler.now.nanoseconds == 9_000_000)
  }

  @Test("E3: the stream's own failure is forwarded at once", arguments: StreamKind.allCases)
  func failure(kind: StreamKind) {
    let (rig, _) = rig(kind)
    rig.advance(to: 3)
    rig.input.send(error: Problem())
    #expect(rig.log.value == ["3 FAILED problem"])
  }

  @Test("P4: disposing of a start interrupts it and stops the timer")
  func disposal() throws {
    let (rig, disposable) = rig(.producer)
    rig.send(1, at: 3)
    disposable?.dispose()
    try rig.scheduler.run()
    #expect(rig.log.value == ["3 VALUE 1", "3 INTERRUPTED"])
  }

  @Test("E9: a stream that cannot fail gets the failure's type", arguments: StreamKind.allCases)
  func neverFailing(kind: StreamKind) {
    let rig = TimedRig()
    let scheduler = rig.scheduler
    let (signal, input) = Signal<Int, Never>.pipe()
    rig.watch(
      kind,
      { _ in signal.timeout(after: .milliseconds(10), raising: Problem(), on: scheduler) },
      { _ in
        SignalProducer(signal).timeout(after: .milliseconds(10), raising: Problem(), on: scheduler)
      })
    input.send(value: 1)
    rig.advance(to: 20)
    #expect(rig.log.value == ["0 VALUE 1", "10 FAILED problem"])
  }

  @Test("P6: a timeout stops work that does not return")
  func stopsWork() {
    let queue = QueueScheduler(name: "timeout")
    let failed = Box(false)
    let work = SignalProducer<Int, Problem> { observer, lifetime in
      while !lifetime.hasEnded { observer.send(value: 1) }
    }
    onThreads(1) { _ in
      work.timeout(after: .milliseconds(5), raising: Problem(), on: queue)
        .startWithFailed { _ in failed.set(true) }
    }
    #expect(failed.value)
  }
}
