public import VarveReactive

// The predecessor has forms for producers beside those for anything that has one. They give an
// argument like `.empty` its type; the core's do the work.

/// A producer as something that has one, so that a call reaches the core's form.
private struct Convertible<Value, Failure: Swift.Error>: SignalProducerConvertible {
  let producer: SignalProducer<Value, Failure>
}

extension SignalProducer {
  /// See `Signal.take(until:)`.
  public func take(until trigger: SignalProducer<Void, Never>) -> SignalProducer {
    take(until: Convertible(producer: trigger))
  }

  /// See `Signal.take(untilReplacement:)`.
  public func take(untilReplacement replacement: SignalProducer) -> SignalProducer {
    take(untilReplacement: Convertible(producer: replacement))
  }

  /// See `Signal.skip(until:)`.
  public func skip(until trigger: SignalProducer<Void, Never>) -> SignalProducer {
    skip(until: Convertible(producer: trigger))
  }

  /// See `Signal.sample(with:)`.
  public func sample<Sample>(
    with sampler: SignalProducer<Sample, Never>
  ) -> SignalProducer<(Value, Sample), Failure> {
    sample(with: Convertible(producer: sampler))
  }

  /// See `Signal.sample(on:)`.
  public func sample(on sampler: SignalProducer<Void, Never>) -> SignalProducer {
    sample(on: Convertible(producer: sampler))
  }

  /// See `Signal.withLatest(from:)`.
  public func withLatest<Sample>(
    from samplee: SignalProducer<Sample, Never>
  ) -> SignalProducer<(Value, Sample), Failure> {
    withLatest(from: Convertible(producer: samplee))
  }
}

extension SignalProducer where Value == Bool {
  /// See `Signal.and(_:)`.
  public func and(_ booleans: SignalProducer) -> SignalProducer {
    and(Convertible(producer: booleans))
  }

  /// See `Signal.or(_:)`.
  public func or(_ booleans: SignalProducer) -> SignalProducer {
    or(Convertible(producer: booleans))
  }
}

extension Signal {
  /// See `withLatest(from:)` of the core.
  public func withLatest<Sample>(
    from samplee: SignalProducer<Sample, Never>
  ) -> Signal<(Value, Sample), Failure> {
    withLatest(from: Convertible(producer: samplee))
  }
}
