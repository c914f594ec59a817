import Testing
import VarveReactive
import VarveTestRig

@Suite("debounce") struct DebounceTests {
  private func rig(
    _ kind: StreamKind, discardWhenCompleted: Bool = true
  ) -> (TimedRig, (any Disposable)?) {
    let rig = TimedRig()
    let scheduler = rig.scheduler
    let disposable = rig.watch(
      kind,
      {
        $0.debounce(
          .milliseconds(10), on: scheduler, discardWhenCompleted: discardWhenCompleted)
      },
      {
        $0.debounce(
          .milliseconds(10), on: scheduler, discardWhenCompleted: discardWhenCompleted)
      })
    return (rig, disposable)
  }

  @Test("a value comes when none has followed it for the interval", arguments: StreamKind.allCases)
  func quiet(kind: StreamKind) {
    let (rig, _) = rig(kind)
    rig.send(1, at: 0)
    rig.send(2, 3, at: 9)
    rig.advance(to: 18)
    #expect(rig.log.value == [])
    rig.send(4, at: 50)
    rig.advance(to: 100)
    #expect(rig.log.value == ["19 VALUE 3", "60 VALUE 4"])
  }

  @Test("completion drops the value that waits", arguments: StreamKind.allCases)
  func completion(kind: StreamKind) {
    let (rig, _) = rig(kind)
    rig.send(1, at: 3)
    rig.input.sendCompleted()
    #expect(rig.log.value == [])
    rig.advance(to: 100)
    #expect(rig.log.value == ["3 COMPLETED"])
  }

  @Test(
    "completion waits for the value that waits when that is not to be dropped",
    arguments: StreamKind.allCases)
  func flushing(kind: StreamKind) {
    let (rig, _) = rig(kind, discardWhenCompleted: false)
    rig.send(1, at: 3)
    rig.advance(to: 5)
    rig.input.sendCompleted()
    rig.advance(to: 100)
    #expect(rig.log.value == ["13 VALUE 1", "13 COMPLETED"])
  }

  @Test(
    "completion comes at once when there is nothing to flush", arguments: StreamKind.allCases)
  func nothingToFlush(kind: StreamKind) {
    let (rig, _) = rig(kind, discardWhenCompleted: false)
    rig.send(1, at: 3)
    rig.advance(to: 20)
    rig.input.sendCompleted()
    rig.advance(to: 100)
    #expect(rig.log.value == ["13 VALUE 1", "20 COMPLETED"])
  }

  @Test(
    "E3: a failure comes at once, on the scheduler, and drops what waits",
    arguments: StreamKind.allCases, [true, false])
  func failure(kind: StreamKind, discardWhenCompleted: Bool) {
    let (rig, _) = rig(kind, discardWhenCompleted: discardWhenCompleted)
    rig.send(1, at: 3)
    rig.input.send(error: Problem())
    #expect(rig.log.value == [])
    rig.advance(to: 100)
    #expect(rig.log.value == ["3 FAILED problem"])
  }

  @Test(
    "E5: interruption comes at once, on the scheduler, and drops what waits",
    arguments: StreamKind.allCases)
  func interruption(kind: StreamKind) {
    let (rig, _) = rig(kind)
    rig.send(1, at: 3)
    rig.input.sendInterrupted()
    rig.advance(to: 100)
    #expect(rig.log.value == ["3 INTERRUPTED"])
  }

  @Test("H3: disposing leaves nothing scheduled", arguments: StreamKind.allCases)
  func disposal(kind: StreamKind) throws {
    let (rig, disposable) = rig(kind)
    rig.send(1, at: 3)
    disposable?.dispose()
    try rig.scheduler.run()
    #expect(rig.log.value == (kind == .producer ? ["3 INTERRUPTED"] : []))
    #expect(rig.scheduler.now.nanoseconds == 3_000_000)
  }

  @Test("P2: each start waits for itself")
  func starts() {
    let rig = TimedRig()
    let (log, scheduler) = (rig.log, rig.scheduler)
    let debounced = SignalProducer(rig.output).debounce(.milliseconds(10), on: scheduler)
    debounced.startWithResult { log.append("a \($0)") }
    rig.send(1, at: 0)
    rig.advance(to: 5)
    let second = debounced.startWithResult { log.append("b \($0)") }
    rig.send(2, at: 8)
    second.dispose()
    rig.advance(to: 100)
    #expect(rig.log.value == ["a success(2)"])
  }
}

@Suite("debounce(_:on:discardWhenCompleted:where:)") struct SelectiveDebounceTests {
  private func rig(_ kind: StreamKind) -> TimedRig {
    let rig = TimedRig()
    let scheduler = rig.scheduler
    rig.watch(
      kind, { $0.debounce(.milliseconds(10), on: scheduler) { $0 > 0 } },
      { $0.debounce(.milliseconds(10), on: scheduler) { $0 > 0 } })
    return rig
  }

  @Test(
    "values that are not debounced come at once, in the place of one that waits",
    arguments: StreamKind.allCases)
  func atOnce(kind: StreamKind) {
    let rig = rig(kind)
    rig.send(-1, -2, at: 0)
    #expect(rig.log.value == [])
    rig.send(1, at: 2)
    rig.send(2, at: 5)
    rig.send(3, at: 30)
    rig.send(-3, at: 35)
    rig.advance(to: 100)
    #expect(rig.log.value == ["0 VALUE -1", "0 VALUE -2", "15 VALUE 2", "35 VALUE -3"])
  }

  @Test(
    "E3: a failure comes after the values that came at once", arguments: StreamKind.allCases)
  func failure(kind: StreamKind) {
    let rig = rig(kind)
    rig.send(-1, 1, at: 3)
    rig.input.send(error: Problem())
    rig.advance(to: 100)
    #expect(rig.log.value == ["3 VALUE -1", "3 FAILED problem"])
  }
}
