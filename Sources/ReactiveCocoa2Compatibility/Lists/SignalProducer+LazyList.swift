internal import CVarveSystem
internal import VarveProbe
public import VarveReactive

extension SignalProducer where Failure == Never {
  /// The values of one start, as a list.
  ///
  /// The work is started when the list is first read. A reader waits until the value that it reads,
  /// or the end, has come; values that nobody has read are kept. When the list has gone, the start is
  /// disposed of.
  ///
  /// Do not read on a thread that the work needs, like the main thread. A producer that can fail is
  /// made one that cannot by `materializeResults()` or `flatMapError(_:)`.
  public var list: LazyList<Value> {
    LazyList(
      StreamTitle(Operation("list"), of: [title], valueType: Value.self)
    ) {
      let reading = BlockingReading(self)
      return { reading.next().map { .element($0) } ?? .end }
    }
  }
}

/// A start that is read from by whoever waits for it; disposed of when nobody can read any more.
private final class BlockingReading<Value> {
  private let inbox = Inbox<Value>()
  private let run: any Disposable

  init(_ producer: SignalProducer<Value, Never>) {
    // The inbox takes whatever thread's values: they are read one at a time.
    let inbox = inbox
    run = producer.start { inbox.receive($0) }
  }

  deinit { run.dispose() }

  func next() -> Value? { inbox.next() }
}

/// Values that have come and were not read.
private final class Inbox<Value>: @unchecked Sendable {
  // Safety: the state is locked, and the bell is made for several threads.
  private struct State {
    var waiting = FIFOQueue<Value>()
    var hasEnded = false
  }

  private let state = Lock(State())
  private let bell: UnsafeMutablePointer<vv_bell>

  init() {
    bell = .allocate(capacity: 1)
    vv_bell_make(bell)
  }

  deinit {
    vv_bell_destroy(bell)
    bell.deallocate()
  }

  func receive(_ event: Event<Value, Never>) {
    state.withLock { state in
      switch event {
      case .value(let value): state.waiting.append(value)
      case .completed, .interrupted: state.hasEnded = true
      }
    }
    vv_bell_ring(bell)
  }

  /// Waits for a value; nil at the end. One caller at a time.
  func next() -> Value? {
    while true {
      let (value, hasEnded) = state.withLock { ($0.waiting.takeFirst(), $0.hasEnded) }
      if let value { return value }
      if hasEnded { return nil }
      while !vv_bell_wait(bell, .max) {}
    }
  }
}
