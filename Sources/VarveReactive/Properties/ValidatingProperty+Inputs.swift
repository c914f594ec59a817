// What a validating property can stand in front of, and what its validator can look at besides.

extension ValidatingProperty {
  /// Creates a property in front of another, which it keeps alive.
  ///
  /// - Parameters:
  ///   - inner: holds the accepted value.
  ///   - validator: decides about a proposed value.
  @preconcurrency
  public convenience init<Inner: ComposableMutablePropertyProtocol<Value>>(
    _ inner: Inner, _ validator: @escaping @Sendable (Value) -> Decision
  ) {
    self.init(unchecked: inner, validator)
  }

  /// Creates a property that holds `initial`, valid or not.
  ///
  /// - Parameters:
  ///   - initial: what it holds at first.
  ///   - validator: decides about a proposed value.
  @preconcurrency
  public convenience init(
    _ initial: Value, _ validator: @escaping @Sendable (Value) -> Decision
  ) {
    self.init(unchecked: MutableProperty(initial), validator)
  }

  /// Creates a property in front of another whose validator also gets the value of a third. The
  /// latest proposal is decided about again whenever that changes.
  @preconcurrency
  public convenience init<Other: PropertyProtocol>(
    _ inner: MutableProperty<Value>, with other: Other,
    _ validator: @escaping @Sendable (Value, Other.Value) -> Decision
  ) {
    // A view, so that the other property is not kept alive.
    let other = Property(other)
    self.init(unchecked: inner) { validator($0, other.value) }
    reconsider(at: other.signal)
  }

  /// Creates a property that holds `initial` and whose validator also gets the value of another. The
  /// latest proposal is decided about again whenever that changes.
  @preconcurrency
  public convenience init<Other: PropertyProtocol>(
    _ initial: Value, with other: Other,
    _ validator: @escaping @Sendable (Value, Other.Value) -> Decision
  ) {
    self.init(MutableProperty(initial), with: other, validator)
  }

  /// Creates a property in front of another whose validator also gets what was last proposed to a
  /// third, accepted or not. The latest proposal is decided about again whenever there is a new
  /// outcome there.
  @preconcurrency
  public convenience init<OtherValue, OtherError>(
    _ inner: MutableProperty<Value>, with other: ValidatingProperty<OtherValue, OtherError>,
    _ validator: @escaping @Sendable (Value, OtherValue) -> Decision
  ) {
    let outcomes = other.result
    self.init(unchecked: inner) { validator($0, outcomes.value.proposed) }
    reconsider(at: outcomes.signal)
  }

  /// Creates a property that holds `initial` and whose validator also gets what was last proposed to
  /// another, accepted or not. The latest proposal is decided about again whenever there is a new
  /// outcome there.
  @preconcurrency
  public convenience init<OtherValue, OtherError>(
    _ initial: Value, with other: ValidatingProperty<OtherValue, OtherError>,
    _ validator: @escaping @Sendable (Value, OtherValue) -> Decision
  ) {
    self.init(MutableProperty(initial), with: other, validator)
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
