public import VarveReactive

// The core's forms are called on the type of the properties' values. The predecessor's can be called on
// any property type.

extension PropertyProtocol {
  /// The property of the latest values of a sequence of properties; nil when there are none. See
  /// `Signal.combineLatest(_:_:)`.
  public static func combineLatest<Source: PropertyProtocol>(
    _ properties: some Sequence<Source>
  ) -> Property<[Source.Value]>? {
    Property<Source.Value>.combineLatest(properties)
  }

  /// The property of the latest values of a sequence of properties, or of `emptySentinel` when
  /// there are none. See `Signal.combineLatest(_:_:)`.
  public static func combineLatest<Source: PropertyProtocol>(
    _ properties: some Sequence<Source>, emptySentinel: [Source.Value]
  ) -> Property<[Source.Value]> {
    Property<Source.Value>.combineLatest(properties, emptySentinel: emptySentinel)
  }

  /// The property of the values of a sequence of properties, joined by index; nil when there are
  /// none. See `Signal.zip(_:_:)`.
  public static func zip<Source: PropertyProtocol>(
    _ properties: some Sequence<Source>
  ) -> Property<[Source.Value]>? {
    Property<Source.Value>.zip(properties)
  }

  /// The property of the values of a sequence of properties, joined by index, or of `emptySentinel`
  /// when there are none. See `Signal.zip(_:_:)`.
  public static func zip<Source: PropertyProtocol>(
    _ properties: some Sequence<Source>, emptySentinel: [Source.Value]
  ) -> Property<[Source.Value]> {
    Property<Source.Value>.zip(properties, emptySentinel: emptySentinel)
  }
}
