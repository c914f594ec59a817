extension PropertyProtocol {
  /// The property of transformed values.
  @preconcurrency
  public func map<NewValue>(
    _ transform: @escaping @Sendable (Value) -> NewValue
  ) -> Property<NewValue> { Property(replaying: producer.map(transform)) }

  /// A property that always holds `value`, and ends with this one.
  @_disfavoredOverload
  public func map<NewValue>(value: NewValue) -> Property<NewValue> {
    Property(replaying: producer.map(value: value))
  }

  /// The property that holds `initial` until a value satisfies `isIncluded`, and the latest such
  /// value from there on.
  @preconcurrency
  public func filter(
    initial: Value, _ isIncluded: @escaping @Sendable (Value) -> Bool
  ) -> Property<Value> {
    Property(replaying: producer.filter(isIncluded).prefix(value: initial))
  }

  /// The property of the values of inner properties, made one by `strategy`.
  @preconcurrency
  public func flatMap<Inner: PropertyProtocol>(
    _ strategy: FlattenStrategy, _ transform: @escaping @Sendable (Value) -> Inner
  ) -> Property<Inner.Value> {
    Property(replaying: producer.flatMap(strategy, transform))
  }
}

extension PropertyProtocol where Value: PropertyProtocol {
  /// The property of the values of the properties that this one holds.
  public func flatten(_ strategy: FlattenStrategy) -> Property<Value.Value> {
    Property(replaying: producer.flatten(strategy))
  }
}

extension Property {
  /// The property of the latest values of all properties.
  public static func combineLatest<each Other>(
    _ first: some PropertyProtocol<Value>, _ others: repeat any PropertyProtocol<each Other>
  ) -> Property<(Value, repeat each Other)> {
    Property<(Value, repeat each Other)>(
      replaying: SignalProducer<Value, Never>.combineLatest(
        first.producer, repeat (each others).producer))
  }

  /// The property of the values of all properties, joined by index.
  public static func zip<each Other>(
    _ first: some PropertyProtocol<Value>, _ others: repeat any PropertyProtocol<each Other>
  ) -> Property<(Value, repeat each Other)> {
    Property<(Value, repeat each Other)>(
      replaying: SignalProducer<Value, Never>.zip(first.producer, repeat (each others).producer))
  }
}

extension PropertyProtocol where Value: Equatable {
  /// The property without changes to an equal value.
  public func skipRepeats() -> Property<Value> { Property(replaying: producer.skipRepeats()) }
}
