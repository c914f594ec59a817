import Testing
import VarveReactive
import VarveTestRig

@Suite struct SignalLifeTests {
  /// A pipe whose disposable notes its disposal.
  private func pipe(
    noting log: Box<[String]>
  ) -> (output: Signal<Int, Never>, input: Signal<Int, Never>.Observer) {
    Signal.pipe(disposable: AnyDisposable { log.append("disposed") })
  }

  @Test("S4: a signal that nobody holds or observes lets go of its resources, silently")
  func unreachable() {
    let log = Box<[String]>([])
    var output: Signal<Int, Never>?
    let input: Signal<Int, Never>.Observer
    (output, input) = pipe(noting: log)
    weak let signal = output
    output?.observe { log.append($0.description) }?.dispose()
    #expect(log.value == [])
    output = nil
    #expect(signal == nil)
    #expect(log.value == ["disposed"])
    input.send(value: 1)
    #expect(log.value == ["disposed"])
  }

  @Test("S4: the input does not keep a signal alive")
  func inputKeepsNothing() {
    let inputs = Box<Signal<Int, Never>.Observer?>(nil)
    let token = Box(false)
    weak var made: Signal<Int, Never>?
    do {
      let signal = Signal<Int, Never> { input, lifetime in
        inputs.set(input)
        lifetime.observeEnded { token.set(true) }
      }
      made = signal
    }
    #expect(made == nil)
    #expect(token.value)
    #expect(inputs.value != nil)
  }

  @Test("S4: an observed signal lives although nobody holds it")
  func observed() {
    let log = Box<[String]>([])
    var output: Signal<Int, Never>?
    let input: Signal<Int, Never>.Observer
    (output, input) = pipe(noting: log)
    let observation = output?.observe { log.append($0.description) }
    output = nil
    input.send(value: 1)
    #expect(log.value == ["VALUE 1"])
    observation?.dispose()
    #expect(log.value == ["VALUE 1", "disposed"])
  }

  @Test("S4: a signal lives while a stream that was derived from it is observed, and no longer")
  func derived() {
    let log = Box<[String]>([])
    var output: Signal<Int, Never>?
    let input: Signal<Int, Never>.Observer
    (output, input) = pipe(noting: log)
    let other = Signal<Int, Never>.pipe()
    let observation = Signal.merge(
      output?.map { $0 + 1 }.filter { $0 > 0 } ?? .never, other.output
    ).scan(0, +).observeValues { log.append("\($0)") }
    output = nil
    input.send(value: 1)
    #expect(log.value == ["2"])
    observation?.dispose()
    #expect(log.value == ["2", "disposed"])
  }

  @Test("S4: an operator whose result nobody holds or observes lets go of what it observes")
  func unusedOperator() {
    let (output, input) = Signal<Int, Never>.pipe()
    let calls = Box(0)
    _ = output.map { value in
      calls.change { $0 += 1 }
      return value
    }
    input.send(value: 1)
    #expect(calls.value == 0)
  }

  @Test("S4: dropping the last input of a generator interrupts the observers")
  func lastInput() {
    let log = Box<[Event<Int, Never>]>([])
    let inputs = Box<[Signal<Int, Never>.Observer]>([])
    let signal = Signal<Int, Never> { input, _ in inputs.set([input, input]) }
    signal.observe { log.append($0) }
    inputs.change { $0.removeLast() }
    #expect(log.value == [])
    inputs.set([])
    #expect(log.value == [.interrupted])
  }

  @Test("S4: a generator that drops its input makes a signal that has ended")
  func droppedInput() {
    let signal = Signal<Int, Never> { _, _ in }
    let log = Box<[Event<Int, Never>]>([])
    signal.observe { log.append($0) }
    #expect(log.value == [.interrupted])
  }

  private static let ends: [Event<Int, Never>] = [.completed, .interrupted]

  @Test("S5: the end releases all observers, although signal and input are kept", arguments: ends)
  func releasesObservers(end: Event<Int, Never>) {
    let (output, input) = Signal<Int, Never>.pipe()
    let probe: WeakProbe
    do {
      let token = Token()
      probe = WeakProbe(token)
      output.observe { _ in withExtendedLifetime(token) {} }
      output.map { value in
        withExtendedLifetime(token) {}
        return value
      }.observeValues { (_: Int) in }
    }
    #expect(probe.isHeld)
    input.send(end)
    #expect(!probe.isHeld)
    withExtendedLifetime((output, input)) {}
  }

  @Test("S5: the end disposes of everything that fed the signal, exactly once", arguments: ends)
  func disposesOfFeeds(end: Event<Int, Never>) {
    let log = Box<[String]>([])
    let (output, input) = pipe(noting: log)
    input.send(end)
    input.send(end)
    #expect(log.value == ["disposed"])
    withExtendedLifetime(output) {}
    #expect(log.value == ["disposed"])
  }

  @Test("S5: the end of a joined stream lets go of its inputs")
  func joined() {
    let (first, second) = (Signal<Int, Never>.pipe(), Signal<Int, Never>.pipe())
    let probe: WeakProbe
    do {
      let token = Token()
      probe = WeakProbe(token)
      Signal.merge(
        first.output.map { value in
          withExtendedLifetime(token) {}
          return value
        }, second.output
      ).observeValues { (_: Int) in }
    }
    second.input.sendInterrupted()
    #expect(!probe.isHeld)
  }

  @Test("S5: nothing keeps a stream alive after its end", arguments: ends)
  func objectsGo(end: Event<Int, Never>) {
    weak var made: Signal<Int, Never>?
    let probe: WeakProbe
    do {
      let token = Token()
      probe = WeakProbe(token)
      let (output, input) = Signal<Int, Never>.pipe(
        disposable: AnyDisposable { withExtendedLifetime(token) {} })
      made = output
      output.scan(0, +).observeValues { _ in withExtendedLifetime(token) {} }
      input.send(end)
    }
    #expect(made == nil)
    #expect(!probe.isHeld)
  }

  @Test("S6: the end reaches the observers before the resources are disposed of", arguments: ends)
  func endFirst(end: Event<Int, Never>) {
    let log = Box<[String]>([])
    let (output, input) = pipe(noting: log)
    output.map { $0 }.observe { log.append("mapped \($0)") }
    output.observe { log.append($0.description) }
    input.send(end)
    #expect(log.value == ["mapped \(end)", "\(end)", "disposed"])
  }

  @Test("S6: a resource attached after the end is disposed of at once")
  func lateResource() {
    let lifetimes = Box<Lifetime?>(nil)
    let inputs = Box<Signal<Int, Never>.Observer?>(nil)
    let signal = Signal<Int, Never> { input, lifetime in
      inputs.set(input)
      lifetimes.set(lifetime)
    }
    signal.observeValues { (_: Int) in }
    let (early, late) = (AnyDisposable(), AnyDisposable())
    lifetimes.value.map { _ = $0 += early }
    inputs.value?.sendCompleted()
    #expect(early.isDisposed)
    lifetimes.value.map { _ = $0 += late }
    #expect(late.isDisposed)
  }
}
