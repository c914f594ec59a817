/// A read-only value that changes over time and can be observed.
///
/// A property that is composed of others (`map`, `combineLatest`, …) does not keep them alive, and
/// ends when they have ended.
@propertyWrapper
public final class Property<Value>: PropertyProtocol {
  private let read: () -> Value
  /// The cell that records reads; nil if there is none, or if it belongs to another property.
  private let cell: ReadCell?
  /// A producer of the latest value, followed by the changes.
  public let producer: SignalProducer<Value, Never>
  /// The signal of the changes, for the library's own use.
  private let changes: Signal<Value, Never>

  /// A signal of the changes.
  public var signal: Signal<Value, Never> {
    if ReadCell.areRecorded { cell?.noteChangesTaken() }
    return changes
  }

  /// The latest value.
  public var value: Value {
    if ReadCell.areRecorded { cell?.noteRead() }
    return read()
  }
  /// The latest value.
  public var wrappedValue: Value { value }
  /// The property itself.
  public var projectedValue: Property { self }

  /// Creates a property that never changes: its producer sends one value and completes.
  public init(value: Value) {
    read = { value }
    cell = nil
    producer = SignalProducer(value: value)
    changes = .completed(
      StreamIdentity(.source("property", traits: .replays), valueType: Value.self))
  }

  /// Creates a read-only view of a property, and keeps that property alive.
  public init(capturing property: some PropertyProtocol<Value>) {
    read = { property.value }
    cell = nil
    producer = property.producer
    changes = ReadCell.reading { property.signal }
  }

  /// Creates a read-only view of a property without keeping that property alive.
  public convenience init(_ property: some PropertyProtocol<Value>) {
    self.init(replaying: property.producer)
  }

  /// Creates a property that holds `initial` until `values` sends a value. `values` is started at
  /// once; the property keeps the last value when `values` ends.
  public convenience init(initial: Value, then values: SignalProducer<Value, Never>) {
    self.init(replaying: values.prefix(value: initial))
  }

  /// Creates a property that holds `initial` until `values` sends a value. See
  /// `init(initial:then:)` with a producer.
  public convenience init(
    initial: Value, then values: some SignalProducerConvertible<Value, Never>
  ) {
    self.init(initial: initial, then: values.producer)
  }

  /// Creates a property of optional values that holds `initial` until `values` sends a value. See
  /// `init(initial:then:)` with a producer.
  public convenience init<Wrapped>(
    initial: Value, then values: SignalProducer<Wrapped, Never>
  ) where Value == Wrapped? {
    self.init(replaying: values.map { $0 }.prefix(value: initial))
  }

  /// Creates a property of optional values that holds `initial` until `values` sends a value. See
  /// `init(initial:then:)` with a producer.
  public convenience init<Wrapped>(
    initial: Value, then values: some SignalProducerConvertible<Wrapped, Never>
  ) where Value == Wrapped? {
    self.init(initial: initial, then: values.producer)
  }

  /// Creates a property from a producer that sends its first value during its start.
  @usableFromInline
  package init(replaying source: SignalProducer<Value, Never>) {
    let run = Run()
    let composition = Composition<Value>(source.reference, run)
    source.recipe.start(into: RunEnd(composition, run: run), run: run)
    guard let cell = composition.cell else {
      fatalError("Varve: '\(source)' sent no value when it was started")
    }
    read = { cell.value }
    self.cell = cell
    changes = Signal(cell.fanOut)
    producer = SignalProducer(PropertyRecipe(cell, keeping: changes))
  }

  /// Creates a read-only property of a cell that its owner changes and ends.
  init(of cell: PropertyCell<Value>) {
    read = { cell.value }
    self.cell = cell
    changes = Signal(cell.fanOut)
    producer = SignalProducer(PropertyRecipe(cell, keeping: changes))
  }
}

// Safety: the cell is thread-safe.
extension Property: @unchecked Sendable where Value: Sendable {}

extension Property: CustomStringConvertible {
  /// The property's name.
  public var description: String { changes.description }
}

/// Receives the values of a composed property: the first one creates the cell, later ones change
/// it.
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
