import ReactiveCocoa2Compatibility
import Testing
import VarveReactive
import VarveTestRig

@Suite struct HookTests {
  /// A producer with a hook of every kind, each of which writes into `log`.
  private func hooked(
    _ producer: SignalProducer<Int, TestFailure>, _ log: Box<[String]>
  ) -> SignalProducer<Int, TestFailure> {
    producer.on(
      starting: { log.append("starting") }, started: { log.append("started") },
      event: { log.append("event \($0)") }, failed: { log.append("failed \($0)") },
      completed: { log.append("completed") }, interrupted: { log.append("interrupted") },
      terminated: { log.append("terminated") }, disposed: { log.append("disposed") },
      value: { log.append("value \($0)") })
  }

  @Test("P12: each hook runs once per event, before it is forwarded, and changes none")
  func order() {
    let log = Box<[String]>([])
    hooked(SignalProducer([1]), log).start { log.append("seen \($0)") }
    #expect(
      log.value == [
        "starting", "event VALUE 1", "value 1", "seen VALUE 1", "event COMPLETED", "completed",
        "terminated", "seen COMPLETED", "disposed", "started",
      ])
  }

  @Test("P12: a failure and an interruption have hooks of their own")
  func ends() {
    let log = Box<[String]>([])
    hooked(SignalProducer(error: TestFailure()), log).start()
    #expect(
      log.value == [
        "starting", "event FAILED TestFailure()", "failed TestFailure()", "terminated", "disposed",
        "started",
      ])
    log.set([])
    hooked(.never, log).start().dispose()
    #expect(
      log.value == [
        "starting", "started", "event INTERRUPTED", "interrupted", "terminated", "disposed",
      ])
  }

  @Test("P12: on a signal the hooks run once, however many observe")
  func signal() {
    let log = Box<[String]>([])
    let (signal, input) = Signal<Int, TestFailure>.pipe()
    let hooked = signal.on(
      event: { log.append("event \($0)") }, failed: { log.append("failed \($0)") },
      terminated: { log.append("terminated") }, disposed: { log.append("disposed") },
      value: { log.append("value \($0)") })
    for name in ["a", "b"] { hooked.observe { log.append("\(name) \($0)") } }
    input.send(value: 1)
    input.send(error: TestFailure())
    #expect(
      log.value == [
        "event VALUE 1", "value 1", "a VALUE 1", "b VALUE 1", "event FAILED TestFailure()",
        "failed TestFailure()", "terminated", "a FAILED TestFailure()", "b FAILED TestFailure()",
        "disposed",
      ])
  }

  @Test("P12: disposed runs once when nobody can reach a signal any more, without an end")
  func abandoned() {
    let log = Box<[String]>([])
    let (signal, input) = Signal<Int, TestFailure>.pipe()
    do {
      let hooked = signal.on(
        terminated: { log.append("terminated") }, disposed: { log.append("disposed") })
      let observation = hooked.observeCompleted {}
      #expect(log.value == [])
      observation?.dispose()
    }
    #expect(log.value == ["disposed"])
    input.sendCompleted()
    #expect(log.value == ["disposed"])
  }

  @Test("P12: each start has hooks of its own, from the outermost to the innermost")
  func starts() {
    let log = Box<[String]>([])
    let producer = SignalProducer<Int, Never>(value: 1)
      .on(starting: { log.append("inner starting") }, started: { log.append("inner started") })
      .on(starting: { log.append("outer starting") }, started: { log.append("outer started") })
    #expect(log.value == [])
    let once = ["outer starting", "inner starting", "inner started", "outer started"]
    producer.start()
    #expect(log.value == once)
    producer.start()
    #expect(log.value == once + once)
  }

  @Test("N2: a single hook shows in the name")
  func names() {
    let (signal, _) = Signal<Int, TestFailure>.pipe(named: "taps")
    #expect(signal.on(value: { _ in }).description == "taps.on(value:)")
    #expect(signal.on(failed: { _ in }).bracketDescription == "[taps] -doError:")
    #expect(signal.on(completed: {}).bracketDescription == "[taps] -doCompleted:")
    #expect(signal.on(terminated: {}).bracketDescription == "[taps] -finally:")
    #expect(signal.on(completed: {}, value: { _ in }).description == "taps.on(…)")
    let producer = SignalProducer(signal).on(starting: {})
    #expect(producer.bracketDescription == "[taps] -initially:")
  }
}
