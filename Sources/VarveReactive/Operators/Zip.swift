/// A junction that delivers tuples of values with the same index.
private func zipping<each Value, Failure: Error>(
  _ operation: Operation, _ feeds: repeat Feed<each Value, Failure>
) -> Junction<(repeat each Value), Failure> {
  var parents: [Origin] = []
  for feed in repeat each feeds { parents.append(feed.origin) }
  return Junction(operation, parents: parents) { root, _, disposables in
    let state = ZippingState<Failure, repeat each Value>(root)
    state.connect(repeat each feeds, adding: disposables)
  }
}

private let zippingAll = Operation(
  "zip($)", older: "+zip: $", form: .function, [.parents], absorbs: .gathered)
private let zippingTwo = Operation(
  "zip(with: $)", older: "-zipWith: $", [.parent(1)], absorbs: .gathered)

/// One input's values that wait for their partners.
private final class Waiting<Value> {
  private var queue: [Held<Value>] = []
  private var first = 0
  private(set) var hasCompleted = false

  var isEmpty: Bool { first == queue.count }
  /// Whether no further tuple can have a value of this input.
  var isExhausted: Bool { hasCompleted && isEmpty }

  func append(_ value: Value) { queue.append(Held(value)) }
  func complete() { hasCompleted = true }

  /// Takes the oldest value, for a delivery. There has to be one.
  func recallFirst() -> Value {
    let held = queue[first]
    first += 1
    if first * 2 > queue.count {
      queue.removeFirst(first)
      first = 0
    }
    return held.recall()
  }
}

/// What the inlets of a `zip` share; changed inside the root's domain.
private final class ZippingState<Failure: Error, each Value> {
  private let root: Root<(repeat each Value), Failure>
  private let waiting: (repeat Waiting<each Value>)

  init(_ root: Root<(repeat each Value), Failure>) {
    self.root = root
    waiting = (repeat Waiting<each Value>())
  }

  func connect(
    _ feeds: repeat Feed<each Value, Failure>, adding disposables: CompositeDisposable
  ) {
    repeat connect(each feeds, to: each waiting, disposables)
  }

  private func connect<Input>(
    _ feed: Feed<Input, Failure>, to input: Waiting<Input>, _ disposables: CompositeDisposable
  ) {
    guard !root.isOver else { return }
    let inlet = CombineInlet<Input, (repeat each Value), Failure>(root) { [self] value in
      input.append(value)
      if allHaveValues { emit() }
    } completed: { [self] in
      input.complete()
      if input.isExhausted { root.finish(.completed) }
    }
    feed.connect(inlet, stoppedBy: disposables)
  }

  private var allHaveValues: Bool {
    for input in repeat each waiting {
      if input.isEmpty { return false }
    }
    return true
  }

  private var someIsExhausted: Bool {
    for input in repeat each waiting {
      if input.isExhausted { return true }
    }
    return false
  }

  private func emit() {
    root.deliver((repeat (each waiting).recallFirst()))
    if someIsExhausted { root.finish(.completed) }
  }
}

/// A junction that delivers arrays of values with the same index.
private func zipping<Value, Failure: Error>(
  _ feeds: [Feed<Value, Failure>], emptySentinel: [Value]?
) -> Junction<[Value], Failure> {
  Junction(zippingAll, parents: feeds.map(\.origin)) { root, _, disposables in
    if feeds.isEmpty {
      if let emptySentinel { root.send(emptySentinel) }
      return root.send(.completed)
    }
    let waiting = feeds.map { _ in Waiting<Value>() }
    for (feed, input) in zip(feeds, waiting) where !root.isOver {
      let inlet = CombineInlet<Value, [Value], Failure>(root) { value in
        input.append(value)
        guard waiting.allSatisfy({ !$0.isEmpty }) else { return }
        root.deliver(waiting.map { $0.recallFirst() })
        if waiting.contains(where: \.isExhausted) { root.finish(.completed) }
      } completed: {
        input.complete()
        if input.isExhausted { root.finish(.completed) }
      }
      feed.connect(inlet, stoppedBy: disposables)
    }
  }
}

extension Signal {
  /// Pairs the first values of all signals, then the second ones, and so on.
  ///
  ///     a         --1--2-----3--|
  ///     b         -----x---y----z--|
  ///     zip(a, b) -----A---B----C|   A = (1, x), B = (2, y), C = (3, z)
  ///
  /// - *Events*: completes when one input has completed and nothing of it waits; fails or is
  ///   interrupted as soon as one is.
  /// - *Memory*: the values that wait for their partners, without a bound.
  /// - *Scheduling*: the sender's thread; senders on different threads wait for each other.
  public static func zip<Second, Third, Fourth, each Other>(
    _ first: Signal<Value, Failure>, _ second: Signal<Second, Failure>,
    _ third: Signal<Third, Failure>, _ fourth: Signal<Fourth, Failure>,
    _ others: repeat Signal<each Other, Failure>
  ) -> Signal<(Value, Second, Third, Fourth, repeat each Other), Failure> {
    Signal<(Value, Second, Third, Fourth, repeat each Other), Failure>(
      zipping(
        zippingAll, first.feed, second.feed, third.feed, fourth.feed,
        repeat (each others).feed))
  }

  // Closures that take a tuple apart by number (`$0.1`) compile only where the compiler sees a tuple
  // without a pack: hence the forms for two and three.

  /// The form for two signals. See `Signal.zip(_:_:)`.
  public static func zip<Second>(
    _ first: Signal<Value, Failure>, _ second: Signal<Second, Failure>
  ) -> Signal<(Value, Second), Failure> {
    Signal<(Value, Second), Failure>(zipping(zippingAll, first.feed, second.feed))
  }

  /// The form for three signals. See `Signal.zip(_:_:)`.
  public static func zip<Second, Third>(
    _ first: Signal<Value, Failure>, _ second: Signal<Second, Failure>,
    _ third: Signal<Third, Failure>
  ) -> Signal<(Value, Second, Third), Failure> {
    Signal<(Value, Second, Third), Failure>(
      zipping(zippingAll, first.feed, second.feed, third.feed))
  }

  /// Joins the values of a sequence of signals by index. See `Signal.zip(_:_:)`.
  public static func zip(_ signals: some Sequence<Signal>) -> Signal<[Value], Failure> {
    Signal<[Value], Failure>(zipping(signals.map(\.feed), emptySentinel: nil))
  }

  // A property that can be called rather than a method: with a static and an instance method of one
  // name on a type that is Sendable under a condition, Swift 6.3 cannot infer the type in
  // `Signal.zip(a, b)` (Docs/Decisions/0001-callable-properties.md).

  /// Pairs the values of this signal and another: `a.zip(with: b)`. See
  /// `Signal.zip(_:_:)`.
  public var zip: Zipping { Zipping(signal: self) }

  /// What `signal.zip` calls.
  public struct Zipping {
    let signal: Signal

    /// Pairs the values of two signals.
    public func callAsFunction<Other>(
      with other: Signal<Other, Failure>
    ) -> Signal<(Value, Other), Failure> {
      Signal<(Value, Other), Failure>(zipping(zippingTwo, signal.feed, other.feed))
    }
  }

  /// The operator as a function, for `lift(_:)`: `producer.lift(Signal.zip(with:))`. See
  /// `Signal.zip(_:_:)`.
  public static func zip<Other>(
    with signal: Signal
  ) -> (Signal<Other, Failure>) -> Signal<(Value, Other), Failure> {
    { signal.zip(with: $0) }
  }
}

extension SignalProducer {
  /// Starts all producers and joins their values by index. See `Signal.zip(_:_:)`.
  public static func zip<Second, Third, Fourth, each Other>(
    _ first: some SignalProducerConvertible<Value, Failure>,
    _ second: some SignalProducerConvertible<Second, Failure>,
    _ third: some SignalProducerConvertible<Third, Failure>,
    _ fourth: some SignalProducerConvertible<Fourth, Failure>,
    _ others: repeat any SignalProducerConvertible<each Other, Failure>
  ) -> SignalProducer<(Value, Second, Third, Fourth, repeat each Other), Failure> {
    SignalProducer<(Value, Second, Third, Fourth, repeat each Other), Failure>(
      zipping(
        zippingAll, first.producer.feed, second.producer.feed, third.producer.feed,
        fourth.producer.feed, repeat (each others).producer.feed))
  }

  /// The form for two producers. See `Signal.zip(_:_:)`.
  public static func zip<Second>(
    _ first: some SignalProducerConvertible<Value, Failure>,
    _ second: some SignalProducerConvertible<Second, Failure>
  ) -> SignalProducer<(Value, Second), Failure> {
    SignalProducer<(Value, Second), Failure>(
      zipping(zippingAll, first.producer.feed, second.producer.feed))
  }

  /// The form for three producers. See `Signal.zip(_:_:)`.
  public static func zip<Second, Third>(
    _ first: some SignalProducerConvertible<Value, Failure>,
    _ second: some SignalProducerConvertible<Second, Failure>,
    _ third: some SignalProducerConvertible<Third, Failure>
  ) -> SignalProducer<(Value, Second, Third), Failure> {
    SignalProducer<(Value, Second, Third), Failure>(
      zipping(
        zippingAll, first.producer.feed, second.producer.feed, third.producer.feed))
  }

  /// Starts a sequence of producers and joins their values by index; without any, sends
  /// `emptySentinel` if there is one. See `Signal.zip(_:_:)`.
  public static func zip<Source: SignalProducerConvertible<Value, Failure>>(
    _ producers: some Sequence<Source>, emptySentinel: [Value]? = nil
  ) -> SignalProducer<[Value], Failure> {
    SignalProducer<[Value], Failure>(
      zipping(producers.map { $0.producer.feed }, emptySentinel: emptySentinel))
  }

  /// Pairs the values of this producer and another: `a.zip(with: b)`. See
  /// `Signal.zip(_:_:)`.
  public var zip: Zipping { Zipping(producer: self) }

  /// What `producer.zip` calls.
  public struct Zipping {
    let producer: SignalProducer

    /// Pairs the values of two producers.
    public func callAsFunction<Other>(
      with other: some SignalProducerConvertible<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
      SignalProducer<(Value, Other), Failure>(
        zipping(zippingTwo, producer.feed, other.producer.feed))
    }
  }
}
