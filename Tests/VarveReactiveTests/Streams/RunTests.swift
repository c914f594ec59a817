import Testing
import VarveReactive
import VarveTestRig

@Suite struct RunTests {
  @Test("P10: dropping a run's disposable cancels nothing")
  func dropped() {
    let (output, input) = Signal<Int, Never>.pipe()
    let log = Box<[Int]>([])
    do { _ = output.producer.map { $0 + 1 }.startWithValues { log.append($0) } }
    input.send(value: 1)
    #expect(log.value == [2])
  }

  @Test("P4: of a lifted producer, too, the clean-up follows the interruption")
  func liftedCleanUp() {
    let queue = QueueScheduler(name: "observer")
    let log = Box<[String]>([])
    let (isInside, mayLeave, isCleanedUp) = (Flag(), Flag(), Flag())
    let inputs = Box<Signal<Int, Never>.Observer?>(nil)
    let run = SignalProducer<Int, Never> { observer, lifetime in
      inputs.set(observer)
      lifetime.observeEnded {
        log.append("cleaned up")
        isCleanedUp.raise()
      }
    }
    .lift { $0.observe(on: queue) }
    .start { event in
      if case .value = event {
        isInside.raise()
        mayLeave.wait()
      }
      log.append("\(event)")
    }
    inputs.value?.send(value: 1)
    isInside.wait()
    run.dispose()
    mayLeave.raise()
    #expect(isCleanedUp.isRaisedInTime())
    #expect(log.value == ["VALUE 1", "INTERRUPTED", "cleaned up"])
  }

  @Test("P10: a run keeps itself going while its handler's observer is held")
  func keepsItself() {
    let inputs = Box<Signal<Int, Never>.Observer?>(nil)
    let log = Box<[Event<Int, Never>]>([])
    do {
      SignalProducer<Int, Never> { observer, _ in inputs.set(observer) }
        .filter { $0 > 0 }.start { log.append($0) }
    }
    inputs.value?.send(value: 1)
    inputs.set(nil)
    #expect(log.value == [.value(1), .interrupted])
  }

  private static let ends: [@Sendable (Signal<Int, TestFailure>.Observer, any Disposable) -> Void] =
    [
      { input, _ in input.sendCompleted() },
      { input, _ in input.sendInterrupted() },
      { input, _ in input.send(error: TestFailure()) },
      { _, run in run.dispose() },
    ]

  @Test("P11: what is attached to a start handler's lifetime is disposed of once, on every end")
  func lifetimeEnds() {
    for end in Self.ends {
      let count = Box(0)
      let state = Box<(Signal<Int, TestFailure>.Observer, Lifetime)?>(nil)
      let run = SignalProducer<Int, TestFailure> { observer, lifetime in
        lifetime += AnyDisposable { count.change { $0 += 1 } }
        lifetime.observeEnded { count.change { $0 += 1 } }
        state.set((observer, lifetime))
      }.start()
      guard let (observer, lifetime) = state.value else { return #expect(Bool(false)) }
      #expect(!lifetime.hasEnded)
      end(observer, run)
      #expect(lifetime.hasEnded)
      #expect(count.value == 2)
      end(observer, run)
      #expect(count.value == 2)
      lifetime.observeEnded { count.change { $0 += 1 } }
      #expect(count.value == 3)
    }
  }

  @Test("P11: it ends, too, when the handler drops its observer")
  func droppedObserver() {
    let ended = Box(false)
    SignalProducer<Int, Never> { _, lifetime in lifetime.observeEnded { ended.set(true) } }.start()
    #expect(ended.value)
  }

  @Test("P11: hasEnded lets a loop on another thread stop")
  func loopOnAnotherThread() {
    let (isRunning, hasStopped) = (Flag(), Flag())
    let run = SignalProducer<Int, Never> { observer, lifetime in
      inBackground {
        while !lifetime.hasEnded {
          observer.send(value: 1)
          isRunning.raise()
        }
        hasStopped.raise()
      }
    }.start()
    isRunning.wait()
    run.dispose()
    hasStopped.wait()
  }
}
