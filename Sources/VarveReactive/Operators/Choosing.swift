// Operators that follow one of several streams, chosen by the values of another stream.

extension Junction {
  /// Follows the stream that `choose` returns for the latest value of `chooser`.
  fileprivate static func choosing<Choice>(
    _ operation: Operation, by chooser: SignalProducer<Choice, OutputFailure>,
    among others: [SignalProducer<Output, OutputFailure>],
    _ choose: @escaping (Choice) -> SignalProducer<Output, OutputFailure>
  ) -> Junction {
    let following = flatten(
      operation, .latest, chooser.feed, transform: choose, translate: Translation.same)
    return Junction(
      operation, inputs: [chooser] + others,
      connect: following.connect)
  }
}

extension SignalProducer {
  /// Follows one of two streams, chosen by the latest value of `condition`.
  ///
  ///     condition             --t--------f-----|
  ///     a                       --1--2--3--4
  ///     b                                --x--y|
  ///     if(condition, …)      ----1--2-----x--y|
  ///
  /// - *Events*: completes when the condition and the followed stream have completed; fails as soon
  ///   as either fails.
  /// - *Memory*: both streams.
  /// - *Scheduling*: each time a stream is chosen, it is started on the thread that sends the
  ///   condition; it is interrupted when the other one is chosen.
  public static func `if`(
    _ condition: some SignalProducerConvertible<Bool, Failure>,
    then positive: SignalProducer, else negative: SignalProducer
  ) -> SignalProducer {
    let operation = Operation(
      "if($, then: $, else: $)", form: .function,
      [.parent(0), .parent(1), .parent(2)],
      traits: FlattenStrategy.latest.traits)
    return SignalProducer(
      .choosing(operation, by: condition.producer, among: [positive, negative]) {
        $0 ? positive : negative
      })
  }

  /// Follows the stream that belongs to the latest key.
  ///
  ///     keys                  --a--------b-----|
  ///     case a                  --1--2--3--4
  ///     case b                           --x--y|
  ///     switch(keys, …)       ----1--2-----x--y|
  ///
  /// - *Events*: completes when the keys and the followed stream have completed; fails as soon as
  ///   either fails.
  /// - *Memory*: all streams.
  /// - *Scheduling*: each time a stream is chosen, it is started on the thread that sends its key;
  ///   the next key interrupts it.
  ///
  /// - Parameters:
  ///   - keys: the stream of keys.
  ///   - cases: the streams to choose from.
  ///   - fallback: the stream to follow when a key has none: `.empty`, `.never`, or a failure.
  public static func `switch`<Key: Hashable & Sendable>(
    _ keys: some SignalProducerConvertible<Key, Failure>,
    cases: [Key: SignalProducer], default fallback: SignalProducer
  ) -> SignalProducer {
    let operation = Operation(
      "switch($, cases:, default: $)", form: .function,
      [.parent(0), .parent(1)], traits: FlattenStrategy.latest.traits)
    return SignalProducer(
      .choosing(operation, by: keys.producer, among: [fallback]) { cases[$0] ?? fallback })
  }
}

extension SignalProducer {
  /// Follows one of two streams that can fail, chosen by a condition that cannot. See
  /// `if(_:then:else:)`.
  @_disfavoredOverload
  public static func `if`(
    _ condition: some SignalProducerConvertible<Bool, Never>,
    then positive: SignalProducer, else negative: SignalProducer
  ) -> SignalProducer {
    `if`(condition.producer.promoted(to: Failure.self), then: positive, else: negative)
  }

  /// Follows the stream that belongs to the latest key, for streams that can fail and keys that
  /// cannot. See `switch(_:cases:default:)`.
  @_disfavoredOverload
  public static func `switch`<Key: Hashable & Sendable>(
    _ keys: some SignalProducerConvertible<Key, Never>,
    cases: [Key: SignalProducer], default fallback: SignalProducer
  ) -> SignalProducer {
    `switch`(keys.producer.promoted(to: Failure.self), cases: cases, default: fallback)
  }
}
