// A key path that is written out where it is passed is taken as a closure. Those that are kept in
// variables are of a type of their own.

extension Signal {
  /// Transforms values by a key path that is kept in a variable. See `map(_:)` of a closure.
  @preconcurrency
  @_disfavoredOverload
  public func map<NewValue>(
    _ keyPath: any KeyPath<Value, NewValue> & Sendable
  ) -> Signal<NewValue, Failure> { map { $0[keyPath: keyPath] } }
}

extension SignalProducer {
  /// Transforms values by a key path that is kept in a variable. See `map(_:)` of a closure.
  @preconcurrency
  @_disfavoredOverload
  public func map<NewValue>(
    _ keyPath: any KeyPath<Value, NewValue> & Sendable
  ) -> SignalProducer<NewValue, Failure> { map { $0[keyPath: keyPath] } }
}

extension PropertyProtocol {
  /// Transforms values by a key path that is kept in a variable. See `map(_:)` of a closure.
  @preconcurrency
  @_disfavoredOverload
  public func map<NewValue>(
    _ keyPath: any KeyPath<Value, NewValue> & Sendable
  ) -> Property<NewValue> { map { $0[keyPath: keyPath] } }
}
