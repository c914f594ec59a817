// Initializers for the properties that a validating property can wrap, and for validators with a
// second input.

extension ValidatingProperty {
  /// Creates a property that wraps another, which it keeps alive.
  ///
  /// - Parameters:
  ///   - inner: the property that holds the accepted value.
  ///   - validator: decides on a proposed value.
  @preconcurrency
  public convenience init<Inner: ComposableMutablePropertyProtocol<Value>>(
    _ inner: Inner, _ validator: @escaping @Sendable (Value) -> Decision
  ) {
    self.init(unchecked: inner, validator)
  }

  /// Creates a property that holds `initial`, valid or not.
  ///
  /// - Parameters:
  ///   - initial: the initial value.
  ///   - name: the name of the streams of accepted values; nil for one made of its place.
  ///   - file: the file in which the property is created.
  ///   - line: the line on which it is created.
  ///   - validator: decides on a proposed value.
  @preconcurrency
  public convenience init(
    _ initial: Value, named name: String? = nil, file: String = #fileID, line: UInt = #line,
    _ validator: @escaping @Sendable (Value) -> Decision
  ) {
    self.init(
      unchecked: MutableProperty(initial, named: name, file: file, line: line), validator)
  }

  /// Creates a property that wraps another, with a validator that also receives the value of a
  /// third. The latest proposal is validated again whenever that value changes.
  @preconcurrency
  public convenience init<Other: PropertyProtocol>(
    _ inner: MutableProperty<Value>, with other: Other,
    _ validator: @escaping @Sendable (Value, Other.Value) -> Decision
  ) {
    // A view, which does not keep the other property alive.
    let other = Property(other)
    self.init(unchecked: inner) { value in
      validator(value, ReadCell.reading { other.value })
    }
    reconsider(at: ReadCell.reading { other.signal })
  }

  /// Creates a property that holds `initial`, with a validator that also receives the value of
  /// another property. The latest proposal is validated again whenever that value changes.
  ///
  /// - Parameters:
  ///   - initial: the initial value.
  ///   - other: the property whose value the validator receives, too.
  ///   - name: the name of the streams of accepted values; nil for one made of its place.
  ///   - file: the file in which the property is created.
  ///   - line: the line on which it is created.
  ///   - validator: decides on a proposed value.
  @preconcurrency
  public convenience init<Other: PropertyProtocol>(
    _ initial: Value, with other: Other, named name: String? = nil, file: String = #fileID,
    line: UInt = #line, _ validator: @escaping @Sendable (Value, Other.Value) -> Decision
  ) {
    self.init(
      MutableProperty(initial, named: name, file: file, line: line), with: other, validator)
  }

  /// Creates a property that wraps another, with a validator that also receives the latest proposal
  /// to a third, accepted or not. The latest proposal is validated again after each outcome there.
  @preconcurrency
  public convenience init<OtherValue, OtherError>(
    _ inner: MutableProperty<Value>, with other: ValidatingProperty<OtherValue, OtherError>,
    _ validator: @escaping @Sendable (Value, OtherValue) -> Decision
  ) {
    let outcomes = other.result
    self.init(unchecked: inner) { value in
      validator(value, ReadCell.reading { outcomes.value.proposed })
    }
    reconsider(at: ReadCell.reading { outcomes.signal })
  }

  /// Creates a property that holds `initial`, with a validator that also receives the latest
  /// proposal to another property, accepted or not. The latest proposal is validated again after
  /// each outcome there.
  ///
  /// - Parameters:
  ///   - initial: the initial value.
  ///   - other: the property whose latest proposal the validator receives, too.
  ///   - name: the name of the streams of accepted values; nil for one made of its place.
  ///   - file: the file in which the property is created.
  ///   - line: the line on which it is created.
  ///   - validator: decides on a proposed value.
  @preconcurrency
  public convenience init<OtherValue, OtherError>(
    _ initial: Value, with other: ValidatingProperty<OtherValue, OtherError>,
    named name: String? = nil, file: String = #fileID, line: UInt = #line,
    _ validator: @escaping @Sendable (Value, OtherValue) -> Decision
  ) {
    self.init(
      MutableProperty(initial, named: name, file: file, line: line), with: other, validator)
  }

  private convenience init<Inner: ComposableMutablePropertyProtocol<Value>>(
    unchecked inner: Inner, _ validator: @escaping (Value) -> Decision
  ) {
    let known = inner as? MutableProperty<Value>
    self.init(
      inFrontOf: known.map { ValidatedStore($0) } ?? ValidatedStore(inner), unchecked: validator)
  }

  private func reconsider<Change>(at changes: Signal<Change, Never>) {
    let sink = ValueSink<Change, Never> { [weak self] _ in self?.reconsider() }
    dependencies += changes.attach(sink)
  }
}
