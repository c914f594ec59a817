extension JoinForm {
  fileprivate var zip: Operation {
    joining(function: "zip($)", method: "zip(with: $)")
  }
}

/// The queues of a pack of inputs. A class, because a closure cannot capture a pack.
private final class QueuesOfPack<each Value> {
  private let queues: (repeat WaitingQueue<each Value>)

  init<Output, Failure>(
    _ inputs: QueuedInputs<Output, Failure>, _ feeds: FeedsOfPack<Failure, repeat each Value>
  ) {
    queues = (repeat inputs.add(each feeds.feeds))
  }

  func removeFirst() -> (repeat each Value) { (repeat (each queues).removeFirst()) }
}

/// Returns a junction that delivers tuples of values with the same index.
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
  /// - *Events*: completes when an input has completed and none of its values is waiting; fails or
  ///   is interrupted as soon as one is.
  /// - *Memory*: the values that are waiting for their partners, without a bound.
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

  /// Joins the values of three signals by index. See `Signal.zip(_:_:)`.
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

  // For the overloads for two and three inputs, see `combineLatest`.

  /// Joins the values of four or more signals by index. See `Signal.zip(_:_:)`.
  @_disfavoredOverload
  public static func zip<Second, Third, Fourth, each Other>(
    _ first: Signal<Value, Failure>, _ second: Signal<Second, Failure>,
    _ third: Signal<Third, Failure>, _ fourth: Signal<Fourth, Failure>,
    _ others: repeat Signal<each Other, Failure>
  ) -> Signal<(Value, Second, Third, Fourth, repeat each Other), Failure> {
    zipping(first, second, third, fourth, repeat each others)
  }

  /// Joins any number of inputs; all overloads end here.
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

  // A callable property rather than a method: with a static and an instance method of one name on a
  // conditionally Sendable type, Swift 6.3 cannot infer the type in `Signal.zip(a, b)`
  // (Docs/Decisions/0001-callable-properties.md).

  /// Pairs the values of this signal and another: `a.zip(with: b)`. See
  /// `Signal.zip(_:_:)`.
  public var zip: Zipping { Zipping(signal: self) }

  /// The callable value of `signal.zip`.
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

  /// Creates a signal of the results of the closure that `prepare` returns, which takes the inputs'
  /// values.
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

  /// Joins the values of three producers by index. See `Signal.zip(_:_:)`.
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

  /// Joins the values of four or more producers by index. See `Signal.zip(_:_:)`.
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

  /// Joins any number of inputs; all overloads end here.
  package static func zipping<each Other>(
    _ first: SignalProducer<Value, Failure>, _ others: repeat SignalProducer<each Other, Failure>
  ) -> SignalProducer<(Value, repeat each Other), Failure> {
    SignalProducer<(Value, repeat each Other), Failure>(
      zippingPack(first.feed, repeat (each others).feed))
  }

  /// Starts a sequence of producers and joins their values by index; if there are none, sends
  /// `emptySentinel` unless it is nil. See `Signal.zip(_:_:)`.
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

  /// The callable value of `producer.zip`.
  public struct Zipping {
    @usableFromInline let producer: SignalProducer

    /// Pairs the values of two producers.
    @inlinable
    public func callAsFunction<Other>(
      with other: SignalProducer<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
      SignalProducer<(Value, Other), Failure>(zipping: .method, producer, other)
    }

    /// Pairs the values of a producer and of anything that converts to one.
    @inlinable
    public func callAsFunction<Other>(
      with other: some SignalProducerConvertible<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> {
      SignalProducer<(Value, Other), Failure>(zipping: .method, producer, other.producer)
    }
  }

  /// Creates a producer of pairs of the values of two producers.
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

  /// Creates a producer of the results of the closure that `prepare` returns, which takes the
  /// inputs' values.
  @usableFromInline
  init(
    zipping form: JoinForm, _ inputs: [any Upstream],
    _ prepare: @escaping (QueuedInputs<Value, Failure>) -> () -> Value
  ) { self.init(.zipping(form.zip, inputs, prepare)) }
}
