import Testing
import VarveReactive
import VarveTestRig

@Suite("throttle(_:on:)") struct ThrottleTests {
  private func rig(_ kind: StreamKind) -> (TimedRig, (any Disposable)?) {
    let rig = TimedRig()
    let scheduler = rig.scheduler
    let disposable = rig.watch(
      kind, { $0.throttle(.milliseconds(10), on: scheduler) },
      { $0.throttle(.milliseconds(10), on: scheduler) })
    return (rig, disposable)
  }

  @Test("at most one value comes in each interval: the latest", arguments: StreamKind.allCases)
  func pace(kind: StreamKind) {
    let (rig, _) = rig(kind)
    rig.send(0, at: 0)
    #expect(rig.log.value == [])
    rig.send(1, at: 2)
    rig.send(2, at: 9)
    rig.send(3, at: 13)
    rig.send(4, at: 40)
    rig.send(5, 6, at: 41)
    rig.advance(to: 100)
    #expect(
      rig.log.value == ["0 VALUE 0", "10 VALUE 2", "20 VALUE 3", "40 VALUE 4", "50 VALUE 6"])
  }

  @Test("of values that come at once, the latest comes", arguments: StreamKind.allCases)
  func burst(kind: StreamKind) {
    let (rig, _) = rig(kind)
    rig.send(1, 2, 3, at: 5)
    rig.advance(to: 100)
    #expect(rig.log.value == ["5 VALUE 3"])
  }

  @Test("a clock that is set back holds nothing back", arguments: StreamKind.allCases)
  func rewinding(kind: StreamKind) {
    let (rig, _) = rig(kind)
    rig.send(1, at: 50)
    rig.scheduler.advance()
    rig.scheduler.rewind(by: .milliseconds(20))
    rig.send(2, at: 30)
    rig.scheduler.advance()
    #expect(rig.log.value == ["50 VALUE 1", "30 VALUE 2"])
  }

  @Test("completion comes at once and drops what waits", arguments: StreamKind.allCases)
  func completion(kind: StreamKind) {
    let (rig, _) = rig(kind)
    rig.send(1, at: 0)
    rig.send(2, at: 3)
    rig.input.sendCompleted()
    #expect(rig.log.value == ["0 VALUE 1"])
    rig.advance(to: 100)
    #expect(rig.log.value == ["0 VALUE 1", "3 COMPLETED"])
  }

  @Test(
    "E3: a failure comes at once, on the scheduler, and drops what waits",
    arguments: StreamKind.allCases)
  func failure(kind: StreamKind) {
    let (rig, _) = rig(kind)
    rig.send(1, at: 0)
    rig.send(2, at: 3)
    rig.input.send(error: Problem())
    #expect(rig.log.value == ["0 VALUE 1"])
    rig.advance(to: 100)
    #expect(rig.log.value == ["0 VALUE 1", "3 FAILED problem"])
  }

  @Test("H3: disposing leaves nothing scheduled", arguments: StreamKind.allCases)
  func disposal(kind: StreamKind) throws {
    let (rig, disposable) = rig(kind)
    rig.send(1, at: 0)
    rig.send(2, at: 3)
    disposable?.dispose()
    try rig.scheduler.run()
    #expect(rig.log.value == ["0 VALUE 1"] + (kind == .producer ? ["3 INTERRUPTED"] : []))
    #expect(rig.scheduler.now.nanoseconds == 3_000_000)
  }
}

@Suite("throttle(while:on:)") struct ThrottleWhileTests {
  private struct Gated {
    let rig = TimedRig()
    let gate: Signal<Bool, Never>.Observer
    let disposable: (any Disposable)?

    init(_ kind: StreamKind) {
      let (condition, gate) = Signal<Bool, Never>.pipe()
      self.gate = gate
      let scheduler = rig.scheduler
      disposable = rig.watch(
        kind, { $0.throttle(while: condition, on: scheduler) },
        { $0.throttle(while: condition, on: scheduler) })
    }
  }

  @Test(
    "every value comes while the condition is false, the latest when it turns false",
    arguments: StreamKind.allCases)
  func gating(kind: StreamKind) {
    let gated = Gated(kind)
    let rig = gated.rig
    rig.send(1, 2, at: 0)
    #expect(rig.log.value == [])
    rig.advance(to: 1)
    gated.gate.send(value: true)
    rig.send(3, 4, at: 2)
    rig.advance(to: 5)
    gated.gate.send(value: true)
    gated.gate.send(value: false)
    rig.input.send(value: 5)
    rig.advance(to: 9)
    #expect(rig.log.value == ["0 VALUE 1", "0 VALUE 2", "5 VALUE 4", "5 VALUE 5"])
  }

  @Test(
    "the end comes after what is on its way, and drops what is held back",
    arguments: StreamKind.allCases)
  func completion(kind: StreamKind) {
    let gated = Gated(kind)
    gated.rig.send(1, at: 0)
    gated.gate.send(value: true)
    gated.rig.input.send(value: 2)
    gated.rig.input.sendCompleted()
    gated.gate.send(value: false)
    #expect(gated.rig.log.value == [])
    gated.rig.scheduler.advance()
    #expect(gated.rig.log.value == ["0 VALUE 1", "0 COMPLETED"])
  }

  @Test(
    "E3: a failure drops what is held back and comes on the scheduler",
    arguments: StreamKind.allCases)
  func failure(kind: StreamKind) {
    let gated = Gated(kind)
    gated.gate.send(value: true)
    gated.rig.send(1, at: 0)
    gated.rig.input.send(error: Problem())
    #expect(gated.rig.log.value == [])
    gated.rig.scheduler.advance()
    #expect(gated.rig.log.value == ["0 FAILED problem"])
  }

  @Test("the condition's end leaves things as they are", arguments: StreamKind.allCases)
  func conditionEnds(kind: StreamKind) {
    let gated = Gated(kind)
    gated.gate.send(value: true)
    gated.gate.sendCompleted()
    gated.rig.send(1, at: 0)
    gated.rig.advance(to: 5)
    #expect(gated.rig.log.value == [])
    gated.rig.input.sendCompleted()
    gated.rig.advance(to: 9)
    #expect(gated.rig.log.value == ["5 COMPLETED"])
  }

  @Test("P5: the condition is let go of with the stream", arguments: StreamKind.allCases)
  func release(kind: StreamKind) {
    let rig = TimedRig()
    let ended = Box(false)
    let condition = SignalProducer<Bool, Never> { observer, lifetime in
      lifetime += AnyDisposable { ended.set(true) }
      observer.send(value: true)
      lifetime += Signal<Bool, Never>.never.observe(observer)
    }
    let scheduler = rig.scheduler
    rig.watch(
      kind, { $0.throttle(while: condition, on: scheduler) },
      { $0.throttle(while: condition, on: scheduler) })
    #expect(!ended.value)
    rig.input.sendCompleted()
    rig.scheduler.advance()
    #expect(ended.value)
  }

  @Test("what is held back and what follows never change places, from whatever threads they come")
  func race() {
    let queue = QueueScheduler(name: "gated")
    for _ in 0..<200 {
      let (signal, input) = Signal<Int, Never>.pipe()
      let (condition, gate) = Signal<Bool, Never>.pipe()
      let received = Box<[Int]>([])
      signal.throttle(while: condition, on: queue).observeValues { received.append($0) }
      onThreads(2) { index in
        for value in 0..<100 {
          if index == 0 { input.send(value: value) } else { gate.send(value: value % 2 == 0) }
        }
      }
      queue.queue.sync {}
      #expect(received.value == received.value.sorted())
      #expect(received.value.last == 99)
    }
  }
}
