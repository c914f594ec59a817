extension PropertyProtocol {
  // Properties that can be called rather than methods, as in `Signal`
  // (Docs/Decisions/0001-callable-properties.md).

  /// The property of the latest values of this one and another: `a.combineLatest(with: b)`. See
  /// `Signal.combineLatest(_:_:)`.
  public var combineLatest: PropertyCombining<Self> { PropertyCombining(property: self) }

  /// The property of the values of this one and another, joined by index: `a.zip(with: b)`. See
  /// `Signal.zip(_:_:)`.
  public var zip: PropertyZipping<Self> { PropertyZipping(property: self) }
}

/// What `property.combineLatest` calls.
public struct PropertyCombining<First: PropertyProtocol> {
  @usableFromInline let property: First

  /// The property of the latest values of two properties.
  @inlinable
  public func callAsFunction<Second: PropertyProtocol>(
    with other: Second
  ) -> Property<(First.Value, Second.Value)> {
    Property(replaying: property.producer.combineLatest(with: other.producer))
  }
}

/// What `property.zip` calls.
public struct PropertyZipping<First: PropertyProtocol> {
  @usableFromInline let property: First

  /// The property of the values of two properties, joined by index.
  @inlinable
  public func callAsFunction<Second: PropertyProtocol>(
    with other: Second
  ) -> Property<(First.Value, Second.Value)> {
    Property(replaying: property.producer.zip(with: other.producer))
  }
}

extension PropertyProtocol {
  /// The property of the latest values of all properties. See `Signal.combineLatest(_:_:)`.
  ///
  ///     let isReady = Property.combineLatest(name, password).map { !$0.isEmpty && !$1.isEmpty }
  @_disfavoredOverload
  public static func combineLatest<Second, Third, Fourth, each Other>(
    _ first: some PropertyProtocol<Value>, _ second: some PropertyProtocol<Second>,
    _ third: some PropertyProtocol<Third>, _ fourth: some PropertyProtocol<Fourth>,
    _ others: repeat any PropertyProtocol<each Other>
  ) -> Property<(Value, Second, Third, Fourth, repeat each Other)> {
    Property<(Value, Second, Third, Fourth, repeat each Other)>(
      replaying: SignalProducer<Value, Never>.combiningLatest(
        first.producer, second.producer, third.producer, fourth.producer,
        repeat (each others).producer))
  }

  /// The property of the latest values of two properties. See `Signal.combineLatest(_:_:)`.
  @inlinable
  public static func combineLatest<Second>(
    _ first: some PropertyProtocol<Value>, _ second: some PropertyProtocol<Second>
  ) -> Property<(Value, Second)> {
    Property<(Value, Second)>(
      replaying: SignalProducer<Value, Never>.combineLatest(first.producer, second.producer))
  }

  /// The property of the latest values of three properties. See `Signal.combineLatest(_:_:)`.
  @inlinable
  public static func combineLatest<Second, Third>(
    _ first: some PropertyProtocol<Value>, _ second: some PropertyProtocol<Second>,
    _ third: some PropertyProtocol<Third>
  ) -> Property<(Value, Second, Third)> {
    Property<(Value, Second, Third)>(
      replaying: SignalProducer<Value, Never>.combineLatest(
        first.producer, second.producer, third.producer))
  }

  /// The property of the values of all properties, joined by index. See `Signal.zip(_:_:)`.
  @_disfavoredOverload
  public static func zip<Second, Third, Fourth, each Other>(
    _ first: some PropertyProtocol<Value>, _ second: some PropertyProtocol<Second>,
    _ third: some PropertyProtocol<Third>, _ fourth: some PropertyProtocol<Fourth>,
    _ others: repeat any PropertyProtocol<each Other>
  ) -> Property<(Value, Second, Third, Fourth, repeat each Other)> {
    Property<(Value, Second, Third, Fourth, repeat each Other)>(
      replaying: SignalProducer<Value, Never>.zipping(
        first.producer, second.producer, third.producer, fourth.producer,
        repeat (each others).producer))
  }

  /// The property of the values of two properties, joined by index. See `Signal.zip(_:_:)`.
  @inlinable
  public static func zip<Second>(
    _ first: some PropertyProtocol<Value>, _ second: some PropertyProtocol<Second>
  ) -> Property<(Value, Second)> {
    Property<(Value, Second)>(
      replaying: SignalProducer<Value, Never>.zip(first.producer, second.producer))
  }

  /// The property of the values of three properties, joined by index. See `Signal.zip(_:_:)`.
  @inlinable
  public static func zip<Second, Third>(
    _ first: some PropertyProtocol<Value>, _ second: some PropertyProtocol<Second>,
    _ third: some PropertyProtocol<Third>
  ) -> Property<(Value, Second, Third)> {
    Property<(Value, Second, Third)>(
      replaying: SignalProducer<Value, Never>.zip(
        first.producer, second.producer, third.producer))
  }

  /// The property of the latest values of a sequence of properties; nil when there are none. See
  /// `Signal.combineLatest(_:_:)`.
  public static func combineLatest<Source: PropertyProtocol<Value>>(
    _ properties: some Sequence<Source>
  ) -> Property<[Value]>? {
    let producers = properties.map(\.producer)
    guard !producers.isEmpty else { return nil }
    return Property<[Value]>(replaying: SignalProducer<Value, Never>.combineLatest(producers))
  }

  /// The property of the latest values of a sequence of properties, or of `emptySentinel` when
  /// there are none. See `Signal.combineLatest(_:_:)`.
  public static func combineLatest<Source: PropertyProtocol<Value>>(
    _ properties: some Sequence<Source>, emptySentinel: [Value]
  ) -> Property<[Value]> {
    Property<[Value]>(
      replaying: SignalProducer<Value, Never>.combineLatest(
        properties.map(\.producer), emptySentinel: emptySentinel))
  }

  /// The property of the values of a sequence of properties, joined by index; nil when there are
  /// none. See `Signal.zip(_:_:)`.
  public static func zip<Source: PropertyProtocol<Value>>(
    _ properties: some Sequence<Source>
  ) -> Property<[Value]>? {
    let producers = properties.map(\.producer)
    guard !producers.isEmpty else { return nil }
    return Property<[Value]>(replaying: SignalProducer<Value, Never>.zip(producers))
  }

  /// The property of the values of a sequence of properties, joined by index, or of `emptySentinel`
  /// when there are none. See `Signal.zip(_:_:)`.
  public static func zip<Source: PropertyProtocol<Value>>(
    _ properties: some Sequence<Source>, emptySentinel: [Value]
  ) -> Property<[Value]> {
    Property<[Value]>(
      replaying: SignalProducer<Value, Never>.zip(
        properties.map(\.producer), emptySentinel: emptySentinel))
  }
}
