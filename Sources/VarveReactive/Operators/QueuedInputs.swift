internal import Synchronization

/// The inputs of one start of a `zip`, before they are connected. See `LatestInputs`.
@usableFromInline
final class QueuedInputs<Output, Failure: Error> {
  private let root: Root<Output, Failure>
  private let disposables: CompositeDisposable
  private let queues = WaitingQueues()
  private var connections: [(@escaping () -> Output) -> Void] = []

  init(_ root: Root<Output, Failure>, _ disposables: CompositeDisposable) {
    self.root = root
    self.disposables = disposables
  }

  /// Adds a signal; returns where its values will wait.
  @usableFromInline
  func queue<Input>(of signal: Signal<Input, Failure>) -> WaitingQueue<Input> { add(signal.feed) }

  /// Adds a producer; returns where its values will wait.
  @usableFromInline
  func queue<Input>(of producer: SignalProducer<Input, Failure>) -> WaitingQueue<Input> {
    add(producer.feed)
  }

  func add<Input>(_ feed: Feed<Input, Failure>) -> WaitingQueue<Input> {
    let queue = WaitingQueue<Input>(in: queues)
    connections.append { [root, disposables, queues] join in
      guard !root.isOver else { return }
      let inlet = CombineInlet<Input, Output, Failure>(root) { value in
        queue.append(value)
        guard queues.allHaveValues else { return }
        root.deliver(join())
        if queues.someIsExhausted { root.finish(.completed) }
      } completed: {
        queue.complete()
        if queue.isExhausted { root.finish(.completed) }
      }
      feed.connect(inlet, stoppedBy: disposables)
    }
    return queue
  }

  /// Connects all inputs.
  ///
  /// - Parameters:
  ///   - join: takes the first value of each queue.
  ///   - empty: what is sent when there are no inputs.
  fileprivate func connect(joinedBy join: @escaping () -> Output, empty: Output?) {
    guard !connections.isEmpty else {
      if let empty { root.send(empty) }
      return root.send(.completed)
    }
    for connect in connections { connect(join) }
  }
}

/// The queues of a `zip`; changed inside the root's domain.
final class WaitingQueues {
  private var queues: [AnyWaitingQueue] = []
  /// How many are empty.
  fileprivate var empty = 0

  fileprivate func add(_ queue: AnyWaitingQueue) {
    queues.append(queue)
    empty += 1
  }

  fileprivate var allHaveValues: Bool { empty == 0 }
  fileprivate var someIsExhausted: Bool { queues.contains(where: \.isExhausted) }
}

/// The part of a queue that does not depend on its values' type.
@usableFromInline
class AnyWaitingQueue {
  fileprivate final var hasCompleted = false

  /// Whether no further tuple can have a value of this input. Overridden.
  fileprivate var isExhausted: Bool { false }

  fileprivate init() {}
}

/// One input's values that wait for their partners.
@usableFromInline
final class WaitingQueue<Value>: AnyWaitingQueue {
  private var values: [Held<Value>] = []
  private var first = 0
  private unowned let queues: WaitingQueues

  fileprivate init(in queues: WaitingQueues) {
    self.queues = queues
    super.init()
    queues.add(self)
  }

  private var isEmpty: Bool { first == values.count }

  override fileprivate var isExhausted: Bool { hasCompleted && isEmpty }

  fileprivate func append(_ value: Value) {
    if isEmpty { queues.empty -= 1 }
    values.append(Held(value))
  }

  fileprivate func complete() { hasCompleted = true }

  /// Takes the oldest value, for a delivery. There has to be one.
  @usableFromInline
  func removeFirst() -> Value {
    let held = values[first]
    first += 1
    if isEmpty { queues.empty += 1 }
    if first * 2 > values.count {
      values.removeFirst(first)
      first = 0
    }
    return held.recall()
  }
}

extension Junction {
  /// A junction that delivers what the closure makes that `prepare` returns, whenever every input
  /// that `prepare` adds has a value that waits.
  ///
  /// - Parameter empty: what it delivers when there are no inputs.
  static func zipping(
    _ operation: Operation, _ parents: [Origin], empty: Output? = nil,
    _ prepare: @escaping (QueuedInputs<Output, OutputFailure>) -> () -> Output
  ) -> Junction {
    Junction(operation, parents: parents) { root, _, disposables in
      let inputs = QueuedInputs(root, disposables)
      inputs.connect(joinedBy: prepare(inputs), empty: empty)
    }
  }

  /// A junction that delivers arrays of values with the same index.
  ///
  /// - Parameter empty: what it delivers when there are no inputs.
  static func zipping<Value>(
    _ operation: Operation, _ feeds: [Feed<Value, OutputFailure>], empty: [Value]?
  ) -> Junction where Output == [Value] {
    zipping(operation, feeds.map(\.origin), empty: empty) { inputs in
      let queues = feeds.map { inputs.add($0) }
      return { queues.map { $0.removeFirst() } }
    }
  }
}
