extension PropertyProtocol {
  /// The property of transformed values. See `Signal.map(_:)`.
  @preconcurrency
  public func map<NewValue>(
    _ transform: @escaping @Sendable (Value) -> NewValue
  ) -> Property<NewValue> { Property(replaying: producer.map(transform)) }

  /// A property that always holds `value`, and ends with this one. See `Signal.map(value:)`.
  @_disfavoredOverload
  public func map<NewValue>(value: NewValue) -> Property<NewValue> {
    Property(replaying: producer.map(value: value))
  }

  /// The property that holds `initial` until a value satisfies `isIncluded`, and the latest such
  /// value from there on. See `Signal.filter(_:)`.
  @preconcurrency
  public func filter(
    initial: Value, _ isIncluded: @escaping @Sendable (Value) -> Bool
  ) -> Property<Value> {
    Property(replaying: producer.filter(isIncluded).prefix(value: initial))
  }

  /// The property of the values of inner properties, made one by `strategy`. See
  /// `Signal.flatMap(_:_:)`.
  @preconcurrency
  public func flatMap<Inner: PropertyProtocol>(
    _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
  ) -> Property<Inner.Value> {
    Property(replaying: producer.flatMap(strategy, transform))
  }
}

extension PropertyProtocol {
  /// The property without changes to an equivalent value. See `Signal.skipRepeats(_:)`.
  ///
  /// - Parameter isEquivalent: gets the value held, and the new one.
  @preconcurrency
  public func skipRepeats(
    _ isEquivalent: @escaping @Sendable (Value, Value) -> Bool
  ) -> Property<Value> { Property(replaying: producer.skipRepeats(isEquivalent)) }

  /// The property without values whose identity was seen before. It remembers all identities. See
  /// `Signal.uniqueValues(_:)`.
  ///
  /// - Parameter transform: tells a value's identity.
  @preconcurrency
  public func uniqueValues<Identity: Hashable>(
    _ transform: @escaping @Sendable (Value) -> Identity
  ) -> Property<Value> { Property(replaying: producer.uniqueValues(transform)) }

  /// The property of each value together with the one before it, which for the first is `initial`.
  /// See `Signal.combinePrevious(_:)`.
  public func combinePrevious(_ initial: Value) -> Property<(Value, Value)> {
    Property<(Value, Value)>(replaying: producer.combinePrevious(initial))
  }
}

extension PropertyProtocol where Value: PropertyProtocol {
  /// The property of the values of the properties that this one holds. See `Signal.flatMap(_:_:)`.
  public func flatten(_ strategy: FlattenStrategy) -> Property<Value.Value> {
    Property(replaying: producer.flatten(strategy))
  }
}

extension PropertyProtocol where Value: Equatable {
  /// The property without changes to an equal value. See `Signal.skipRepeats()`.
  public func skipRepeats() -> Property<Value> { Property(replaying: producer.skipRepeats()) }
}

extension PropertyProtocol where Value: Hashable {
  /// The property without values that were seen before. It remembers all of them. See
  /// `Signal.uniqueValues()`.
  public func uniqueValues() -> Property<Value> { Property(replaying: producer.uniqueValues()) }
}
