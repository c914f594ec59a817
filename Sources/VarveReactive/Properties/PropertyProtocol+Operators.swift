extension PropertyProtocol {
  /// Returns a property of the transformed values. See `Signal.map(_:)`.
  @preconcurrency
  public func map<NewValue>(
    _ transform: @escaping @Sendable (Value) -> NewValue
  ) -> Property<NewValue> { Property(replaying: producer.map(transform)) }

  /// Returns a property that always holds `value` and ends with this one. See `Signal.map(value:)`.
  @_disfavoredOverload
  public func map<NewValue>(value: NewValue) -> Property<NewValue> {
    Property(replaying: producer.map(value: value))
  }

  /// Returns a property that holds `initial` until a value satisfies `isIncluded`, and the latest
  /// such value from then on. See `Signal.filter(_:)`.
  @preconcurrency
  public func filter(
    initial: Value, _ isIncluded: @escaping @Sendable (Value) -> Bool
  ) -> Property<Value> {
    Property(replaying: producer.filter(isIncluded).prefix(value: initial))
  }

  /// Maps each value to a property and flattens these properties into one. See
  /// `Signal.flatMap(_:_:)`.
  @preconcurrency
  public func flatMap<Inner: PropertyProtocol>(
    _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
  ) -> Property<Inner.Value> {
    Property(replaying: producer.flatMap(strategy, transform))
  }
}

extension PropertyProtocol {
  /// Returns a property that skips changes to an equivalent value. See `Signal.skipRepeats(_:)`.
  ///
  /// - Parameter isEquivalent: compares the current value with the new one.
  @preconcurrency
  public func skipRepeats(
    _ isEquivalent: @escaping @Sendable (Value, Value) -> Bool
  ) -> Property<Value> { Property(replaying: producer.skipRepeats(isEquivalent)) }

  /// Returns a property that skips values with an identity that was seen before. It stores all
  /// identities. See `Signal.uniqueValues(_:)`.
  ///
  /// - Parameter transform: returns the identity of a value.
  @preconcurrency
  public func uniqueValues<Identity: Hashable>(
    _ transform: @escaping @Sendable (Value) -> Identity
  ) -> Property<Value> { Property(replaying: producer.uniqueValues(transform)) }

  /// Returns a property of each value together with the one before it; the first is paired with
  /// `initial`. See `Signal.combinePrevious(_:)`.
  public func combinePrevious(_ initial: Value) -> Property<(Value, Value)> {
    Property<(Value, Value)>(replaying: producer.combinePrevious(initial))
  }
}

extension PropertyProtocol where Value: PropertyProtocol {
  /// Flattens the properties that this one holds into one. See `Signal.flatMap(_:_:)`.
  public func flatten(_ strategy: FlattenStrategy) -> Property<Value.Value> {
    Property(replaying: producer.flatten(strategy))
  }
}

extension PropertyProtocol where Value: Equatable {
  /// Returns a property that skips changes to an equal value. See `Signal.skipRepeats()`.
  public func skipRepeats() -> Property<Value> { Property(replaying: producer.skipRepeats()) }
}

extension PropertyProtocol where Value: Hashable {
  /// Returns a property that skips values that were seen before. It stores all values. See
  /// `Signal.uniqueValues()`.
  public func uniqueValues() -> Property<Value> { Property(replaying: producer.uniqueValues()) }
}
