/// `Optional` as a protocol, for constraints.
public protocol OptionalProtocol<Wrapped>: ExpressibleByNilLiteral {
  /// What is or is not there.
  associatedtype Wrapped

  /// Creates it from an optional.
  init(reconstructing value: Wrapped?)

  /// The optional.
  var optional: Wrapped? { get }
}

extension Optional: OptionalProtocol {
  /// Creates it from an optional.
  public init(reconstructing value: Wrapped?) { self = value }

  /// The optional itself.
  public var optional: Wrapped? { self }
}
