internal import VarveProbe

/// A value that can be changed and observed from any thread.
///
///     let query = MutableProperty("", named: "query")
///     query.producer.startWithValues { print($0) }  // prints the empty string
///     query.value = "varve"                         // prints varve
///
/// A change is visible before it is sent. Inside an observer, the value may be read, and it may be
/// changed: the change takes effect at once, and its delivery follows the one in progress.
@propertyWrapper
public final class MutableProperty<Value>: ComposableMutablePropertyProtocol {
  package let cell: PropertyCell<Value>
  private let token: Lifetime.Token
  /// A lifetime that ends when the property is deallocated.
  public let lifetime: Lifetime
  /// The signal of the changes, for the library's own use.
  package let changes: Signal<Value, Never>
  /// A producer of the latest value, followed by the changes; completes when the property is
  /// deallocated.
  public let producer: SignalProducer<Value, Never>

  private init(_ initialValue: Value, name: String?, place: SourcePlace) {
    let identity = StreamIdentity(
      .source("property", traits: .replays), name: name, place: place, valueType: Value.self)
    cell = PropertyCell(identity, initialValue)
    cell.root.isSentInto = true
    (lifetime, token) = Lifetime.make()
    changes = Signal(cell.fanOut)
    producer = SignalProducer(PropertyRecipe(cell))
  }

  /// Creates a property; without a name it is called after its place.
  public convenience init(
    _ initialValue: Value, named name: String? = nil, file: String = #fileID, line: UInt = #line
  ) {
    self.init(
      initialValue, name: name, place: SourcePlace(file: file, line: UInt32(clamping: line)))
  }

  /// Creates a property: `@MutableProperty var count = 0`.
  public convenience init(
    wrappedValue: Value, file: String = #fileID, line: UInt = #line
  ) {
    self.init(
      wrappedValue, name: nil, place: SourcePlace(file: file, line: UInt32(clamping: line)))
  }

  deinit {
    cell.root.send(.completed)
    token.dispose()
  }

  /// The latest value. The setter returns after all observers have run, except inside an observer
  /// of the same property, where the delivery follows later.
  public var value: Value {
    get { readValue }
    set { cell.write(newValue) }
  }

  /// A signal of the changes; completes when the property is deallocated.
  public var signal: Signal<Value, Never> {
    if ReadCell.areRecorded { cell.noteChangesTaken() }
    return changes
  }

  /// The latest value.
  public var wrappedValue: Value {
    get { readValue }
    set { cell.write(newValue) }
  }

  private var readValue: Value {
    if ReadCell.areRecorded { cell.noteRead() }
    return cell.value
  }

  /// The property itself: `$count`.
  public var projectedValue: MutableProperty { self }

  /// Replaces the value and returns the previous one, in one step.
  @discardableResult
  public func swap(_ newValue: Value) -> Value { cell.swap(newValue) }

  /// Changes the value in place, in one step, and sends it once, even if `action` throws. The
  /// closure must access the property only through its argument.
  @discardableResult
  public func modify<Result>(_ action: (inout Value) throws -> Result) rethrows -> Result {
    try cell.change(action)
  }

  /// Calls `action` with the value, which no other thread changes in the meantime.
  @discardableResult
  public func withValue<Result>(_ action: (Value) throws -> Result) rethrows -> Result {
    if ReadCell.areRecorded { cell.noteRead() }
    return try cell.read(action)
  }
}

// Safety: the cell is thread-safe.
extension MutableProperty: @unchecked Sendable where Value: Sendable {}

extension MutableProperty: CustomStringConvertible {
  /// The property's name.
  public var description: String { changes.description }
}
