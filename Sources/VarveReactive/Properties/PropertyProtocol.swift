/// Anything that can feed a binding: it never fails.
public protocol BindingSource<Value>: SignalProducerConvertible where Failure == Never {}

extension Signal: BindingSource where Failure == Never {}
extension SignalProducer: BindingSource where Failure == Never {}

/// A value that changes over time and can be observed.
///
/// Conform your own types to it to use them in all operators of properties and in bindings.
public protocol PropertyProtocol<Value>: AnyObject, BindingSource {
  /// The latest value; can be read at any time, from any thread, without waiting for a delivery.
  var value: Value { get }
  /// Sends the latest value, then the changes; completes with the property.
  var producer: SignalProducer<Value, Never> { get }
  /// Sends the changes; completes with the property.
  var signal: Signal<Value, Never> { get }
}

/// A property that can be changed, and is a target of bindings.
public protocol MutablePropertyProtocol<Value>: PropertyProtocol, BindingTargetProvider {
  /// The type of the values. Named here so that it is inferred from `value` alone.
  associatedtype Value
  /// The latest value.
  var value: Value { get set }
  /// Ends with the property.
  var lifetime: Lifetime { get }
}

extension MutablePropertyProtocol {
  /// Writes bound values to the property, for as long as it lives.
  public var bindingTarget: BindingTarget<Value> {
    BindingTarget(lifetime: lifetime, unchecked: { [weak self] in self?.value = $0 })
  }
}

/// A mutable property whose value can be read and changed in one step.
public protocol ComposableMutablePropertyProtocol<Value>: MutablePropertyProtocol {
  /// Runs `action` with the value; nobody changes it meanwhile.
  func withValue<Result>(_ action: (Value) throws -> Result) rethrows -> Result
  /// Changes the value in place and sends it once; nobody else changes it meanwhile.
  func modify<Result>(_ action: (inout Value) throws -> Result) rethrows -> Result
}
