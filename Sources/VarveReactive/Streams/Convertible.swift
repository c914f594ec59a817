/// A type that a producer can be made from: a signal, a property, a result.
public protocol SignalProducerConvertible<Value, Failure> {
  /// The type of the values.
  associatedtype Value
  /// The type of the failures.
  associatedtype Failure: Swift.Error

  /// The predecessor's name for `Failure`.
  typealias Error = Failure

  /// The producer made from this value.
  var producer: SignalProducer<Value, Failure> { get }
}

extension SignalProducer: SignalProducerConvertible {
  /// The producer itself.
  public var producer: SignalProducer { self }
}

extension Signal: SignalProducerConvertible {
  /// A producer that observes the signal at each start.
  public var producer: SignalProducer<Value, Failure> { SignalProducer(self) }
}

extension Result: SignalProducerConvertible {
  /// A producer that sends the value and completes, or fails with the error.
  public var producer: SignalProducer<Success, Failure> { SignalProducer(result: self) }
}
