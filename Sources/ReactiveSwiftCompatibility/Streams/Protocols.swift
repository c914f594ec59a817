/// `Signal` as a protocol, for extensions and constraints.
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

/// `SignalProducer` as a protocol, for extensions and constraints.
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
