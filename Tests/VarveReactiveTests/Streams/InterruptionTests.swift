import Testing
import VarveReactive
import VarveTestRig

/// The interruption of whoever comes too late, or is disposed of, is no delivery of the signal: what
/// hears of it may send there.
@Suite struct InterruptionTests {
  private let log = Box<[String]>([])

  /// A pipe whose values are noted.
  private func pipe() -> (output: Signal<Int, Never>, input: Signal<Int, Never>.Observer) {
    let (output, input) = Signal<Int, Never>.pipe()
    let log = log
    output.observeValues { log.append("value \($0)") }
    return (output, input)
  }

  @Test("S3, E7: an observer that came too late may send on the signal upstream")
  func late() {
    let (output, input) = pipe()
    let first = output.take(first: 1)
    first.observe { _ in }
    input.send(value: 1)
    first.observeInterrupted { input.send(value: 2) }
    SignalProducer(first).startWithInterrupted { input.send(value: 3) }
    #expect(log.value == ["value 1", "value 2", "value 3"])
  }

  @Test(
    "S3, E8: whoever observes an ended stream inside a delivery upstream hears of the end at once")
  func lateInside() {
    let (output, input) = pipe()
    let first = output.take(first: 1)
    first.observe { _ in }
    let log = log
    output.observeValues { value in
      guard value == 2 else { return }
      let observation = first.observeInterrupted { log.append("interrupted") }
      log.append("attached: \(observation != nil)")
    }
    input.send(value: 1)
    input.send(value: 2)
    #expect(log.value == ["value 1", "value 2", "interrupted", "attached: false"])
  }

  @Test("S3, E8: also while another thread delivers upstream")
  func lateBeside() {
    let (output, input) = pipe()
    let first = output.take(first: 1)
    first.observe { _ in }
    input.send(value: 1)
    let (isInside, mayLeave) = (Flag(), Flag())
    output.observeValues { _ in
      isInside.raise()
      mayLeave.wait()
    }
    inBackground { input.send(value: 2) }
    isInside.wait()
    let wasInterrupted = Flag()
    #expect(first.observeInterrupted { wasInterrupted.raise() } == nil)
    #expect(wasInterrupted.isRaised)
    mayLeave.raise()
  }

  @Test("P4, E7: the observer of a start that is disposed of may send on the signal")
  func disposed() {
    let (output, input) = pipe()
    output.producer.startWithInterrupted { input.send(value: 1) }.dispose()
    output.producer.on(disposed: { input.send(value: 2) }).start().dispose()
    output.producer.map { $0 }.startWithSignal { signal, interrupter in
      signal.observeInterrupted { input.send(value: 3) }
      interrupter.dispose()
    }
    #expect(log.value == ["value 1", "value 2", "value 3"])
  }

  @Test("P4, E7: also when it is disposed of inside a delivery, after that")
  func disposedInside() {
    let (output, input) = pipe()
    let (run, log) = (SerialDisposable(), log)
    run.inner = output.producer.start { event in
      log.append("\(event)")
      switch event {
      case .value: run.dispose()
      case .interrupted: input.send(value: 2)
      case .failed, .completed: break
      }
    }
    input.send(value: 1)
    #expect(log.value == ["value 1", "VALUE 1", "INTERRUPTED", "value 2"])
  }

  @Test("P4: also when another thread delivers, and the clean-up follows the interruption")
  func disposedBeside() {
    let (output, input) = pipe()
    let (isInside, mayLeave, isOver) = (Flag(), Flag(), Flag())
    let log = log
    let run = output.producer.on(disposed: { log.append("disposed") }).start { event in
      if case .value = event {
        isInside.raise()
        mayLeave.wait()
      } else {
        log.append("\(event)")
        input.send(value: 2)
        isOver.raise()
      }
    }
    inBackground { input.send(value: 1) }
    isInside.wait()
    run.dispose()
    mayLeave.raise()
    #expect(isOver.isRaisedInTime())
    #expect(log.value.prefix(3) == ["value 1", "INTERRUPTED", "value 2"])
  }

  @Test("P6, E7: a switch lets the stream before it send as it goes")
  func switched() {
    let (output, input) = pipe()
    let (outer, outerInput) = Signal<Int, Never>.pipe()
    let log = log
    outer.flatMap(.latest) { number in
      output.producer.on(disposed: { input.send(value: number) })
    }.observeValues { log.append("out \($0)") }
    outerInput.send(value: 10)
    outerInput.send(value: 20)
    input.send(value: 1)
    #expect(log.value.contains("value 10"))
    #expect(log.value.suffix(2) == ["value 1", "out 1"])
  }

  @Test("S3: among threads, whoever comes around the end hears of it exactly once")
  func racing() {
    for _ in 0..<300 {
      let (output, input) = Signal<Int, Never>.pipe()
      let first = output.take(first: 1)
      let ends = Box(0)
      onThreads(3) { index in
        if index == 0 {
          input.send(value: 1)
        } else {
          first.observe { event in if event.isTerminating { ends.change { $0 += 1 } } }
          SignalProducer(first).start { event in
            if event.isTerminating { ends.change { $0 += 1 } }
          }
        }
      }
      #expect(ends.value == 4)
    }
  }

  @Test("P4: among threads, a start of a signal that is disposed of ends exactly once")
  func racingDisposal() {
    for _ in 0..<300 {
      let (output, input) = Signal<Int, Never>.pipe()
      let first = output.take(first: 1)
      let ends = Box(0)
      onThreads(2) { index in
        if index == 0 {
          input.send(value: 1)
        } else {
          first.producer.map { $0 }.start { event in
            if event.isTerminating { ends.change { $0 += 1 } }
          }.dispose()
        }
      }
      #expect(ends.value == 1)
    }
  }
}
