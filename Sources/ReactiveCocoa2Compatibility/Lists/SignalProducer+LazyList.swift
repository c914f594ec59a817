internal import CVarveSystem
internal import VarveProbe
public import VarveReactive

extension SignalProducer where Failure == Never {
  /// The values of one start as a list.
  ///
  /// The work is started when the list is first read. A reader waits for its value or the end;
  /// unread values are buffered. The start is disposed of when the list is deallocated.
  ///
  /// Do not read on a thread that the work needs, such as the main thread. Use
  /// `materializeResults()` or `flatMapError(_:)` first with a producer that can fail.
  public var list: LazyList<Value> {
    LazyList(
      StreamTitle(Operation("list"), of: [title], valueType: Value.self)
    ) {
      let reading = BlockingReading(self)
      return { reading.next().map { .element($0) } ?? .end }
    }
  }
}

/// A start with a blocking reader. It is disposed of with the reader.
private final class BlockingReading<Value> {
  private let inbox = Inbox<Value>()
  private let run: any Disposable

  init(_ producer: SignalProducer<Value, Never>) {
    // The inbox receives values from any thread; they are read one at a time.
    let inbox = inbox
    run = producer.start { inbox.receive($0) }
  }

  deinit { run.dispose() }

  func next() -> Value? { inbox.next() }
}

/// The values that have arrived and have not been read.
private final class Inbox<Value>: @unchecked Sendable {
  // Safety: the state is locked, and the bell is thread-safe.
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

  /// Waits for a value and returns it; returns nil at the end. Allows one caller at a time.
  func next() -> Value? {
    while true {
      let (value, hasEnded) = state.withLock { ($0.waiting.takeFirst(), $0.hasEnded) }
      if let value { return value }
      if hasEnded { return nil }
      while !vv_bell_wait(bell, .max) {}
    }
  }
}
