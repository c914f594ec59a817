import Testing
import VarveReactive
import VarveTestRig

@Suite struct FailureForwardingTests {
  private typealias Pipe = (
    output: Signal<Int, TestFailure>, input: Signal<Int, TestFailure>.Observer
  )

  /// What comes of two inputs when the first fails while everything else still waits.
  private func events<Output>(
    _ join: (Signal<Int, TestFailure>, Signal<Int, TestFailure>) -> Signal<Output, TestFailure>
  ) -> [String] {
    let (first, second): (Pipe, Pipe) = (Signal.pipe(), Signal.pipe())
    let log = Box<[String]>([])
    let joined = join(first.output, second.output)
    joined.observe { log.append($0.description) }
    second.input.send(value: 1)
    first.input.send(error: TestFailure())
    second.input.send(value: 2)
    return log.value.filter { !$0.hasPrefix("VALUE") }
  }

  private let failed = ["FAILED TestFailure()"]

  @Test("E3: a failure of one input passes combineLatest, zip and merge at once")
  func joined() {
    #expect(events { Signal.combineLatest($0, $1) } == failed)
    #expect(events { Signal.zip($0, $1) } == failed)
    #expect(events { Signal.merge($0, $1) } == failed)
  }

  @Test("E3: a failure passes what gathers values, without them")
  func gathered() {
    #expect(events { first, _ in first.collect() } == failed)
    #expect(events { first, _ in first.reduce(0, +) } == failed)
    #expect(events { first, _ in first.take(last: 2) } == failed)
  }

  @Test(
    "E3: the failure of an inner stream passes flatten at once",
    arguments: [FlattenStrategy.merge, .concat, .latest, .race, .throttle])
  func inner(strategy: FlattenStrategy) {
    let (outer, input) = Signal<SignalProducer<Int, TestFailure>, TestFailure>.pipe()
    let log = Box<[Event<Int, TestFailure>]>([])
    outer.flatten(strategy).observe { log.append($0) }
    let (inner, innerInput) = Signal<Int, TestFailure>.pipe()
    input.send(value: inner.producer)
    innerInput.send(error: TestFailure())
    #expect(log.value == [.failed(TestFailure())])
  }

  @Test("E3: the failure of the outer stream passes flatten at once, and stops the inner ones")
  func outer() {
    let (outer, input) = Signal<SignalProducer<Int, TestFailure>, TestFailure>.pipe()
    let log = Box<[Event<Int, TestFailure>]>([])
    let isStopped = Box(false)
    outer.flatten(.merge).observe { log.append($0) }
    input.send(
      value: SignalProducer { _, lifetime in lifetime.observeEnded { isStopped.set(true) } })
    input.send(value: SignalProducer.never.on(disposed: { isStopped.set(true) }))
    input.send(error: TestFailure())
    #expect(log.value == [.failed(TestFailure())])
    #expect(isStopped.value)
  }
}
