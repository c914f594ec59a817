extension Junction {
  /// Interleaves all inputs.
  static func merge(
    _ operation: Operation, _ feeds: [Feed<Output, OutputFailure>]
  ) -> Junction {
    Junction(operation, inputs: feeds) { root, disposables in
      let merging = MergeState(root, inputs: feeds.count)
      for feed in feeds where !root.isOver {
        feed.connect(MergeInlet(merging), stoppedBy: disposables)
      }
    }
  }

  fileprivate static func merge(_ feeds: [Feed<Output, OutputFailure>]) -> Junction {
    merge(
      Operation("merge($)", form: .function, [.parents], traits: .joins), feeds)
  }

  fileprivate static func merge(
    _ feed: Feed<Output, OutputFailure>, with other: Feed<Output, OutputFailure>
  ) -> Junction {
    merge(
      Operation("merge(with: $)", [.parent(1)], traits: .joins), [feed, other])
  }
}

/// The state that the inlets of a merge share. Changed inside the root's serializer.
private final class MergeState<Value, Failure: Error> {
  let root: Root<Value, Failure>
  private var running: Int

  init(_ root: Root<Value, Failure>, inputs: Int) {
    self.root = root
    running = inputs
    if inputs == 0 { root.send(.completed) }
  }

  func inputCompleted() {
    root.perform(
      DeferredClosure(inside: { [self] in
        running -= 1
        if running == 0 { root.finish(.completed) }
      }))
  }
}

private final class MergeInlet<Value, Failure: Error>: Inlet<Value, Failure, Value, Failure> {
  private let merging: MergeState<Value, Failure>

  init(_ merging: MergeState<Value, Failure>) {
    self.merging = merging
    super.init(merging.root)
  }

  override func receive(_ value: Value) { root.send(value, from: feed) }

  override func terminate(_ termination: Termination<Failure>) {
    switch termination {
    case .completed: merging.inputCompleted()
    case .failed, .interrupted: root.send(termination)
    }
  }
}

extension Signal {
  /// Interleaves the values of all signals.
  ///
  ///     a           --1-----3--|
  ///     b           -----2-------4--|
  ///     merge(a, b) --1--2--3----4--|
  ///
  /// - *Events*: completes when all inputs have completed; fails or is interrupted as soon as one
  ///   is.
  /// - *Memory*: none.
  /// - *Scheduling*: the sender's thread; senders on different threads wait for each other.
  public static func merge(_ signals: Signal...) -> Signal { merge(signals) }

  /// Interleaves the values of a sequence of signals. See `Signal.merge(_:)`.
  public static func merge(_ signals: some Sequence<Signal>) -> Signal {
    Signal(.merge(signals.map(\.feed)))
  }

  // A callable property rather than a method: with a static and an instance method of one name on a
  // conditionally Sendable type, Swift 6.3 cannot infer the type in `Signal.merge(a, b)`
  // (Docs/Decisions/0001-callable-properties.md).

  /// Interleaves the values of this signal and another: `a.merge(with: b)`. See `Signal.merge(_:)`.
  public var merge: Merging { Merging(signal: self) }

  /// The callable value of `signal.merge`.
  public struct Merging {
    let signal: Signal

    /// Interleaves the values of two signals.
    public func callAsFunction(with other: Signal) -> Signal {
      Signal(.merge(signal.feed, with: other.feed))
    }
  }

  /// The operator as a function, for `lift(_:)`: `producer.lift(Signal.merge(with:))`. See
  /// `Signal.merge(_:)`.
  @Sendable
  public static func merge(with signal: Signal) -> (Signal) -> Signal {
    { signal.merge(with: $0) }
  }
}

extension SignalProducer {
  /// Starts all producers and interleaves their values. See `Signal.merge(_:)`.
  public static func merge(
    _ first: some SignalProducerConvertible<Value, Failure>,
    _ others: any SignalProducerConvertible<Value, Failure>...
  ) -> SignalProducer {
    SignalProducer(.merge([first.producer.feed] + others.map { $0.producer.feed }))
  }

  /// Starts a sequence of producers and interleaves their values. See `Signal.merge(_:)`.
  public static func merge(_ producers: some Sequence<SignalProducer>) -> SignalProducer {
    SignalProducer(.merge(producers.map(\.feed)))
  }

  /// Interleaves the values of this producer and another: `a.merge(with: b)`. See
  /// `Signal.merge(_:)`.
  public var merge: Merging { Merging(producer: self) }

  /// The callable value of `producer.merge`.
  public struct Merging {
    let producer: SignalProducer

    /// Interleaves the values of two producers.
    public func callAsFunction(with other: SignalProducer) -> SignalProducer {
      SignalProducer(.merge(producer.feed, with: other.feed))
    }

    /// Interleaves the values of a producer and of anything that converts to one.
    public func callAsFunction(
      with other: some SignalProducerConvertible<Value, Failure>
    ) -> SignalProducer { SignalProducer(.merge(producer.feed, with: other.producer.feed)) }
  }
}
