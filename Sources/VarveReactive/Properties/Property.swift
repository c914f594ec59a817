/// A value that changes over time and can be observed, but not changed.
///
/// A property that is composed of others (`map`, `combineLatest`, …) keeps none of them alive, and
/// ends when they have ended.
@propertyWrapper
public final class Property<Value>: PropertyProtocol {
  private let read: () -> Value
  /// Sends the latest value, then the changes.
  public let producer: SignalProducer<Value, Never>
  /// Sends the changes.
  public let signal: Signal<Value, Never>

  /// The latest value.
  public var value: Value { read() }
  /// The latest value.
  public var wrappedValue: Value { read() }
  /// The property itself.
  public var projectedValue: Property { self }

  /// Creates a property that never changes: its producer sends one value and completes.
  public init(value: Value) {
    read = { value }
    producer = SignalProducer(value: value)
    signal = .completed(
      StreamIdentity(.source("property", traits: .replays), valueType: Value.self))
  }

  /// Creates a view of a property that keeps it alive.
  public init(capturing property: some PropertyProtocol<Value>) {
    read = { property.value }
    producer = property.producer
    signal = property.signal
  }

  /// Creates a view of a property that does not keep it alive.
  public convenience init(_ property: some PropertyProtocol<Value>) {
    self.init(replaying: property.producer)
  }

  /// Creates a property that holds `initial` until `values` sends something. `values` is started at
  /// once; the last value stays when it ends.
  public convenience init(initial: Value, then values: SignalProducer<Value, Never>) {
    self.init(replaying: values.prefix(value: initial))
  }

  /// Creates a property that holds `initial` until `values` sends something. See
  /// `init(initial:then:)` of a producer.
  public convenience init(
    initial: Value, then values: some SignalProducerConvertible<Value, Never>
  ) {
    self.init(initial: initial, then: values.producer)
  }

  /// Creates a property of optional values that holds `initial` until `values` sends something. See
  /// `init(initial:then:)` of a producer.
  public convenience init<Wrapped>(
    initial: Value, then values: SignalProducer<Wrapped, Never>
  ) where Value == Wrapped? {
    self.init(replaying: values.map { $0 }.prefix(value: initial))
  }

  /// Creates a property of optional values that holds `initial` until `values` sends something. See
  /// `init(initial:then:)` of a producer.
  public convenience init<Wrapped>(
    initial: Value, then values: some SignalProducerConvertible<Wrapped, Never>
  ) where Value == Wrapped? {
    self.init(initial: initial, then: values.producer)
  }

  /// Creates a property of a producer that sends its first value inside its start.
  @usableFromInline
  package init(replaying source: SignalProducer<Value, Never>) {
    let run = Run()
    let composition = Composition<Value>(source.reference, run)
    source.recipe.start(into: RunEnd(composition, run: run), run: run)
    guard let cell = composition.cell else {
      fatalError("Varve: '\(source)' sent no value when it was started")
    }
    read = { cell.value }
    signal = Signal(cell.fanOut)
    producer = SignalProducer(PropertyRecipe(cell, keeping: signal))
  }

  /// Creates the face of a cell that somebody else changes and ends.
  init(of cell: PropertyCell<Value>) {
    read = { cell.value }
    signal = Signal(cell.fanOut)
    producer = SignalProducer(PropertyRecipe(cell, keeping: signal))
  }
}

// Safety: the cell is made for many threads.
extension Property: @unchecked Sendable where Value: Sendable {}

extension Property: CustomStringConvertible {
  /// The property's name.
  public var description: String { signal.description }
}

/// Receives what a property is composed of: the first value makes the cell, the others change it.
private final class Composition<Value>: Observer<Value, Never> {
  private let reference: StreamReference
  private let run: Run
  private(set) var cell: PropertyCell<Value>?

  init(_ reference: StreamReference, _ run: Run) {
    self.reference = reference
    self.run = run
  }

  override func receive(_ value: Value) {
    if let cell { return cell.write(value) }
    // The producer's own stages record its values.
    let cell = PropertyCell(reference.identity, value, isRecorded: false)
    cell.fanOut.observers.prepare { [run] in run.dispose() }
    self.cell = cell
  }

  override func terminate(_ termination: Termination<Never>) { cell?.root.send(.completed) }
}
