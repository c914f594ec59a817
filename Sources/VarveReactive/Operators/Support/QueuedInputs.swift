/// The inputs of one start of a `zip`, before they are connected. See `LatestInputs`.
@usableFromInline
final class QueuedInputs<Output, Failure: Error> {
  private var inputs: JoinedInputs<Pairing<Output, Failure>, Output, Failure>
  private let queues = WaitingQueues()

  init(_ root: Root<Output, Failure>, _ disposables: CompositeDisposable) {
    inputs = JoinedInputs(root, disposables)
  }

  /// Adds a signal and returns the queue for its values.
  @usableFromInline
  func queue<Input>(of signal: Signal<Input, Failure>) -> WaitingQueue<Input> { add(signal.feed) }

  /// Adds a producer and returns the queue for its values.
  @usableFromInline
  func queue<Input>(of producer: SignalProducer<Input, Failure>) -> WaitingQueue<Input> {
    add(producer.feed)
  }

  func add<Input>(_ feed: Feed<Input, Failure>) -> WaitingQueue<Input> {
    let queue = WaitingQueue<Input>(in: queues)
    inputs.add(feed) { pairing in
      let inlet = QueuedInlet(pairing, queue)
      queue.account = inlet.account
      return (inlet, { queue.discard() })
    }
    return queue
  }

  /// Connects all inputs.
  ///
  /// - Parameters:
  ///   - join: removes the first value of each queue and joins these values.
  ///   - empty: the value to send if there are no inputs.
  fileprivate func connect(joinedBy join: @escaping () -> Output, empty: Output?) {
    inputs.connect(empty: empty) { Pairing($0, queues, join) }
  }
}

/// The state that the inlets of a `zip` share. Changed inside the root's serializer.
private final class Pairing<Output, Failure: Error> {
  let root: Root<Output, Failure>
  private let queues: WaitingQueues
  private let join: () -> Output

  init(_ root: Root<Output, Failure>, _ queues: WaitingQueues, _ join: @escaping () -> Output) {
    self.root = root
    self.queues = queues
    self.join = join
  }

  /// Takes a value of an input.
  @inline(__always)
  func put<Input>(_ value: Input, in queue: WaitingQueue<Input>) {
    queue.append(value)
    guard queues.allHaveValues else { return }
    root.deliver(join())
    if queues.someIsExhausted { complete() }
  }

  /// Takes the completion of an input.
  func complete(_ queue: AnyWaitingQueue) {
    queue.complete()
    if queues.someIsExhausted { complete() }
  }

  // Not inlined: see `Stage.succeed()`.
  @inline(never)
  private func complete() { root.finish(.completed) }
}

private final class QueuedInlet<Input, Output, Failure: Error>:
  JoinedInlet<Input, Output, Failure>
{
  private let pairing: Pairing<Output, Failure>
  private let queue: WaitingQueue<Input>

  init(_ pairing: Pairing<Output, Failure>, _ queue: WaitingQueue<Input>) {
    self.pairing = pairing
    self.queue = queue
    super.init(pairing.root)
  }

  override func receive(_ value: Input) {
    root.takeTurn(from: feed) { pairing.put(value, in: queue) }
  }

  override func takeCompletion() { pairing.complete(queue) }
}

extension Junction {
  /// Returns a junction that delivers the result of the closure that `prepare` returns, whenever
  /// every input added by `prepare` has a waiting value.
  ///
  /// - Parameter empty: the value to deliver if there are no inputs.
  static func zipping(
    _ operation: Operation, _ inputs: [any Upstream], empty: Output? = nil,
    _ prepare: @escaping (QueuedInputs<Output, OutputFailure>) -> () -> Output
  ) -> Junction {
    Junction(operation, inputs: inputs) { root, disposables in
      let inputs = QueuedInputs(root, disposables)
      inputs.connect(joinedBy: prepare(inputs), empty: empty)
    }
  }

  /// Returns a junction that delivers arrays of values with the same index.
  ///
  /// - Parameter empty: the value to deliver if there are no inputs.
  static func zipping<Value>(
    _ operation: Operation, _ feeds: [Feed<Value, OutputFailure>], empty: [Value]?
  ) -> Junction where Output == [Value] {
    zipping(operation, feeds, empty: empty) { inputs in
      let queues = feeds.map { inputs.add($0) }
      return { queues.map { $0.removeFirst() } }
    }
  }
}
