// A key path literal can be passed as a closure, but a key path in a variable cannot.

extension Signal {
  /// Transforms values with a key path that is stored in a variable. See `map(_:)` with a closure.
  @preconcurrency
  @_disfavoredOverload
  public func map<NewValue>(
    _ keyPath: any KeyPath<Value, NewValue> & Sendable
  ) -> Signal<NewValue, Failure> { map { $0[keyPath: keyPath] } }
}

extension SignalProducer {
  /// Transforms values with a key path that is stored in a variable. See `map(_:)` with a closure.
  @preconcurrency
  @_disfavoredOverload
  public func map<NewValue>(
    _ keyPath: any KeyPath<Value, NewValue> & Sendable
  ) -> SignalProducer<NewValue, Failure> { map { $0[keyPath: keyPath] } }
}

extension PropertyProtocol {
  /// Transforms values with a key path that is stored in a variable. See `map(_:)` with a closure.
  @preconcurrency
  @_disfavoredOverload
  public func map<NewValue>(
    _ keyPath: any KeyPath<Value, NewValue> & Sendable
  ) -> Property<NewValue> { map { $0[keyPath: keyPath] } }
}
