import Testing
import VarveReactive
import VarveTestRig

@Suite("delay(_:on:)") struct DelayTests {
  private func rig(_ kind: StreamKind) -> (TimedRig, (any Disposable)?) {
    let rig = TimedRig()
    let scheduler = rig.scheduler
    let disposable = rig.watch(
      kind, { $0.delay(.milliseconds(10), on: scheduler) },
      { $0.delay(.milliseconds(10), on: scheduler) })
    return (rig, disposable)
  }

  @Test("E4: values and completion come later by the interval", arguments: StreamKind.allCases)
  func delays(kind: StreamKind) {
    let (rig, _) = rig(kind)
    rig.send(1, at: 0)
    rig.send(2, 3, at: 4)
    rig.advance(to: 9)
    #expect(rig.log.value == [])
    rig.advance(to: 13)
    #expect(rig.log.value == ["10 VALUE 1"])
    rig.input.sendCompleted()
    rig.advance(to: 100)
    #expect(rig.log.value == ["10 VALUE 1", "14 VALUE 2", "14 VALUE 3", "23 COMPLETED"])
  }

  @Test(
    "E3: a failure comes at once, on the scheduler, and drops what waits",
    arguments: StreamKind.allCases)
  func failure(kind: StreamKind) {
    let (rig, _) = rig(kind)
    rig.send(1, at: 0)
    rig.send(2, at: 5)
    rig.advance(to: 11)
    rig.input.send(error: Problem())
    #expect(rig.log.value == ["10 VALUE 1"])
    rig.scheduler.advance()
    rig.advance(to: 100)
    #expect(rig.log.value == ["10 VALUE 1", "11 FAILED problem"])
  }

  @Test(
    "E5: interruption comes at once, on the scheduler, and drops what waits",
    arguments: StreamKind.allCases)
  func interruption(kind: StreamKind) {
    let (rig, _) = rig(kind)
    rig.send(1, at: 3)
    rig.input.sendInterrupted()
    #expect(rig.log.value == [])
    rig.advance(to: 100)
    #expect(rig.log.value == ["3 INTERRUPTED"])
  }

  @Test("H3: disposing leaves nothing scheduled", arguments: StreamKind.allCases)
  func disposal(kind: StreamKind) throws {
    let (rig, disposable) = rig(kind)
    rig.send(1, 2, at: 3)
    rig.input.sendCompleted()
    disposable?.dispose()
    try rig.scheduler.run(limit: 1)
    #expect(rig.log.value == (kind == .producer ? ["3 INTERRUPTED"] : []))
    #expect(rig.scheduler.now.nanoseconds == 3_000_000)
  }

  @Test("order holds when the clock is set back", arguments: StreamKind.allCases)
  func rewinding(kind: StreamKind) {
    let (rig, _) = rig(kind)
    rig.send(1, at: 20)
    rig.scheduler.rewind(by: .milliseconds(15))
    rig.input.send(value: 2)
    rig.advance(to: 100)
    #expect(rig.log.value == ["15 VALUE 1", "30 VALUE 2"])
  }
}
