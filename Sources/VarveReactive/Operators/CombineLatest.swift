extension JoinForm {
  fileprivate var combineLatest: Operation {
    joining(function: "combineLatest($)", method: "combineLatest(with: $)")
  }
}

/// The latest values of a pack of inputs. A class, because a closure cannot capture a pack.
private final class LatestOfPack<each Value> {
  private let cells: (repeat Latest<each Value>)

  init<Output, Failure>(
    _ inputs: LatestInputs<Output, Failure>, _ feeds: FeedsOfPack<Failure, repeat each Value>
  ) {
    cells = (repeat inputs.add(each feeds.feeds))
  }

  var values: (repeat each Value) { (repeat (each cells).value) }
}

/// A junction that delivers tuples of the latest values once every input has one.
private func combining<each Value, Failure: Error>(
  _ feeds: repeat Feed<each Value, Failure>
) -> Junction<(repeat each Value), Failure> {
  let feeds = FeedsOfPack(repeat each feeds)
  return .combining(JoinForm.function.combineLatest, feeds.all) { inputs in
    let latest = LatestOfPack(inputs, feeds)
    return { latest.values }
  }
}

extension Signal {
  /// Delivers the latest values of all signals, once each has one, whenever one changes.
  ///
  ///     a                   --1-----2-----|
  ///     b                   ----x------y----|
  ///     combineLatest(a, b) ----A---B--C----|   A = (1, x), B = (2, x), C = (2, y)
  ///
  /// - *Events*: completes when all inputs have completed; fails or is interrupted as soon as one
  ///   is.
  /// - *Memory*: the latest value of each input.
  /// - *Scheduling*: the sender's thread; senders on different threads wait for each other.
  @inlinable
  public static func combineLatest<Second>(
    _ first: Signal<Value, Failure>, _ second: Signal<Second, Failure>
  ) -> Signal<(Value, Second), Failure> {
    Signal<(Value, Second), Failure>(
      combiningLatest: .function, [first, second]
    ) { inputs in
      let first = inputs.latest(of: first)
      let second = inputs.latest(of: second)
      return { (first.value, second.value) }
    }
  }

  /// Combines three signals. See `Signal.combineLatest(_:_:)`.
  @inlinable
  public static func combineLatest<Second, Third>(
    _ first: Signal<Value, Failure>, _ second: Signal<Second, Failure>,
    _ third: Signal<Third, Failure>
  ) -> Signal<(Value, Second, Third), Failure> {
    Signal<(Value, Second, Third), Failure>(
      combiningLatest: .function, [first, second, third]
    ) { inputs in
      let first = inputs.latest(of: first)
      let second = inputs.latest(of: second)
      let third = inputs.latest(of: third)
      return { (first.value, second.value, third.value) }
    }
  }

  // Closures that take a tuple apart by number (`$0.1`) compile only where the compiler sees a
  // tuple without a pack: hence the overloads for two and three inputs, and those of the
  // compatibility product.

  /// Combines four or more signals. See `Signal.combineLatest(_:_:)`.
  @_disfavoredOverload
  public static func combineLatest<Second, Third, Fourth, each Other>(
    _ first: Signal<Value, Failure>, _ second: Signal<Second, Failure>,
    _ third: Signal<Third, Failure>, _ fourth: Signal<Fourth, Failure>,
    _ others: repeat Signal<each Other, Failure>
  ) -> Signal<(Value, Second, Third, Fourth, repeat each Other), Failure> {
    combiningLatest(first, second, third, fourth, repeat each others)
  }

  /// Combines any number of inputs; all overloads end here.
  package static func combiningLatest<each Other>(
    _ first: Signal<Value, Failure>, _ others: repeat Signal<each Other, Failure>
  ) -> Signal<(Value, repeat each Other), Failure> {
    Signal<(Value, repeat each Other), Failure>(combining(first.feed, repeat (each others).feed))
  }

  /// Delivers the latest values of a sequence of signals. See `Signal.combineLatest(_:_:)`.
  public static func combineLatest(
    _ signals: some Sequence<Signal>
  ) -> Signal<[Value], Failure> {
    Signal<[Value], Failure>(
      .combining(JoinForm.function.combineLatest, signals.map(\.feed), empty: nil) { $0 })
  }

  // A callable property rather than a method: with a static and an instance method of one name on a
  // conditionally Sendable type, Swift 6.3 cannot infer the type in `Signal.combineLatest(a, b)`
  // (Docs/Decisions/0001-callable-properties.md).

  /// Delivers the latest values of this signal and another: `a.combineLatest(with: b)`. See
  /// `Signal.combineLatest(_:_:)`.
  public var combineLatest: Combining { Combining(signal: self) }

  /// The callable value of `signal.combineLatest`.
  public struct Combining {
    @usableFromInline let signal: Signal

    /// Delivers the latest values of two signals.
    @inlinable
    public func callAsFunction<Other>(
      with other: Signal<Other, Failure>
    ) -> Signal<(Value, Other), Failure> {
      let signal = self.signal
      return Signal<(Value, Other), Failure>(
        combiningLatest: .method, [signal, other]
      ) { inputs in
        let first = inputs.latest(of: signal)
        let second = inputs.latest(of: other)
        return { (first.value, second.value) }
      }
    }
  }

  /// The operator as a function, for `lift(_:)`: `producer.lift(Signal.combineLatest(with:))`. See
  /// `Signal.combineLatest(_:_:)`.
  @Sendable
  public static func combineLatest<Other>(
    with signal: Signal
  ) -> (Signal<Other, Failure>) -> Signal<(Value, Other), Failure> {
    { signal.combineLatest(with: $0) }
  }

  /// Creates a signal of the results of the closure that `prepare` returns, which reads the inputs'
  /// latest values.
  @usableFromInline
  convenience init(
    combiningLatest form: JoinForm, _ inputs: [any Upstream],
    _ prepare: @escaping (LatestInputs<Value, Failure>) -> () -> Value
  ) { self.init(.combining(form.combineLatest, inputs, prepare)) }
}

extension SignalProducer {
  /// Starts both producers and delivers their latest values. See `Signal.combineLatest(_:_:)`.
  @inlinable
  public static func combineLatest<Second>(
    _ first: some SignalProducerConvertible<Value, Failure>,
    _ second: some SignalProducerConvertible<Second, Failure>
  ) -> SignalProducer<(Value, Second), Failure> {
    SignalProducer<(Value, Second), Failure>(
      combiningLatest: .function, first.producer, second.producer)
  }

  /// Combines three producers. See `Signal.combineLatest(_:_:)`.
  @inlinable
  public static func combineLatest<Second, Third>(
    _ first: some SignalProducerConvertible<Value, Failure>,
    _ second: some SignalProducerConvertible<Second, Failure>,
    _ third: some SignalProducerConvertible<Third, Failure>
  ) -> SignalProducer<(Value, Second, Third), Failure> {
    let (first, second, third) = (first.producer, second.producer, third.producer)
    return SignalProducer<(Value, Second, Third), Failure>(
      combiningLatest: .function, [first, second, third]
    ) { inputs in
      let first = inputs.latest(of: first)
      let second = inputs.latest(of: second)
      let third = inputs.latest(of: third)
      return { (first.value, second.value, third.value) }
    }
  }

  /// Combines four or more producers. See `Signal.combineLatest(_:_:)`.
  @_disfavoredOverload
  public static func combineLatest<Second, Third, Fourth, each Other>(
    _ first: some SignalProducerConvertible<Value, Failure>,
    _ second: some SignalProducerConvertible<Second, Failure>,
    _ third: some SignalProducerConvertible<Third, Failure>,
    _ fourth: some SignalProducerConvertible<Fourth, Failure>,
    _ others: repeat any SignalProducerConvertible<each Other, Failure>
  ) -> SignalProducer<(Value, Second, Third, Fourth, repeat each Other), Failure> {
    combiningLatest(
      first.producer, second.producer, third.producer, fourth.producer,
      repeat (each others).producer)
  }

  /// Combines any number of inputs; all overloads end here.
  package static func combiningLatest<each Other>(
    _ first: SignalProducer<Value, Failure>, _ others: repeat SignalProducer<each Other, Failure>
  ) -> SignalProducer<(Value, repeat each Other), Failure> {
    SignalProducer<(Value, repeat each Other), Failure>(
      combining(first.feed, repeat (each others).feed))
  }

  /// Starts a sequence of producers and delivers their latest values; if there are none, sends
  /// `emptySentinel` unless it is nil. See `Signal.combineLatest(_:_:)`.
  public static func combineLatest<Source: SignalProducerConvertible<Value, Failure>>(
    _ producers: some Sequence<Source>, emptySentinel: [Value]? = nil
  ) -> SignalProducer<[Value], Failure> {
    SignalProducer<[Value], Failure>(
      .combining(
        JoinForm.function.combineLatest, producers.map { $0.producer.feed }, empty: emptySentinel
      ) { $0 })
  }

  /// Delivers the latest values of this producer and another: `a.combineLatest(with: b)`. See
  /// `Signal.combineLatest(_:_:)`.
  public var combineLatest: Combining { Combining(producer: self) }

  /// The callable value of `producer.combineLatest`.
  public struct Combining {
    @usableFromInline let producer: SignalProducer

    /// Delivers the latest values of two producers.
    @inlinable
    public func callAsFunction<Other>(
      with other: SignalProducer<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
      SignalProducer<(Value, Other), Failure>(combiningLatest: .method, producer, other)
    }

    /// Delivers the latest values of a producer and of anything that converts to one.
    @inlinable
    public func callAsFunction<Other>(
      with other: some SignalProducerConvertible<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
      SignalProducer<(Value, Other), Failure>(combiningLatest: .method, producer, other.producer)
    }
  }

  /// Creates a producer of pairs of the latest values of two producers.
  @inlinable
  init<First, Second>(
    combiningLatest form: JoinForm, _ first: SignalProducer<First, Failure>,
    _ second: SignalProducer<Second, Failure>
  ) where Value == (First, Second) {
    self.init(combiningLatest: form, [first, second]) { inputs in
      let first = inputs.latest(of: first)
      let second = inputs.latest(of: second)
      return { (first.value, second.value) }
    }
  }

  /// Creates a producer of the results of the closure that `prepare` returns, which reads the
  /// inputs' latest values.
  @usableFromInline
  init(
    combiningLatest form: JoinForm, _ inputs: [any Upstream],
    _ prepare: @escaping (LatestInputs<Value, Failure>) -> () -> Value
  ) { self.init(.combining(form.combineLatest, inputs, prepare)) }
}
