import Testing
import VarveReactive
import VarveTestRig

@Suite struct GrammarTests {
  private static let ends: [Event<Int, TestFailure>] = [
    .failed(TestFailure()), .completed, .interrupted,
  ]

  @Test("E1: a signal sends any number of values, then at most one end", arguments: ends)
  func signal(end: Event<Int, TestFailure>) {
    let (output, input) = Signal<Int, TestFailure>.pipe()
    let log = Box<[Event<Int, TestFailure>]>([])
    output.observe { log.append($0) }
    input.send(value: 1)
    input.send(value: 2)
    input.send(end)
    #expect(log.value == [.value(1), .value(2), end])
  }

  @Test("E2: nothing is delivered after the end, whatever is sent", arguments: ends)
  func nothingAfterEnd(end: Event<Int, TestFailure>) {
    let (output, input) = Signal<Int, TestFailure>.pipe()
    let log = Box<[Event<Int, TestFailure>]>([])
    output.observe { log.append($0) }
    input.send(end)
    input.send(value: 1)
    for other in Self.ends { input.send(other) }
    #expect(log.value == [end])
  }

  @Test("E2: nothing is delivered after a run's end, whatever its start handler sends")
  func nothingAfterRun() {
    let log = Box<[Event<Int, TestFailure>]>([])
    let producer = SignalProducer<Int, TestFailure> { observer, _ in
      observer.send(value: 1)
      observer.sendCompleted()
      observer.send(value: 2)
      observer.send(error: TestFailure())
    }
    producer.start { log.append($0) }
    #expect(log.value == [.value(1), .completed])
  }

  @Test("E1, E2: whatever many threads send at once, one end comes last")
  func threads() {
    for _ in 0..<200 {
      let (output, input) = Signal<Int, TestFailure>.pipe()
      let log = Box<[Event<Int, TestFailure>]>([])
      output.map { $0 + 1 }.observe { log.append($0) }
      onThreads(4) { index in
        for value in 0..<20 { input.send(value: value) }
        input.send(Self.ends[index % 3])
        input.send(value: 99)
      }
      let events = log.value
      #expect(events.filter(\.isTerminating).count == 1)
      #expect(events.last?.isTerminating == true)
    }
  }

  @Test("E5: an interruption can be sent by hand, and every stage passes it on")
  func interruptionByHand() {
    let (output, input) = Signal<Int, Never>.pipe()
    let log = Box<[Event<Int, Never>]>([])
    output.map { $0 + 1 }.scan(0, +).collect(count: 2).map(\.count).observe { log.append($0) }
    input.sendInterrupted()
    #expect(log.value == [.interrupted])
  }

  @Test("E5: disposing of a started producer interrupts its observer")
  func interruptionByDisposal() {
    let log = Box<[Event<Int, Never>]>([])
    SignalProducer<Int, Never>.never.start { log.append($0) }.dispose()
    #expect(log.value == [.interrupted])
  }

  @Test(
    "E5: flattening ignores the interruption of an inner stream",
    arguments: [FlattenStrategy.merge, .concat, .latest])
  func innerInterruption(strategy: FlattenStrategy) {
    let (outer, input) = Signal<SignalProducer<Int, Never>, Never>.pipe()
    let log = Box<[Event<Int, Never>]>([])
    outer.flatten(strategy).observe { log.append($0) }
    input.send(
      value: SignalProducer { observer, _ in
        observer.send(value: 1)
        observer.sendInterrupted()
      })
    input.send(value: SignalProducer(value: 2))
    input.sendCompleted()
    #expect(log.value == [.value(1), .value(2), .completed])
  }

  @Test("E8: when send returns every observer has run, also behind several streams")
  func synchronous() {
    let (first, firstInput) = Signal<Int, Never>.pipe()
    let (second, secondInput) = Signal<Int, Never>.pipe()
    let log = Box<[Int]>([])
    let sum = Signal.combineLatest(first, second).map { $0 + $1 }
    sum.flatMap(.merge) { SignalProducer<Int, Never>([$0, $0 * 10]) }
      .observeValues { log.append($0) }
    firstInput.send(value: 1)
    #expect(log.value == [])
    secondInput.send(value: 2)
    #expect(log.value == [3, 30])
    firstInput.send(value: 2)
    #expect(log.value == [3, 30, 4, 40])
  }

  @Test("E9: a stream that cannot fail lets its observer skip the failure")
  func neverFails() {
    let (output, input) = Signal<Int, Never>.pipe()
    let log = Box<[Int]>([])
    // `observeValues` and this switch exist for `Never` only.
    output.observeValues { log.append($0) }
    output.observe { event in
      switch event {
      case .value(let value): log.append(value)
      case .completed, .interrupted: break
      }
    }
    input.send(value: 1)
    #expect(log.value == [1, 1])
  }

  @Test("E12: nil and () are ordinary values")
  func ordinaryValues() {
    let (optionals, optionalInput) = Signal<Int?, Never>.pipe()
    let seen = Box<[Int?]>([])
    optionals.observeValues { seen.append($0) }
    optionalInput.send(value: nil)
    optionalInput.send(value: 1)
    optionalInput.send(value: nil)
    #expect(seen.value == [nil, 1, nil])

    let (pulses, pulseInput) = Signal<Void, Never>.pipe()
    let count = Box(0)
    pulses.scan(0) { total, _ in total + 1 }.observeValues { count.set($0) }
    pulseInput.send(value: ())
    pulseInput.send(value: ())
    #expect(count.value == 2)
  }
}
