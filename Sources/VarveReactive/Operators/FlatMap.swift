/// How failures of the outer stream become failures of the whole.
enum Translation {
  static func same<Failure: Error>(_ failure: Failure) -> Failure { failure }
  static func never<Failure: Error>(_ never: Never) -> Failure {}
}

extension Operation {
  static func flatMap(_ strategy: FlattenStrategy) -> Operation {
    Operation(
      "flatMap($, _:)", [.label(strategy.description)],
      absorbs: strategy.absorbs, traits: strategy.traits)
  }

  static func flatten(_ strategy: FlattenStrategy) -> Operation {
    Operation(
      "flatten($)", [.label(strategy.description)],
      absorbs: strategy.absorbs, traits: strategy.traits)
  }
}

extension Signal {
  /// Makes a stream of each value, and one stream of these.
  ///
  ///     self            --1-----2------|
  ///     inner of 1        a--a--a|
  ///     inner of 2              b--b|
  ///     .merge          --a--a--ab-b---|
  ///     .concat         --a--a--a--b--b|
  ///     .latest         --a--a--b--b---|
  ///
  /// - *Events*: completes when this stream and all inner streams have; fails as soon as one does.
  ///   The interruption of an inner stream counts as its completion, but for `.race` and
  ///   `.throttle`.
  /// - *Memory*: the inner streams that run, and those that wait, without a bound.
  /// - *Scheduling*: the sender's thread; inner streams on different threads wait for each other.
  /// - Parameters:
  ///   - strategy: how the inner streams become one.
  ///   - transform: makes an inner stream of a value.
  @preconcurrency
  public func flatMap<NewValue>(
    _ strategy: FlattenStrategy,
    _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Failure>
  ) -> Signal<NewValue, Failure> {
    Signal<NewValue, Failure>(
      .flatten(
        .flatMap(strategy), strategy, feed, transform: transform, translate: Translation.same))
  }

  /// Makes a stream of each value, and one stream of these. See `Signal.flatMap(_:_:)`.
  @preconcurrency
  @_disfavoredOverload
  public func flatMap<Inner: SignalProducerConvertible>(
    _ strategy: FlattenStrategy,
    _ transform: @escaping @Sendable (Value) -> Inner
  ) -> Signal<Inner.Value, Failure> where Inner.Failure == Failure {
    Signal<Inner.Value, Failure>(
      .flatten(
        .flatMap(strategy), strategy, feed, transform: { transform($0).producer },
        translate: Translation.same))
  }

  /// Makes a stream of each value, and one stream of these. See `Signal.flatMap(_:_:)`.
  @preconcurrency
  public func flatMap<NewValue>(
    _ strategy: FlattenStrategy,
    _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Never>
  ) -> Signal<NewValue, Failure> {
    Signal<NewValue, Failure>(
      .flatten(
        .flatMap(strategy), strategy, feed, transform: { transform($0).promoted(to: Failure.self) },
        translate: Translation.same))
  }

  /// Makes a stream of each value, and one stream of these. See `Signal.flatMap(_:_:)`.
  @preconcurrency
  @_disfavoredOverload
  public func flatMap<Inner: SignalProducerConvertible>(
    _ strategy: FlattenStrategy,
    _ transform: @escaping @Sendable (Value) -> Inner
  ) -> Signal<Inner.Value, Failure> where Inner.Failure == Never {
    Signal<Inner.Value, Failure>(
      .flatten(
        .flatMap(strategy), strategy, feed,
        transform: { transform($0).producer.promoted(to: Failure.self) },
        translate: Translation.same))
  }
}

extension Signal where Failure == Never {
  /// Makes a stream of each value, and one stream of these. See `Signal.flatMap(_:_:)`.
  @preconcurrency
  public func flatMap<NewValue, NewFailure: Error>(
    _ strategy: FlattenStrategy,
    _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, NewFailure>
  ) -> Signal<NewValue, NewFailure> {
    Signal<NewValue, NewFailure>(
      .flatten(
        .flatMap(strategy), strategy, feed, transform: transform, translate: Translation.never))
  }

  /// Makes a stream of each value, and one stream of these. See `Signal.flatMap(_:_:)`.
  @preconcurrency
  @_disfavoredOverload
  public func flatMap<Inner: SignalProducerConvertible>(
    _ strategy: FlattenStrategy,
    _ transform: @escaping @Sendable (Value) -> Inner
  ) -> Signal<Inner.Value, Inner.Failure> {
    Signal<Inner.Value, Inner.Failure>(
      .flatten(
        .flatMap(strategy), strategy, feed, transform: { transform($0).producer },
        translate: Translation.never))
  }

  /// Makes a stream of each value, and one stream of these. See `Signal.flatMap(_:_:)`.
  @preconcurrency
  public func flatMap<NewValue>(
    _ strategy: FlattenStrategy,
    _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Never>
  ) -> Signal<NewValue, Never> {
    Signal<NewValue, Never>(
      .flatten(
        .flatMap(strategy), strategy, feed, transform: transform, translate: Translation.same))
  }

  /// Makes a stream of each value, and one stream of these. See `Signal.flatMap(_:_:)`.
  @preconcurrency
  @_disfavoredOverload
  public func flatMap<Inner: SignalProducerConvertible>(
    _ strategy: FlattenStrategy,
    _ transform: @escaping @Sendable (Value) -> Inner
  ) -> Signal<Inner.Value, Never> where Inner.Failure == Never {
    Signal<Inner.Value, Never>(
      .flatten(
        .flatMap(strategy), strategy, feed, transform: { transform($0).producer },
        translate: Translation.same))
  }
}

extension Signal where Value: SignalProducerConvertible, Value.Failure == Failure {
  /// Makes one stream of the streams that this one sends. See `Signal.flatMap(_:_:)`.
  public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Failure> {
    Signal<Value.Value, Failure>(
      .flatten(
        .flatten(strategy), strategy, feed, transform: { $0.producer },
        translate: Translation.same))
  }
}

extension Signal where Value: SignalProducerConvertible, Failure == Never {
  /// Makes one stream of the streams that this one sends. See `Signal.flatMap(_:_:)`.
  public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Value.Failure> {
    Signal<Value.Value, Value.Failure>(
      .flatten(
        .flatten(strategy), strategy, feed, transform: { $0.producer },
        translate: Translation.never))
  }
}

extension Signal where Value: SignalProducerConvertible, Failure == Never, Value.Failure == Never {
  /// Makes one stream of the streams that this one sends. See `Signal.flatMap(_:_:)`.
  public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Never> {
    Signal<Value.Value, Never>(
      .flatten(
        .flatten(strategy), strategy, feed, transform: { $0.producer },
        translate: Translation.same))
  }
}

extension Signal where Value: SignalProducerConvertible, Value.Failure == Never {
  /// Makes one stream of the streams that this one sends. See `Signal.flatMap(_:_:)`.
  public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Failure> {
    Signal<Value.Value, Failure>(
      .flatten(
        .flatten(strategy), strategy, feed, transform: { $0.producer.promoted(to: Failure.self) },
        translate: Translation.same))
  }
}
