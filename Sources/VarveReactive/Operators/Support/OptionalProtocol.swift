/// `Optional` as a protocol, for constraints.
public protocol OptionalProtocol<Wrapped>: ExpressibleByNilLiteral {
  /// The type of the wrapped value.
  associatedtype Wrapped

  /// Creates an instance from an optional.
  init(reconstructing value: Wrapped?)

  /// The value as an optional.
  var optional: Wrapped? { get }
}

extension Optional: OptionalProtocol {
  /// Creates an instance from an optional.
  public init(reconstructing value: Wrapped?) { self = value }

  /// The value as an optional.
  public var optional: Wrapped? { self }
}
