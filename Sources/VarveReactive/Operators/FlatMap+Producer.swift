// Written by Tools/forms: the forms of FlatMap.swift, of producers.

extension SignalProducer {
  /// Maps each value to a stream and flattens these streams into one. See `Signal.flatMap(_:_:)`.
  @preconcurrency
  public func flatMap<NewValue>(
    _ strategy: FlattenStrategy,
    _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Failure>
  ) -> SignalProducer<NewValue, Failure> {
    SignalProducer<NewValue, Failure>(
      .flatten(
        .flatMap(strategy), strategy, feed, transform: transform, translate: Translation.same))
  }

  /// Maps each value to a stream and flattens these streams into one. See `Signal.flatMap(_:_:)`.
  @preconcurrency
  @_disfavoredOverload
  public func flatMap<Inner: SignalProducerConvertible>(
    _ strategy: FlattenStrategy,
    _ transform: @escaping @Sendable (Value) -> Inner
  ) -> SignalProducer<Inner.Value, Failure> where Inner.Failure == Failure {
    SignalProducer<Inner.Value, Failure>(
      .flatten(
        .flatMap(strategy), strategy, feed, transform: { transform($0).producer },
        translate: Translation.same))
  }

  /// Maps each value to a stream and flattens these streams into one. See `Signal.flatMap(_:_:)`.
  @preconcurrency
  public func flatMap<NewValue>(
    _ strategy: FlattenStrategy,
    _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Never>
  ) -> SignalProducer<NewValue, Failure> {
    SignalProducer<NewValue, Failure>(
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
  ) -> SignalProducer<Inner.Value, Failure> where Inner.Failure == Never {
    SignalProducer<Inner.Value, Failure>(
      .flatten(
        .flatMap(strategy), strategy, feed,
        transform: { transform($0).producer.promoted(to: Failure.self) },
        translate: Translation.same))
  }
}

extension SignalProducer where Failure == Never {
  /// Maps each value to a stream and flattens these streams into one. See `Signal.flatMap(_:_:)`.
  @preconcurrency
  public func flatMap<NewValue, NewFailure: Error>(
    _ strategy: FlattenStrategy,
    _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, NewFailure>
  ) -> SignalProducer<NewValue, NewFailure> {
    SignalProducer<NewValue, NewFailure>(
      .flatten(
        .flatMap(strategy), strategy, feed, transform: transform, translate: Translation.never))
  }

  /// Maps each value to a stream and flattens these streams into one. See `Signal.flatMap(_:_:)`.
  @preconcurrency
  @_disfavoredOverload
  public func flatMap<Inner: SignalProducerConvertible>(
    _ strategy: FlattenStrategy,
    _ transform: @escaping @Sendable (Value) -> Inner
  ) -> SignalProducer<Inner.Value, Inner.Failure> {
    SignalProducer<Inner.Value, Inner.Failure>(
      .flatten(
        .flatMap(strategy), strategy, feed, transform: { transform($0).producer },
        translate: Translation.never))
  }

  /// Maps each value to a stream and flattens these streams into one. See `Signal.flatMap(_:_:)`.
  @preconcurrency
  public func flatMap<NewValue>(
    _ strategy: FlattenStrategy,
    _ transform: @escaping @Sendable (Value) -> SignalProducer<NewValue, Never>
  ) -> SignalProducer<NewValue, Never> {
    SignalProducer<NewValue, Never>(
      .flatten(
        .flatMap(strategy), strategy, feed, transform: transform, translate: Translation.same))
  }

  /// Maps each value to a stream and flattens these streams into one. See `Signal.flatMap(_:_:)`.
  @preconcurrency
  @_disfavoredOverload
  public func flatMap<Inner: SignalProducerConvertible>(
    _ strategy: FlattenStrategy,
    _ transform: @escaping @Sendable (Value) -> Inner
  ) -> SignalProducer<Inner.Value, Never> where Inner.Failure == Never {
    SignalProducer<Inner.Value, Never>(
      .flatten(
        .flatMap(strategy), strategy, feed, transform: { transform($0).producer },
        translate: Translation.same))
  }
}

extension SignalProducer where Value: SignalProducerConvertible, Value.Failure == Failure {
  /// Flattens the streams that this producer sends into one. See `Signal.flatMap(_:_:)`.
  public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Failure> {
    SignalProducer<Value.Value, Failure>(
      .flatten(
        .flatten(strategy), strategy, feed, transform: { $0.producer },
        translate: Translation.same))
  }
}

extension SignalProducer where Value: SignalProducerConvertible, Failure == Never {
  /// Flattens the streams that this producer sends into one. See `Signal.flatMap(_:_:)`.
  public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Value.Failure> {
    SignalProducer<Value.Value, Value.Failure>(
      .flatten(
        .flatten(strategy), strategy, feed, transform: { $0.producer },
        translate: Translation.never))
  }
}

extension SignalProducer
where Value: SignalProducerConvertible, Failure == Never, Value.Failure == Never {
  /// Flattens the streams that this producer sends into one. See `Signal.flatMap(_:_:)`.
  public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Never> {
    SignalProducer<Value.Value, Never>(
      .flatten(
        .flatten(strategy), strategy, feed, transform: { $0.producer },
        translate: Translation.same))
  }
}

extension SignalProducer where Value: SignalProducerConvertible, Value.Failure == Never {
  /// Flattens the streams that this producer sends into one. See `Signal.flatMap(_:_:)`.
  public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Failure> {
    SignalProducer<Value.Value, Failure>(
      .flatten(
        .flatten(strategy), strategy, feed, transform: { $0.producer.promoted(to: Failure.self) },
        translate: Translation.same))
  }
}
