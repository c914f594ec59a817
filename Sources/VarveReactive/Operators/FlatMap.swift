/// Translations of a failure of the outer stream into one of the output.
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
  /// Maps each value to a stream and flattens these streams into one.
  ///
  ///     self            --1-----2------|
  ///     inner of 1        a--a--a|
  ///     inner of 2              b--b|
  ///     .merge          --a--a--ab-b---|
  ///     .concat         --a--a--a--b--b|
  ///     .latest         --a--a--b--b---|
  ///
  /// - *Events*: completes when this stream and all inner streams have completed; fails as soon as
  ///   one fails. The interruption of an inner stream counts as its completion, except for `.race`
  ///   and `.throttle`.
  /// - *Memory*: the running inner streams, and the waiting ones, without a bound.
  /// - *Scheduling*: the sender's thread; inner streams on different threads wait for each other.
  /// - Parameters:
  ///   - strategy: how to flatten the inner streams into one.
  ///   - transform: returns the inner stream for a value.
  @preconcurrency
  public func flatMap<NewValue>(
    _ strategy: FlattenStrategy,
    _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Failure>
  ) -> Signal<NewValue, Failure> {
    Signal<NewValue, Failure>(
      .flatten(
        .flatMap(strategy), strategy, feed, transform: transform, translate: Translation.same))
  }

  /// Maps each value to a stream and flattens these streams into one. See `Signal.flatMap(_:_:)`.
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

  /// Maps each value to a stream and flattens these streams into one. See `Signal.flatMap(_:_:)`.
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

  /// Maps each value to a stream and flattens these streams into one. See `Signal.flatMap(_:_:)`.
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
  /// Maps each value to a stream and flattens these streams into one. See `Signal.flatMap(_:_:)`.
  @preconcurrency
  public func flatMap<NewValue, NewFailure: Error>(
    _ strategy: FlattenStrategy,
    _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, NewFailure>
  ) -> Signal<NewValue, NewFailure> {
    Signal<NewValue, NewFailure>(
      .flatten(
        .flatMap(strategy), strategy, feed, transform: transform, translate: Translation.never))
  }

  /// Maps each value to a stream and flattens these streams into one. See `Signal.flatMap(_:_:)`.
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

  /// Maps each value to a stream and flattens these streams into one. See `Signal.flatMap(_:_:)`.
  @preconcurrency
  public func flatMap<NewValue>(
    _ strategy: FlattenStrategy,
    _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Never>
  ) -> Signal<NewValue, Never> {
    Signal<NewValue, Never>(
      .flatten(
        .flatMap(strategy), strategy, feed, transform: transform, translate: Translation.same))
  }

  /// Maps each value to a stream and flattens these streams into one. See `Signal.flatMap(_:_:)`.
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
  /// Flattens the streams that this signal sends into one. See `Signal.flatMap(_:_:)`.
  public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Failure> {
    Signal<Value.Value, Failure>(
      .flatten(
        .flatten(strategy), strategy, feed, transform: { $0.producer },
        translate: Translation.same))
  }
}

extension Signal where Value: SignalProducerConvertible, Failure == Never {
  /// Flattens the streams that this signal sends into one. See `Signal.flatMap(_:_:)`.
  public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Value.Failure> {
    Signal<Value.Value, Value.Failure>(
      .flatten(
        .flatten(strategy), strategy, feed, transform: { $0.producer },
        translate: Translation.never))
  }
}

extension Signal where Value: SignalProducerConvertible, Failure == Never, Value.Failure == Never {
  /// Flattens the streams that this signal sends into one. See `Signal.flatMap(_:_:)`.
  public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Never> {
    Signal<Value.Value, Never>(
      .flatten(
        .flatten(strategy), strategy, feed, transform: { $0.producer },
        translate: Translation.same))
  }
}

extension Signal where Value: SignalProducerConvertible, Value.Failure == Never {
  /// Flattens the streams that this signal sends into one. See `Signal.flatMap(_:_:)`.
  public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Failure> {
    Signal<Value.Value, Failure>(
      .flatten(
        .flatten(strategy), strategy, feed, transform: { $0.producer.promoted(to: Failure.self) },
        translate: Translation.same))
  }
}
