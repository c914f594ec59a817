/// The face of `Signal` as a protocol, for extensions and constraints.
public protocol SignalProtocol<Value, Failure>: AnyObject {
  /// The type of the values.
  associatedtype Value
  /// The type of the failures.
  associatedtype Failure: Swift.Error

  /// The predecessor's name for `Failure`.
  typealias Error = Failure

  /// The signal.
  var signal: Signal<Value, Failure> { get }
}

extension Signal: SignalProtocol {
  /// The signal itself.
  public var signal: Signal { self }
}

/// The face of `SignalProducer` as a protocol, for extensions and constraints.
public protocol SignalProducerProtocol<Value, Failure> {
  /// The type of the values.
  associatedtype Value
  /// The type of the failures.
  associatedtype Failure: Swift.Error

  /// The predecessor's name for `Failure`.
  typealias Error = Failure

  /// The producer.
  var producer: SignalProducer<Value, Failure> { get }
}

extension SignalProducer: SignalProducerProtocol {}

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

extension Signal where Value: OptionalProtocol {
  /// Forwards what is there, for code that knows its values by the protocol only.
  @_disfavoredOverload
  public func skipNil() -> Signal<Value.Wrapped, Failure> { map(\.optional).skipNil() }
}

extension SignalProducer where Value: OptionalProtocol {
  /// Forwards what is there, for code that knows its values by the protocol only.
  @_disfavoredOverload
  public func skipNil() -> SignalProducer<Value.Wrapped, Failure> { map(\.optional).skipNil() }
}
