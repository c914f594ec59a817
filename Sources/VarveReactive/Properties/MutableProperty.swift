internal import VarveProbe

/// A value that anybody may change and observe, from any thread.
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
  /// Ends when the property goes away.
  public let lifetime: Lifetime
  /// Sends the changes; completes when the property goes away.
  public let signal: Signal<Value, Never>
  /// Sends the latest value, then the changes; completes when the property goes away.
  public let producer: SignalProducer<Value, Never>

  private init(_ initialValue: Value, name: String?, place: SourcePlace) {
    let identity = StreamIdentity(
      .source("property", traits: .replays), name: name, place: place, valueType: Value.self)
    cell = PropertyCell(identity, initialValue)
    (lifetime, token) = Lifetime.make()
    signal = Signal(cell.fanOut)
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

  /// The latest value. Setting it returns when all observers have run, but inside an observer of the
  /// same property, where the delivery follows.
  public var value: Value {
    get { cell.value }
    set { cell.write(newValue) }
  }

  /// The latest value.
  public var wrappedValue: Value {
    get { cell.value }
    set { cell.write(newValue) }
  }

  /// The property itself: `$count`.
  public var projectedValue: MutableProperty { self }

  /// Replaces the value and returns the one before, in one step.
  @discardableResult
  public func swap(_ newValue: Value) -> Value { cell.swap(newValue) }

  /// Changes the value in place, in one step, and sends it once, also when `action` throws. The
  /// closure must not touch the property but through its argument.
  @discardableResult
  public func modify<Result>(_ action: (inout Value) throws -> Result) rethrows -> Result {
    try cell.change(action)
  }

  /// Runs `action` with the value; nobody else changes it meanwhile.
  @discardableResult
  public func withValue<Result>(_ action: (Value) throws -> Result) rethrows -> Result {
    try cell.read(action)
  }
}

// Safety: the cell is made for many threads.
extension MutableProperty: @unchecked Sendable where Value: Sendable {}

extension MutableProperty: CustomStringConvertible {
  /// The property's name.
  public var description: String { signal.description }
}
