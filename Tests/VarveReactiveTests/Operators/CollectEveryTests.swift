import Testing
import VarveReactive
import VarveTestRig

@Suite("collect(every:on:skipEmpty:discardWhenCompleted:)") struct CollectEveryTests {
  private func rig(
    _ kind: StreamKind, skipEmpty: Bool = false, discardWhenCompleted: Bool = true
  ) -> (TimedRig, (any Disposable)?) {
    let rig = TimedRig()
    let scheduler = rig.scheduler
    let disposable = rig.watch(
      kind,
      {
        $0.collect(
          every: .milliseconds(10), on: scheduler, skipEmpty: skipEmpty,
          discardWhenCompleted: discardWhenCompleted)
      },
      {
        $0.collect(
          every: .milliseconds(10), on: scheduler, skipEmpty: skipEmpty,
          discardWhenCompleted: discardWhenCompleted)
      })
    return (rig, disposable)
  }

  @Test("what came in each interval comes at its end", arguments: StreamKind.allCases)
  func slices(kind: StreamKind) {
    let (rig, disposable) = rig(kind)
    rig.send(1, 2, at: 3)
    rig.send(3, at: 9)
    rig.send(4, at: 21)
    rig.advance(to: 30)
    #expect(rig.log.value == ["10 VALUE [1, 2, 3]", "20 VALUE []", "30 VALUE [4]"])
    disposable?.dispose()
  }

  @Test("intervals without a value can be passed over", arguments: StreamKind.allCases)
  func skipping(kind: StreamKind) {
    let (rig, disposable) = rig(kind, skipEmpty: true)
    rig.send(1, at: 3)
    rig.send(2, at: 21)
    rig.advance(to: 60)
    #expect(rig.log.value == ["10 VALUE [1]", "30 VALUE [2]"])
    disposable?.dispose()
  }

  @Test("completion drops what was gathered, and stops the timer", arguments: StreamKind.allCases)
  func completion(kind: StreamKind) throws {
    let (rig, _) = rig(kind)
    rig.send(1, at: 3)
    rig.input.sendCompleted()
    #expect(rig.log.value == [])
    try rig.scheduler.run(limit: 10)
    #expect(rig.log.value == ["3 COMPLETED"])
  }

  @Test(
    "completion waits for the next tick when nothing is to be dropped",
    arguments: StreamKind.allCases, [true, false])
  func flushing(kind: StreamKind, skipEmpty: Bool) throws {
    let (rig, _) = rig(kind, skipEmpty: skipEmpty, discardWhenCompleted: false)
    rig.send(1, at: 3)
    rig.input.sendCompleted()
    try rig.scheduler.run(limit: 10)
    #expect(rig.log.value == ["10 VALUE [1]", "10 COMPLETED"])
  }

  @Test(
    "E3: a failure comes at once, on the scheduler, and drops what was gathered",
    arguments: StreamKind.allCases, [true, false])
  func failure(kind: StreamKind, discardWhenCompleted: Bool) throws {
    let (rig, _) = rig(kind, discardWhenCompleted: discardWhenCompleted)
    rig.send(1, at: 3)
    rig.input.send(error: Problem())
    #expect(rig.log.value == [])
    try rig.scheduler.run(limit: 10)
    #expect(rig.log.value == ["3 FAILED problem"])
  }

  @Test("P5: disposing stops the timer")
  func disposal() throws {
    let (rig, disposable) = rig(.producer)
    rig.send(1, at: 3)
    disposable?.dispose()
    try rig.scheduler.run(limit: 10)
    #expect(rig.log.value == ["3 INTERRUPTED"])
  }
}
