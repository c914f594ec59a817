import Testing
import VarveReactive
import VarveTestRig

/// The handle of a run, which keeps its inputs.
@Suite struct RunHandleTests {
  /// A producer whose handler keeps nothing but its lifetime.
  private static func dropping(_ ended: Box<Int>) -> SignalProducer<Int, Never> {
    SignalProducer { _, lifetime in lifetime.observeEnded { ended.change { $0 += 1 } } }
  }

  @Test(
    "P10, P14: a handle that is held after the end keeps nothing of the run, the input included")
  func nothingAfterTheEnd() {
    let probe = Box<WeakProbe?>(nil)
    func start() -> any Disposable {
      let token = Token()
      probe.set(WeakProbe(token))
      return SignalProducer<Int, Never> { _, _ in }.start { _ in withExtendedLifetime(token) {} }
    }
    let run = start()
    #expect(probe.value?.isHeld == true)
    run.dispose()
    #expect(probe.value?.isHeld == false)
    withExtendedLifetime(run) {}
  }

  @Test("P14: a handle that is dropped inside the delivery of its run ends it after that")
  func droppedInside() {
    let input = Box<Signal<Int, Never>.Observer?>(nil)
    let run = Box<(any Disposable)?>(nil)
    let log = Box<[String]>([])
    run.set(
      SignalProducer<Int, Never> { observer, _ in input.set(observer) }.start { event in
        if case .value = event {
          input.set(nil)
          run.set(nil)
        }
        log.append("\(event)")
      })
    input.value?.send(value: 1)
    #expect(log.value == ["VALUE 1", "INTERRUPTED"])
  }

  @Test("P14: a connection holds its run, and so does who connected it")
  func connections() {
    let ended = Box(0)
    var connection: Connection<Int, Never>? = Self.dropping(ended).publish()
    var run: (any Disposable)? = connection?.connect()
    run = nil
    #expect(ended.value == 0)
    run = connection?.connect()
    connection = nil
    #expect(ended.value == 0)
    run = nil
    #expect(ended.value == 1)
    _ = run
  }

  @Test("P14: an iterator of values holds the run that it reads")
  func iterators() {
    let ended = Box(0)
    var iterator: AsyncValues<Int, Never>.Iterator? = Self.dropping(ended)
      .values(buffering: .unbounded).makeAsyncIterator()
    #expect(ended.value == 0)
    iterator = nil
    #expect(ended.value == 1)
    _ = iterator
  }

  @Test("D1, P14: handles are dropped and disposed of while other threads start, send and end")
  func races() {
    for round in 0..<200 {
      let (started, ended, ends) = (Box(0), Box(0), Box(0))
      let input = Box<Signal<Int, Never>.Observer?>(nil)
      let handle = Box<(any Disposable)?>(nil)
      let isHandedOver = Box(false)
      let source = SignalProducer<Int, Never> { observer, lifetime in
        started.set(1)
        if round.isMultiple(of: 2) { input.set(observer) }
        lifetime.observeEnded { ended.change { $0 += 1 } }
      }
      onThreads(3) { index in
        switch index {
        case 0:
          source.startWithSignal { signal, run in
            signal.observe { event in if event.isTerminating { ends.change { $0 += 1 } } }
            handle.set(run)
            isHandedOver.set(true)
          }
        case 1:
          while !isHandedOver.value { relax() }
          input.value?.send(value: 1)
          if round.isMultiple(of: 3) { handle.value?.dispose() }
          handle.set(nil)
        default:
          while !isHandedOver.value { relax() }
          if round.isMultiple(of: 5) { input.value?.sendCompleted() }
          input.set(nil)
        }
      }
      input.set(nil)
      #expect(ended.value == started.value)
      #expect(ends.value == 1)
    }
  }
}
