extension JoinForm {
  fileprivate var zip: Operation {
    joining(function: "zip($)", method: "zip(with: $)")
  }
}

/// The queues of inputs that are given as a pack. A class, because a closure must not capture a pack.
private final class QueuesOfPack<each Value> {
  private let queues: (repeat WaitingQueue<each Value>)

  init<Output, Failure>(
    _ inputs: QueuedInputs<Output, Failure>, _ feeds: FeedsOfPack<Failure, repeat each Value>
  ) {
    queues = (repeat inputs.add(each feeds.feeds))
  }

  func removeFirst() -> (repeat each Value) { (repeat (each queues).removeFirst()) }
}

/// A junction that delivers tuples of values with the same index.
private func zippingPack<each Value, Failure: Error>(
  _ feeds: repeat Feed<each Value, Failure>
) -> Junction<(repeat each Value), Failure> {
  let feeds = FeedsOfPack(repeat each feeds)
  return .zipping(JoinForm.function.zip, feeds.all) { inputs in
    let queues = QueuesOfPack(inputs, feeds)
    return { queues.removeFirst() }
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
  @inlinable
  public static func zip<Second>(
    _ first: Signal<Value, Failure>, _ second: Signal<Second, Failure>
  ) -> Signal<(Value, Second), Failure> {
    Signal<(Value, Second), Failure>(
      zipping: .function, [first, second]
    ) { inputs in
      let first = inputs.queue(of: first)
      let second = inputs.queue(of: second)
      return { (first.removeFirst(), second.removeFirst()) }
    }
  }

  /// The form for three signals. See `Signal.zip(_:_:)`.
  @inlinable
  public static func zip<Second, Third>(
    _ first: Signal<Value, Failure>, _ second: Signal<Second, Failure>,
    _ third: Signal<Third, Failure>
  ) -> Signal<(Value, Second, Third), Failure> {
    Signal<(Value, Second, Third), Failure>(
      zipping: .function, [first, second, third]
    ) { inputs in
      let first = inputs.queue(of: first)
      let second = inputs.queue(of: second)
      let third = inputs.queue(of: third)
      return { (first.removeFirst(), second.removeFirst(), third.removeFirst()) }
    }
  }

  // The forms for two and three: see `combineLatest`.

  /// The form for four and more signals. See `Signal.zip(_:_:)`.
  @_disfavoredOverload
  public static func zip<Second, Third, Fourth, each Other>(
    _ first: Signal<Value, Failure>, _ second: Signal<Second, Failure>,
    _ third: Signal<Third, Failure>, _ fourth: Signal<Fourth, Failure>,
    _ others: repeat Signal<each Other, Failure>
  ) -> Signal<(Value, Second, Third, Fourth, repeat each Other), Failure> {
    zipping(first, second, third, fourth, repeat each others)
  }

  /// What the forms of all numbers of inputs come down to.
  package static func zipping<each Other>(
    _ first: Signal<Value, Failure>, _ others: repeat Signal<each Other, Failure>
  ) -> Signal<(Value, repeat each Other), Failure> {
    Signal<(Value, repeat each Other), Failure>(zippingPack(first.feed, repeat (each others).feed))
  }

  /// Joins the values of a sequence of signals by index. See `Signal.zip(_:_:)`.
  public static func zip(
    _ signals: some Sequence<Signal>
  ) -> Signal<[Value], Failure> {
    Signal<[Value], Failure>(
      .zipping(JoinForm.function.zip, signals.map(\.feed), empty: nil))
  }

  // A property that can be called rather than a method: with a static and an instance method of one
  // name on a type that is Sendable under a condition, Swift 6.3 cannot infer the type in
  // `Signal.zip(a, b)` (Docs/Decisions/0001-callable-properties.md).

  /// Pairs the values of this signal and another: `a.zip(with: b)`. See
  /// `Signal.zip(_:_:)`.
  public var zip: Zipping { Zipping(signal: self) }

  /// What `signal.zip` calls.
  public struct Zipping {
    @usableFromInline let signal: Signal

    /// Pairs the values of two signals.
    @inlinable
    public func callAsFunction<Other>(
      with other: Signal<Other, Failure>
    ) -> Signal<(Value, Other), Failure> {
      let signal = self.signal
      return Signal<(Value, Other), Failure>(
        zipping: .method, [signal, other]
      ) { inputs in
        let first = inputs.queue(of: signal)
        let second = inputs.queue(of: other)
        return { (first.removeFirst(), second.removeFirst()) }
      }
    }
  }

  /// The operator as a function, for `lift(_:)`: `producer.lift(Signal.zip(with:))`. See
  /// `Signal.zip(_:_:)`.
  @Sendable
  public static func zip<Other>(
    with signal: Signal
  ) -> (Signal<Other, Failure>) -> Signal<(Value, Other), Failure> {
    { signal.zip(with: $0) }
  }

  /// The signal of what the closure makes that `prepare` returns of the inputs' values.
  @usableFromInline
  convenience init(
    zipping form: JoinForm, _ inputs: [any Upstream],
    _ prepare: @escaping (QueuedInputs<Value, Failure>) -> () -> Value
  ) { self.init(.zipping(form.zip, inputs, prepare)) }
}

extension SignalProducer {
  /// Starts both producers and pairs their values by index. See `Signal.zip(_:_:)`.
  @inlinable
  public static func zip<Second>(
    _ first: some SignalProducerConvertible<Value, Failure>,
    _ second: some SignalProducerConvertible<Second, Failure>
  ) -> SignalProducer<(Value, Second), Failure> {
    SignalProducer<(Value, Second), Failure>(
      zipping: .function, first.producer, second.producer)
  }

  /// The form for three producers. See `Signal.zip(_:_:)`.
  @inlinable
  public static func zip<Second, Third>(
    _ first: some SignalProducerConvertible<Value, Failure>,
    _ second: some SignalProducerConvertible<Second, Failure>,
    _ third: some SignalProducerConvertible<Third, Failure>
  ) -> SignalProducer<(Value, Second, Third), Failure> {
    let (first, second, third) = (first.producer, second.producer, third.producer)
    return SignalProducer<(Value, Second, Third), Failure>(
      zipping: .function, [first, second, third]
    ) { inputs in
      let first = inputs.queue(of: first)
      let second = inputs.queue(of: second)
      let third = inputs.queue(of: third)
      return { (first.removeFirst(), second.removeFirst(), third.removeFirst()) }
    }
  }

  /// The form for four and more producers. See `Signal.zip(_:_:)`.
  @_disfavoredOverload
  public static func zip<Second, Third, Fourth, each Other>(
    _ first: some SignalProducerConvertible<Value, Failure>,
    _ second: some SignalProducerConvertible<Second, Failure>,
    _ third: some SignalProducerConvertible<Third, Failure>,
    _ fourth: some SignalProducerConvertible<Fourth, Failure>,
    _ others: repeat any SignalProducerConvertible<each Other, Failure>
  ) -> SignalProducer<(Value, Second, Third, Fourth, repeat each Other), Failure> {
    zipping(
      first.producer, second.producer, third.producer, fourth.producer,
      repeat (each others).producer)
  }

  /// What the forms of all numbers of inputs come down to.
  package static func zipping<each Other>(
    _ first: SignalProducer<Value, Failure>, _ others: repeat SignalProducer<each Other, Failure>
  ) -> SignalProducer<(Value, repeat each Other), Failure> {
    SignalProducer<(Value, repeat each Other), Failure>(
      zippingPack(first.feed, repeat (each others).feed))
  }

  /// Starts a sequence of producers and joins their values by index; without any, sends
  /// `emptySentinel` if there is one. See `Signal.zip(_:_:)`.
  public static func zip<Source: SignalProducerConvertible<Value, Failure>>(
    _ producers: some Sequence<Source>, emptySentinel: [Value]? = nil
  ) -> SignalProducer<[Value], Failure> {
    SignalProducer<[Value], Failure>(
      .zipping(
        JoinForm.function.zip, producers.map { $0.producer.feed }, empty: emptySentinel))
  }

  /// Pairs the values of this producer and another: `a.zip(with: b)`. See
  /// `Signal.zip(_:_:)`.
  public var zip: Zipping { Zipping(producer: self) }

  /// What `producer.zip` calls.
  public struct Zipping {
    @usableFromInline let producer: SignalProducer

    /// Pairs the values of two producers.
    @inlinable
    public func callAsFunction<Other>(
      with other: SignalProducer<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
      SignalProducer<(Value, Other), Failure>(zipping: .method, producer, other)
    }

    /// Pairs the values of a producer and of anything that has one.
    @inlinable
    public func callAsFunction<Other>(
      with other: some SignalProducerConvertible<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
      SignalProducer<(Value, Other), Failure>(zipping: .method, producer, other.producer)
    }
  }

  /// The producer of pairs of two producers' values.
  @inlinable
  init<First, Second>(
    zipping form: JoinForm, _ first: SignalProducer<First, Failure>,
    _ second: SignalProducer<Second, Failure>
  ) where Value == (First, Second) {
    self.init(zipping: form, [first, second]) { inputs in
      let first = inputs.queue(of: first)
      let second = inputs.queue(of: second)
      return { (first.removeFirst(), second.removeFirst()) }
    }
  }

  /// The producer of what the closure makes that `prepare` returns of the inputs' values.
  @usableFromInline
  init(
    zipping form: JoinForm, _ inputs: [any Upstream],
    _ prepare: @escaping (QueuedInputs<Value, Failure>) -> () -> Value
  ) { self.init(.zipping(form.zip, inputs, prepare)) }
}
