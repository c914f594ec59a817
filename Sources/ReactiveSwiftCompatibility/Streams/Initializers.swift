// Initialisers of the core take their place in the code as arguments with defaults. Where one is given
// as a function, there are no defaults: these have the predecessor's own types.

extension MutableProperty {
  /// Creates a property: `values.map(MutableProperty.init)`.
  @_disfavoredOverload
  public convenience init(_ initialValue: Value) {
    self.init(initialValue, file: #fileID, line: #line)
  }
}
