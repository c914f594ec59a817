/// A stream that can be the source of a binding: it never fails.
public protocol BindingSource<Value>: SignalProducerConvertible where Failure == Never {}

extension Signal: BindingSource where Failure == Never {}
extension SignalProducer: BindingSource where Failure == Never {}

/// A value that changes over time and can be observed.
///
/// Conform your own types to this protocol to use them with the operators of properties and in
/// bindings.
public protocol PropertyProtocol<Value>: AnyObject, BindingSource {
  /// The latest value. It can be read at any time, from any thread, without waiting for a delivery.
  var value: Value { get }
  /// A producer of the latest value, followed by the changes; completes with the property.
  var producer: SignalProducer<Value, Never> { get }
  /// A signal of the changes; completes with the property.
  var signal: Signal<Value, Never> { get }
}

/// A property that can be changed, also by bindings.
public protocol MutablePropertyProtocol<Value>: PropertyProtocol, BindingTargetProvider {
  /// The type of the values. Redeclared here so that it can be inferred from `value` alone.
  associatedtype Value
  /// The latest value.
  var value: Value { get set }
  /// A lifetime that ends with the property.
  var lifetime: Lifetime { get }
}

extension MutablePropertyProtocol {
  /// A target that writes bound values to the property while that exists.
  public var bindingTarget: BindingTarget<Value> {
    BindingTarget(
      lifetime: lifetime, into: ReadCell.reading { signal.identity },
      unchecked: { [weak self] in self?.value = $0 })
  }
}

/// A mutable property whose value can be read and changed in one step.
public protocol ComposableMutablePropertyProtocol<Value>: MutablePropertyProtocol {
  /// Calls `action` with the value, which no other thread changes in the meantime.
  func withValue<Result>(_ action: (Value) throws -> Result) rethrows -> Result
  /// Changes the value in place and sends it once. No other thread changes it in the meantime.
  func modify<Result>(_ action: (inout Value) throws -> Result) rethrows -> Result
}
