extension PropertyProtocol {
  // Callable properties rather than methods, as in `Signal`
  // (Docs/Decisions/0001-callable-properties.md).

  /// A property of the latest values of this one and another: `a.combineLatest(with: b)`. See
  /// `Signal.combineLatest(_:_:)`.
  public var combineLatest: PropertyCombining<Self> { PropertyCombining(property: self) }

  /// A property of the values of this one and another, joined by index: `a.zip(with: b)`. See
  /// `Signal.zip(_:_:)`.
  public var zip: PropertyZipping<Self> { PropertyZipping(property: self) }
}

/// The callable value of `property.combineLatest`.
public struct PropertyCombining<First: PropertyProtocol> {
  @usableFromInline let property: First

  /// Returns a property of the latest values of two properties.
  @inlinable
  public func callAsFunction<Second: PropertyProtocol>(
    with other: Second
  ) -> Property<(First.Value, Second.Value)> {
    Property(replaying: property.producer.combineLatest(with: other.producer))
  }
}

/// The callable value of `property.zip`.
public struct PropertyZipping<First: PropertyProtocol> {
  @usableFromInline let property: First

  /// Returns a property of the values of two properties, joined by index.
  @inlinable
  public func callAsFunction<Second: PropertyProtocol>(
    with other: Second
  ) -> Property<(First.Value, Second.Value)> {
    Property(replaying: property.producer.zip(with: other.producer))
  }
}

extension PropertyProtocol {
  /// Returns a property of the latest values of all properties. See `Signal.combineLatest(_:_:)`.
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

  /// Returns a property of the latest values of two properties. See `Signal.combineLatest(_:_:)`.
  @inlinable
  public static func combineLatest<Second>(
    _ first: some PropertyProtocol<Value>, _ second: some PropertyProtocol<Second>
  ) -> Property<(Value, Second)> {
    Property<(Value, Second)>(
      replaying: SignalProducer<Value, Never>.combineLatest(first.producer, second.producer))
  }

  /// Returns a property of the latest values of three properties. See `Signal.combineLatest(_:_:)`.
  @inlinable
  public static func combineLatest<Second, Third>(
    _ first: some PropertyProtocol<Value>, _ second: some PropertyProtocol<Second>,
    _ third: some PropertyProtocol<Third>
  ) -> Property<(Value, Second, Third)> {
    Property<(Value, Second, Third)>(
      replaying: SignalProducer<Value, Never>.combineLatest(
        first.producer, second.producer, third.producer))
  }

  /// Returns a property of the values of all properties, joined by index. See `Signal.zip(_:_:)`.
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

  /// Returns a property of the values of two properties, joined by index. See `Signal.zip(_:_:)`.
  @inlinable
  public static func zip<Second>(
    _ first: some PropertyProtocol<Value>, _ second: some PropertyProtocol<Second>
  ) -> Property<(Value, Second)> {
    Property<(Value, Second)>(
      replaying: SignalProducer<Value, Never>.zip(first.producer, second.producer))
  }

  /// Returns a property of the values of three properties, joined by index. See `Signal.zip(_:_:)`.
  @inlinable
  public static func zip<Second, Third>(
    _ first: some PropertyProtocol<Value>, _ second: some PropertyProtocol<Second>,
    _ third: some PropertyProtocol<Third>
  ) -> Property<(Value, Second, Third)> {
    Property<(Value, Second, Third)>(
      replaying: SignalProducer<Value, Never>.zip(
        first.producer, second.producer, third.producer))
  }

  /// Returns a property of the latest values of a sequence of properties, or nil if there are none.
  /// See `Signal.combineLatest(_:_:)`.
  public static func combineLatest<Source: PropertyProtocol<Value>>(
    _ properties: some Sequence<Source>
  ) -> Property<[Value]>? {
    let producers = properties.map(\.producer)
    guard !producers.isEmpty else { return nil }
    return Property<[Value]>(replaying: SignalProducer<Value, Never>.combineLatest(producers))
  }

  /// Returns a property of the latest values of a sequence of properties, or of `emptySentinel` if
  /// there are none. See `Signal.combineLatest(_:_:)`.
  public static func combineLatest<Source: PropertyProtocol<Value>>(
    _ properties: some Sequence<Source>, emptySentinel: [Value]
  ) -> Property<[Value]> {
    Property<[Value]>(
      replaying: SignalProducer<Value, Never>.combineLatest(
        properties.map(\.producer), emptySentinel: emptySentinel))
  }

  /// Returns a property of the values of a sequence of properties, joined by index, or nil if there
  /// are none. See `Signal.zip(_:_:)`.
  public static func zip<Source: PropertyProtocol<Value>>(
    _ properties: some Sequence<Source>
  ) -> Property<[Value]>? {
    let producers = properties.map(\.producer)
    guard !producers.isEmpty else { return nil }
    return Property<[Value]>(replaying: SignalProducer<Value, Never>.zip(producers))
  }

  /// Returns a property of the values of a sequence of properties, joined by index, or of
  /// `emptySentinel` if there are none. See `Signal.zip(_:_:)`.
  public static func zip<Source: PropertyProtocol<Value>>(
    _ properties: some Sequence<Source>, emptySentinel: [Value]
  ) -> Property<[Value]> {
    Property<[Value]>(
      replaying: SignalProducer<Value, Never>.zip(
        properties.map(\.producer), emptySentinel: emptySentinel))
  }
}
