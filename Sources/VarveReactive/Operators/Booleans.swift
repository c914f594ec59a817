private let joining: Traits = [.joins, .needsAllInputs, .holds]
private let conjunctionOfTwo = Operation(
  "and($)", [.parent(1)], absorbs: .gathered,
  traits: joining)
private let disjunctionOfTwo = Operation("or($)", [.parent(1)], absorbs: .gathered, traits: joining)
private let conjunctionOfAll = Operation(
  "all($)", form: .function, [.parents], absorbs: .gathered,
  traits: joining)
private let disjunctionOfAll = Operation(
  "any($)", form: .function, [.parents], absorbs: .gathered,
  traits: joining)

extension Junction where Output == Bool {
  /// Whether all inputs are true.
  fileprivate static func all(
    _ operation: Operation, _ feeds: [Feed<Bool, OutputFailure>], empty: Bool? = true
  ) -> Junction {
    combining(operation, feeds, empty: empty) { $0.allSatisfy { $0 } }
  }

  /// Whether some input is true.
  fileprivate static func any(
    _ operation: Operation, _ feeds: [Feed<Bool, OutputFailure>], empty: Bool? = false
  ) -> Junction {
    combining(operation, feeds, empty: empty) { $0.contains(true) }
  }
}

extension Signal where Value == Bool {
  /// Sends whether the latest values of this signal and another are both true.
  ///
  ///     self     --T-----F--T--|
  ///     other    ----T---------|
  ///     and      ----T---F--T--|
  ///
  /// - *Events*: completes when both have completed; fails or is interrupted as soon as one is.
  /// - *Memory*: the latest values.
  /// - *Scheduling*: the sender's thread.
  public func and(_ signal: Signal) -> Signal {
    Signal(.all(conjunctionOfTwo, [feed, signal.feed]))
  }

  /// Sends whether at least one of the latest values of this signal and another is true. See
  /// `and(_:)`.
  public func or(_ signal: Signal) -> Signal {
    Signal(.any(disjunctionOfTwo, [feed, signal.feed]))
  }

  /// Sends whether the latest values of all signals are true. See `and(_:)`.
  public static func all(_ booleans: Signal...) -> Signal { all(booleans) }

  /// Sends whether the latest values of all signals are true. Completes at once if there are none.
  /// See `and(_:)`.
  public static func all(_ booleans: some Collection<Signal>) -> Signal {
    Signal(.all(conjunctionOfAll, booleans.map(\.feed), empty: nil))
  }

  /// Sends whether at least one of the latest values of all signals is true. See `and(_:)`.
  public static func any(_ booleans: Signal...) -> Signal { any(booleans) }

  /// Sends whether at least one of the latest values of all signals is true. Completes at once if
  /// there are none. See `and(_:)`.
  public static func any(_ booleans: some Collection<Signal>) -> Signal {
    Signal(.any(disjunctionOfAll, booleans.map(\.feed), empty: nil))
  }
}

extension SignalProducer where Value == Bool {
  /// Sends whether the latest values of this producer and another are both true. See
  /// `Signal.and(_:)`.
  public func and(_ booleans: some SignalProducerConvertible<Bool, Failure>) -> SignalProducer {
    SignalProducer(.all(conjunctionOfTwo, [feed, booleans.producer.feed]))
  }

  /// Sends whether at least one of the latest values of this producer and another is true. See
  /// `Signal.or(_:)`.
  public func or(_ booleans: some SignalProducerConvertible<Bool, Failure>) -> SignalProducer {
    SignalProducer(.any(disjunctionOfTwo, [feed, booleans.producer.feed]))
  }

  /// Sends whether the latest values of all producers are true. See `Signal.all(_:)`.
  public static func all(_ booleans: SignalProducer...) -> SignalProducer { all(booleans) }

  /// Sends whether the latest values of all producers are true; sends true if there are none. See
  /// `Signal.all(_:)`.
  public static func all<Booleans: SignalProducerConvertible<Bool, Failure>>(
    _ booleans: some Collection<Booleans>
  ) -> SignalProducer { SignalProducer(.all(conjunctionOfAll, booleans.map(\.producer.feed))) }

  /// Sends whether at least one of the latest values of all producers is true. See `Signal.any(_:)`.
  public static func any(_ booleans: SignalProducer...) -> SignalProducer { any(booleans) }

  /// Sends whether at least one of the latest values of all producers is true; sends false if there
  /// are none. See `Signal.any(_:)`.
  public static func any<Booleans: SignalProducerConvertible<Bool, Failure>>(
    _ booleans: some Collection<Booleans>
  ) -> SignalProducer { SignalProducer(.any(disjunctionOfAll, booleans.map(\.producer.feed))) }
}

extension PropertyProtocol where Value == Bool {
  /// A property with the negated value. See `Signal.negate()`.
  public func negate() -> Property<Bool> { Property(replaying: producer.negate()) }

  /// A property that is true while this one and another are both true. See `Signal.and(_:)`.
  public func and(_ property: some PropertyProtocol<Bool>) -> Property<Bool> {
    Property(replaying: producer.and(property.producer))
  }

  /// A property that is true while this one, another, or both are true. See `Signal.or(_:)`.
  public func or(_ property: some PropertyProtocol<Bool>) -> Property<Bool> {
    Property(replaying: producer.or(property.producer))
  }

  /// A property that is true while all properties are true. See `Signal.all(_:)`.
  public static func all<Source: PropertyProtocol<Bool>>(
    _ properties: Source...
  ) -> Property<Bool> { all(properties) }

  /// A property that is true while all properties are true, also if there are none. See
  /// `Signal.all(_:)`.
  public static func all<Source: PropertyProtocol<Bool>>(
    _ properties: some Collection<Source>
  ) -> Property<Bool> { Property(replaying: .all(properties.map(\.producer))) }

  /// A property that is true while at least one property is true. See `Signal.any(_:)`.
  public static func any<Source: PropertyProtocol<Bool>>(
    _ properties: Source...
  ) -> Property<Bool> { any(properties) }

  /// A property that is true while at least one property is true, and false if there are none. See
  /// `Signal.any(_:)`.
  public static func any<Source: PropertyProtocol<Bool>>(
    _ properties: some Collection<Source>
  ) -> Property<Bool> { Property(replaying: .any(properties.map(\.producer))) }
}
