extension UnaryOperator where InputFailure == OutputFailure, Input == Output {
  static func skipRepeats(
    _ isEquivalent: @escaping (Input, Input) -> Bool, label: StaticString = "skipRepeats(_:)"
  ) -> Self {
    Self(Operation(label, absorbs: .repeated)) {
      SkipRepeatsStage(isEquivalent)
    }
  }

  static func uniqueValues<Identity: Hashable>(
    _ transform: @escaping (Input) -> Identity, label: StaticString = "uniqueValues(_:)"
  ) -> Self {
    Self(Operation(label, absorbs: .repeated)) {
      UniqueValuesStage(transform)
    }
  }
}

private final class SkipRepeatsStage<Value, Failure: Error>: ForwardingStage<Value, Value, Failure>
{
  private let isEquivalent: (Value, Value) -> Bool
  private let last = Slot<Value>()

  init(
    _ isEquivalent: @escaping (Value, Value) -> Bool
  ) {
    self.isEquivalent = isEquivalent
    super.init()
  }

  override func receive(_ value: Value) {
    if last.isFull, isEquivalent(last.pointer.pointee, value) { return swallow(.repeated) }
    last.fill(value)
    forward(value)
  }
}

private final class UniqueValuesStage<Value, Identity: Hashable, Failure: Error>:
  ForwardingStage<Value, Value, Failure>
{
  private let transform: (Value) -> Identity
  private var seen: Set<Identity> = []

  init(
    _ transform: @escaping (Value) -> Identity
  ) {
    self.transform = transform
    super.init()
  }

  override func receive(_ value: Value) {
    if seen.insert(transform(value)).inserted { forward(value) } else { swallow(.repeated) }
  }
}

extension Signal {
  /// Drops each value that is equivalent to the one before it.
  ///
  ///     self               --a--A--b--a--|
  ///     skipRepeats(≈)     --a-----b--a--|
  ///
  /// - *Events*: the end is forwarded unchanged.
  /// - *Memory*: the last forwarded value.
  /// - *Scheduling*: the sender's thread.
  ///
  /// - Parameter isEquivalent: compares the last forwarded value with the new one.
  @preconcurrency
  public func skipRepeats(
    _ isEquivalent: @escaping @Sendable (Value, Value) -> Bool
  ) -> Signal { applying(.skipRepeats(isEquivalent)) }

  /// Drops each value with an identity that was seen before.
  ///
  ///     self                    --a1--b1--a2--c1--|
  ///     uniqueValues(letter)    --a1--b1------c1--|
  ///
  /// - *Events*: the end is forwarded unchanged.
  /// - *Memory*: all identities, until the end.
  /// - *Scheduling*: the sender's thread.
  ///
  /// - Parameter transform: returns the identity of a value.
  @preconcurrency
  public func uniqueValues<Identity: Hashable>(
    _ transform: @escaping @Sendable (Value) -> Identity
  ) -> Signal { applying(.uniqueValues(transform)) }
}

extension Signal where Value: Equatable {
  /// Drops each value that equals the one before it.
  ///
  ///     self             --1--1--2--1--|
  ///     skipRepeats()    --1-----2--1--|
  ///
  /// - *Events*: the end is forwarded unchanged.
  /// - *Memory*: the last value.
  /// - *Scheduling*: the sender's thread.
  public func skipRepeats() -> Signal {
    applying(.skipRepeats({ $0 == $1 }, label: "skipRepeats()"))
  }
}

extension Signal where Value: Hashable {
  /// Drops each value that was seen before.
  ///
  ///     self              --1--1--2--1--3--|
  ///     uniqueValues()    --1-----2-----3--|
  ///
  /// - *Events*: the end is forwarded unchanged.
  /// - *Memory*: all distinct values, until the end.
  /// - *Scheduling*: the sender's thread.
  public func uniqueValues() -> Signal {
    applying(.uniqueValues({ $0 }, label: "uniqueValues()"))
  }
}

extension SignalProducer {
  /// Drops each value that is equivalent to the one before it. See `Signal.skipRepeats(_:)`.
  @preconcurrency
  public func skipRepeats(
    _ isEquivalent: @escaping @Sendable (Value, Value) -> Bool
  ) -> SignalProducer { applying(.skipRepeats(isEquivalent)) }

  /// Drops each value with an identity that was seen before. See `Signal.uniqueValues(_:)`.
  @preconcurrency
  public func uniqueValues<Identity: Hashable>(
    _ transform: @escaping @Sendable (Value) -> Identity
  ) -> SignalProducer { applying(.uniqueValues(transform)) }
}

extension SignalProducer where Value: Equatable {
  /// Drops each value that equals the one before it. See `Signal.skipRepeats()`.
  public func skipRepeats() -> SignalProducer {
    applying(.skipRepeats({ $0 == $1 }, label: "skipRepeats()"))
  }
}

extension SignalProducer where Value: Hashable {
  /// Drops each value that was seen before. See `Signal.uniqueValues()`.
  public func uniqueValues() -> SignalProducer {
    applying(.uniqueValues({ $0 }, label: "uniqueValues()"))
  }
}
