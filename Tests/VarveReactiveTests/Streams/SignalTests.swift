import Testing
import VarveReactive
import VarveTestRig

@Suite struct SignalTests {
  @Test("S1: a signal's generator runs before init returns")
  func generatorRunsAtOnce() {
    let log = Box<[String]>([])
    let signal = Signal<Int, Never> { _, _ in log.append("generator") }
    log.append("made")
    #expect(log.value == ["generator", "made"])
    withExtendedLifetime(signal) {}
  }

  @Test("S1: what a generator sends before init returns reaches nobody")
  func earlyValues() {
    let inputs = Box<Signal<Int, Never>.Observer?>(nil)
    let log = Box<[Int]>([])
    let signal = Signal<Int, Never> { input, _ in
      input.send(value: 1)
      inputs.set(input)
    }
    signal.observeValues { log.append($0) }
    inputs.value?.send(value: 2)
    #expect(log.value == [2])
  }

  @Test("S2: observing, and ceasing to, has no side effect on the work")
  func noSideEffects() {
    let (started, ended) = (Box(0), Box(0))
    let inputs = Box<Signal<Int, Never>.Observer?>(nil)
    let signal = Signal<Int, Never> { input, lifetime in
      started.change { $0 += 1 }
      lifetime.observeEnded { ended.change { $0 += 1 } }
      inputs.set(input)
    }
    let log = Box<[Int]>([])
    let observations = (0..<3).map { _ in signal.observeValues { log.append($0) } }
    #expect(started.value == 1)
    inputs.value?.send(value: 1)
    for observation in observations { observation?.dispose() }
    #expect(ended.value == 0)
    inputs.value?.send(value: 2)
    signal.observeValues { log.append($0) }
    inputs.value?.send(value: 3)
    #expect(log.value == [1, 1, 1, 3])
    #expect((started.value, ended.value) == (1, 0))
  }

  @Test("S3: all observers attached at an event see the same events in the same order")
  func sameEvents() {
    let (output, input) = Signal<Int, Never>.pipe()
    let logs = (0..<3).map { _ in Box<[Event<Int, Never>]>([]) }
    output.observe { logs[0].append($0) }
    output.observe { logs[1].append($0) }
    input.send(value: 1)
    output.observe { logs[2].append($0) }
    input.send(value: 2)
    input.sendCompleted()
    #expect(logs[0].value == [.value(1), .value(2), .completed])
    #expect(logs[1].value == logs[0].value)
    #expect(logs[2].value == [.value(2), .completed])
  }

  @Test("S3: observers are called in the order in which they came, each event at all of them first")
  func orderOfObservers() {
    let (output, input) = Signal<Int, Never>.pipe()
    let log = Box<[String]>([])
    for name in ["a", "b", "c"] { output.observeValues { log.append("\(name)\($0)") } }
    input.send(value: 1)
    input.send(value: 2)
    #expect(log.value == ["a1", "b1", "c1", "a2", "b2", "c2"])
  }

  @Test("S3: an observer that comes inside a delivery sees the next event first")
  func comesInsideDelivery() {
    let (output, input) = Signal<Int, Never>.pipe()
    let log = Box<[Int]>([])
    output.observeValues { if $0 == 1 { output.observeValues { log.append($0) } } }
    input.send(value: 1)
    #expect(log.value == [])
    input.send(value: 2)
    #expect(log.value == [2])
  }

  @Test(
    "S3: an observer that comes after the end receives exactly one interruption",
    arguments: [.completed, .interrupted, .failed(TestFailure())] as [Event<Int, TestFailure>])
  func comesAfterEnd(end: Event<Int, TestFailure>) {
    let (output, input) = Signal<Int, TestFailure>.pipe()
    input.send(end)
    let log = Box<[Event<Int, TestFailure>]>([])
    let observation = output.observe { log.append($0) }
    #expect(observation == nil)
    #expect(log.value == [.interrupted])
  }

  @Test("S3: so does one that comes inside the delivery of the end")
  func comesInsideEnd() {
    let (output, input) = Signal<Int, Never>.pipe()
    let log = Box<[Event<Int, Never>]>([])
    output.observeCompleted { output.observe { log.append($0) } }
    input.sendCompleted()
    #expect(log.value == [.interrupted])
  }

  @Test("S7: disposing of an observation detaches it silently and leaves the others alone")
  func disposal() {
    let (output, input) = Signal<Int, Never>.pipe()
    let (gone, staying) = (Box<[Event<Int, Never>]>([]), Box<[Event<Int, Never>]>([]))
    let observation = output.observe { gone.append($0) }
    output.observe { staying.append($0) }
    input.send(value: 1)
    observation?.dispose()
    observation?.dispose()
    input.send(value: 2)
    input.sendCompleted()
    #expect(gone.value == [.value(1)])
    #expect(staying.value == [.value(1), .value(2), .completed])
    #expect(observation?.isDisposed == true)
  }

  @Test(
    "S7: no event whose send begins after dispose() returned is delivered, also inside a delivery")
  func disposalInsideDelivery() {
    let (output, input) = Signal<Int, Never>.queuedPipe()
    let log = Box<[Event<Int, Never>]>([])
    let observation = Box<(any Disposable)?>(nil)
    output.observeValues { value in
      guard value == 1 else { return }
      observation.value?.dispose()
      input.send(value: 2)
      input.sendCompleted()
    }
    observation.set(output.observe { log.append($0) })
    input.send(value: 1)
    // The send of 1 had begun; those of 2 and of the completion begin after the disposal.
    #expect(log.value == [.value(1)])
  }

  @Test("S7: an observer may dispose of itself inside a delivery")
  func disposalOfItself() {
    let (output, input) = Signal<Int, Never>.pipe()
    let log = Box<[Int]>([])
    let observation = SerialDisposable()
    observation.inner = output.observeValues { value in
      log.append(value)
      observation.dispose()
    }
    let other = Box<[Int]>([])
    output.observeValues { other.append($0) }
    input.send(value: 1)
    input.send(value: 2)
    #expect(log.value == [1])
    #expect(other.value == [1, 2])
  }

  @Test("S8: an operator's closure runs once per event, however many observe the result")
  func onceForEachEvent() {
    let (output, input) = Signal<Int, Never>.pipe()
    let calls = Box(0)
    let doubled = output.map { value in
      calls.change { $0 += 1 }
      return value * 2
    }
    let log = Box<[Int]>([])
    for _ in 0..<3 { doubled.observeValues { log.append($0) } }
    input.send(value: 1)
    #expect(calls.value == 1)
    #expect(log.value == [2, 2, 2])
  }

  @Test("S8: an operator on a signal observes at once, before anybody observes its result")
  func observesAtOnce() {
    let (output, input) = Signal<Int, Never>.pipe()
    let total = output.scan(0, +)
    input.send(value: 1)
    let log = Box<[Int]>([])
    total.observeValues { log.append($0) }
    input.send(value: 2)
    #expect(log.value == [3])
  }

  @Test("S8: what an operator makes of a value passes its successors, observed or not")
  func unobserved() {
    let (lists, listsInput) = Signal<[Int], Never>.pipe()
    let (values, valuesInput) = Signal<Int, Never>.pipe()
    let log = Box<[Int]>([])
    let flattened = lists.flatten().on(value: { log.append($0) })
    let last = values.take(last: 2).on(value: { log.append($0) })
    listsInput.send(value: [1, 2, 3])
    for value in 4...6 { valuesInput.send(value: value) }
    valuesInput.sendCompleted()
    #expect(log.value == [1, 2, 3, 5, 6])
    withExtendedLifetime((flattened, last)) {}
  }
}
