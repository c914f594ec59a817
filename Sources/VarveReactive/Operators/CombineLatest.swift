/// A junction that delivers tuples of the latest values once every input has one.
private func combining<each Value, Failure: Error>(
  _ operation: Operation, _ feeds: repeat Feed<each Value, Failure>
) -> Junction<(repeat each Value), Failure> {
  var parents: [Origin] = []
  for feed in repeat each feeds { parents.append(feed.origin) }
  return Junction(operation, parents: parents) { root, _, disposables in
    let state = CombiningState<Failure, repeat each Value>(root)
    state.connect(repeat each feeds, adding: disposables)
  }
}

private let combiningAll = Operation(
  "combineLatest($)", older: "+combineLatest: $", form: .function, [.parents], absorbs: .gathered)
private let combiningTwo = Operation(
  "combineLatest(with: $)", older: "-combineLatestWith: $", [.parent(1)], absorbs: .gathered)

/// What the inlets of a `combineLatest` share; changed inside the root's domain.
private final class CombiningState<Failure: Error, each Value> {
  private let root: Root<(repeat each Value), Failure>
  private let latest: (repeat Latest<each Value>)
  private var countdown = Countdown()

  init(_ root: Root<(repeat each Value), Failure>) {
    self.root = root
    latest = (repeat Latest<each Value>())
    for _ in repeat (each Value).self { countdown.addInput() }
  }

  func connect(
    _ feeds: repeat Feed<each Value, Failure>, adding disposables: CompositeDisposable
  ) {
    repeat connect(each feeds, to: each latest, disposables)
  }

  private func connect<Input>(
    _ feed: Feed<Input, Failure>, to cell: Latest<Input>, _ disposables: CompositeDisposable
  ) {
    guard !root.isOver else { return }
    let inlet = CombineInlet<Input, (repeat each Value), Failure>(root) { [self] value in
      countdown.noteValue(first: cell.isEmpty)
      cell.put(value)
      if countdown.allHaveValues { emit() }
    } completed: { [self] in
      if countdown.noteCompletion() { root.finish(.completed) }
    }
    feed.connect(inlet, stoppedBy: disposables)
  }

  private func emit() { root.deliver((repeat (each latest).recall())) }
}

/// How many inputs have no value yet, and how many have not completed.
private struct Countdown {
  private var withoutValue = 0
  private var running = 0

  mutating func addInput() {
    withoutValue += 1
    running += 1
  }

  var allHaveValues: Bool { withoutValue == 0 }

  mutating func noteValue(first: Bool) {
    if first { withoutValue -= 1 }
  }

  /// True when this was the last.
  mutating func noteCompletion() -> Bool {
    running -= 1
    return running == 0
  }
}

/// An inlet whose work is done inside the root's domain, value by value.
final class CombineInlet<Input, Output, Failure: Error>: Inlet<Input, Failure, Output, Failure> {
  private let onValue: (Input) -> Void
  private let onCompleted: () -> Void

  init(
    _ root: Root<Output, Failure>, value: @escaping (Input) -> Void,
    completed: @escaping () -> Void
  ) {
    onValue = value
    onCompleted = completed
    super.init(root)
  }

  override func receive(_ value: Input) { root.takeTurn(from: feed) { onValue(value) } }

  override func terminate(_ termination: Termination<Failure>) {
    switch termination {
    case .completed: root.perform(ClosureErrand(inside: onCompleted))
    case .failed, .interrupted: root.send(termination)
    }
  }
}

extension Junction {
  /// A junction that delivers what `transform` makes of the latest values once every input has one.
  ///
  /// - Parameter empty: what it delivers when there are no inputs.
  static func combining<Value>(
    _ operation: Operation, _ feeds: [Feed<Value, OutputFailure>], empty: Output?,
    _ transform: @escaping ([Value]) -> Output
  ) -> Junction {
    Junction(operation, parents: feeds.map(\.origin)) { root, _, disposables in
      if feeds.isEmpty {
        if let empty { root.send(empty) }
        return root.send(.completed)
      }
      let cells = feeds.map { _ in Latest<Value>() }
      let countdown = CountdownBox(inputs: feeds.count)
      for (feed, cell) in zip(feeds, cells) where !root.isOver {
        let inlet = CombineInlet<Value, Output, OutputFailure>(root) { value in
          countdown.value.noteValue(first: cell.isEmpty)
          cell.put(value)
          guard countdown.value.allHaveValues else { return }
          root.deliver(transform(cells.map { $0.recall() }))
        } completed: {
          if countdown.value.noteCompletion() { root.finish(.completed) }
        }
        feed.connect(inlet, stoppedBy: disposables)
      }
    }
  }
}

private final class CountdownBox {
  var value = Countdown()

  init(inputs: Int) {
    for _ in 0..<inputs { value.addInput() }
  }
}

extension Signal {
  /// Delivers the latest values of all signals, once each has one, whenever one changes.
  ///
  ///     a                   --1-----2-----|
  ///     b                   ----x------y----|
  ///     combineLatest(a, b) ----A---B--C----|   A = (1, x), B = (2, x), C = (2, y)
  ///
  /// - *Events*: completes when all inputs have; fails or is interrupted as soon as one is.
  /// - *Memory*: the latest value of each input.
  /// - *Scheduling*: the sender's thread; senders on different threads wait for each other.
  public static func combineLatest<Second, Third, Fourth, each Other>(
    _ first: Signal<Value, Failure>, _ second: Signal<Second, Failure>,
    _ third: Signal<Third, Failure>, _ fourth: Signal<Fourth, Failure>,
    _ others: repeat Signal<each Other, Failure>
  ) -> Signal<(Value, Second, Third, Fourth, repeat each Other), Failure> {
    Signal<(Value, Second, Third, Fourth, repeat each Other), Failure>(
      combining(
        combiningAll, first.feed, second.feed, third.feed, fourth.feed,
        repeat (each others).feed))
  }

  // Closures that take a tuple apart by number (`$0.1`) compile only where the compiler sees a tuple
  // without a pack: hence the forms for two and three.

  /// The form for two signals. See `Signal.combineLatest(_:_:)`.
  public static func combineLatest<Second>(
    _ first: Signal<Value, Failure>, _ second: Signal<Second, Failure>
  ) -> Signal<(Value, Second), Failure> {
    Signal<(Value, Second), Failure>(combining(combiningAll, first.feed, second.feed))
  }

  /// The form for three signals. See `Signal.combineLatest(_:_:)`.
  public static func combineLatest<Second, Third>(
    _ first: Signal<Value, Failure>, _ second: Signal<Second, Failure>,
    _ third: Signal<Third, Failure>
  ) -> Signal<(Value, Second, Third), Failure> {
    Signal<(Value, Second, Third), Failure>(
      combining(combiningAll, first.feed, second.feed, third.feed))
  }

  /// Delivers the latest values of a sequence of signals. See `Signal.combineLatest(_:_:)`.
  public static func combineLatest(
    _ signals: some Sequence<Signal>
  ) -> Signal<[Value], Failure> {
    Signal<[Value], Failure>(.combining(combiningAll, signals.map(\.feed), empty: nil) { $0 })
  }

  // A property that can be called rather than a method: with a static and an instance method of one
  // name on a type that is Sendable under a condition, Swift 6.3 cannot infer the type in
  // `Signal.combineLatest(a, b)` (Docs/Decisions/0001-callable-properties.md).

  /// Delivers the latest values of this signal and another: `a.combineLatest(with: b)`. See
  /// `Signal.combineLatest(_:_:)`.
  public var combineLatest: Combining { Combining(signal: self) }

  /// What `signal.combineLatest` calls.
  public struct Combining {
    let signal: Signal

    /// Delivers the latest values of two signals.
    public func callAsFunction<Other>(
      with other: Signal<Other, Failure>
    ) -> Signal<(Value, Other), Failure> {
      Signal<(Value, Other), Failure>(combining(combiningTwo, signal.feed, other.feed))
    }
  }

  /// The operator as a function, for `lift(_:)`: `producer.lift(Signal.combineLatest(with:))`. See
  /// `Signal.combineLatest(_:_:)`.
  public static func combineLatest<Other>(
    with signal: Signal
  ) -> (Signal<Other, Failure>) -> Signal<(Value, Other), Failure> {
    { signal.combineLatest(with: $0) }
  }
}

extension SignalProducer {
  /// Starts all producers and delivers their latest values. See `Signal.combineLatest(_:_:)`.
  public static func combineLatest<Second, Third, Fourth, each Other>(
    _ first: some SignalProducerConvertible<Value, Failure>,
    _ second: some SignalProducerConvertible<Second, Failure>,
    _ third: some SignalProducerConvertible<Third, Failure>,
    _ fourth: some SignalProducerConvertible<Fourth, Failure>,
    _ others: repeat any SignalProducerConvertible<each Other, Failure>
  ) -> SignalProducer<(Value, Second, Third, Fourth, repeat each Other), Failure> {
    SignalProducer<(Value, Second, Third, Fourth, repeat each Other), Failure>(
      combining(
        combiningAll, first.producer.feed, second.producer.feed, third.producer.feed,
        fourth.producer.feed, repeat (each others).producer.feed))
  }

  /// The form for two producers. See `Signal.combineLatest(_:_:)`.
  public static func combineLatest<Second>(
    _ first: some SignalProducerConvertible<Value, Failure>,
    _ second: some SignalProducerConvertible<Second, Failure>
  ) -> SignalProducer<(Value, Second), Failure> {
    SignalProducer<(Value, Second), Failure>(
      combining(combiningAll, first.producer.feed, second.producer.feed))
  }

  /// The form for three producers. See `Signal.combineLatest(_:_:)`.
  public static func combineLatest<Second, Third>(
    _ first: some SignalProducerConvertible<Value, Failure>,
    _ second: some SignalProducerConvertible<Second, Failure>,
    _ third: some SignalProducerConvertible<Third, Failure>
  ) -> SignalProducer<(Value, Second, Third), Failure> {
    SignalProducer<(Value, Second, Third), Failure>(
      combining(
        combiningAll, first.producer.feed, second.producer.feed, third.producer.feed))
  }

  /// Starts a sequence of producers and delivers their latest values; without any, sends
  /// `emptySentinel` if there is one. See `Signal.combineLatest(_:_:)`.
  public static func combineLatest<Source: SignalProducerConvertible<Value, Failure>>(
    _ producers: some Sequence<Source>, emptySentinel: [Value]? = nil
  ) -> SignalProducer<[Value], Failure> {
    SignalProducer<[Value], Failure>(
      .combining(combiningAll, producers.map { $0.producer.feed }, empty: emptySentinel) { $0 })
  }

  /// Delivers the latest values of this producer and another: `a.combineLatest(with: b)`. See
  /// `Signal.combineLatest(_:_:)`.
  public var combineLatest: Combining { Combining(producer: self) }

  /// What `producer.combineLatest` calls.
  public struct Combining {
    let producer: SignalProducer

    /// Delivers the latest values of two producers.
    public func callAsFunction<Other>(
      with other: some SignalProducerConvertible<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
      SignalProducer<(Value, Other), Failure>(
        combining(combiningTwo, producer.feed, other.producer.feed))
    }
  }
}
