// The initializers of the core take the source location as arguments with default values. There are
// no default arguments when an initializer is passed as a function, so these overloads have the
// predecessor's types.

extension MutableProperty {
  /// Creates a property: `values.map(MutableProperty.init)`.
  @_disfavoredOverload
  public convenience init(_ initialValue: Value) {
    self.init(initialValue, file: #fileID, line: #line)
  }
}
