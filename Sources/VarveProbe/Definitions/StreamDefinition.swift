/// What a trace knows of a stream.
///
/// A trace may define very many streams, and who reads it holds them in tables, lists and rows: all
/// copies of a definition share one piece of memory, and each is a pointer to it.
public struct StreamDefinition: Sendable {
  /// Unique in the process, from 1.
  public var id: UInt32 {
    get { shared.facts.id }
    set { change { $0.id = newValue } }
  }
  /// The name that people see, in Varve's form: `username.skipRepeats().take(first: 3)`.
  public var name: String {
    get { shared.facts.name }
    set { change { $0.name = newValue } }
  }
  /// What the name would be if the user had given none; equal to `name` when they did not.
  public var derivation: String {
    get { shared.facts.derivation }
    set { change { $0.derivation = newValue } }
  }
  /// The operator or the kind of source: `filter(_:)`, `pipe`.
  public var operation: String {
    get { shared.facts.operation }
    set { change { $0.operation = newValue } }
  }
  /// The streams that feed it, in the order of the operator's inputs.
  public var parents: [UInt32] {
    get { shared.facts.parents }
    set { change { $0.parents = newValue } }
  }
  /// Where it was made, if that is known.
  public var place: Place? {
    get { shared.facts.place }
    set { change { $0.place = newValue } }
  }
  /// The type of its values.
  public var valueType: String {
    get { shared.facts.valueType }
    set { change { $0.valueType = newValue } }
  }
  /// When it was made, in ticks.
  public var born: UInt64 {
    get { shared.facts.born }
    set { change { $0.born = newValue } }
  }
  /// Why this operator swallows values when it does.
  public var absorbs: AbsorptionReason? {
    get { shared.facts.absorbs }
    set { change { $0.absorbs = newValue } }
  }
  /// What kind of stream it is; nil when a file of an older version does not say.
  public var traits: StreamTraits? {
    get { shared.facts.traits }
    set { change { $0.traits = newValue } }
  }
  /// The stack of the code that made it; 0 when none was taken. It tells the place of operators.
  public var stack: UInt32 {
    get { shared.facts.stack }
    set { change { $0.stack = newValue } }
  }

  /// Whether the user named it.
  public var isNamed: Bool { shared.facts.name != shared.facts.derivation }

  /// Creates a definition.
  public init(
    id: UInt32, name: String, derivation: String, operation: String, parents: [UInt32],
    place: Place?, valueType: String, born: UInt64, absorbs: AbsorptionReason? = nil,
    traits: StreamTraits? = nil, stack: UInt32 = 0
  ) {
    shared = Shared(
      Facts(
        name: name, derivation: derivation, operation: operation, valueType: valueType,
        parents: parents, born: born, place: place, id: id, stack: stack, absorbs: absorbs,
        traits: traits))
  }

  // MARK: - What copies share

  private struct Facts: Sendable, Hashable {
    var name: String
    var derivation: String
    var operation: String
    var valueType: String
    var parents: [UInt32]
    var born: UInt64
    var place: Place?
    var id: UInt32
    var stack: UInt32
    var absorbs: AbsorptionReason?
    var traits: StreamTraits?
  }

  private final class Shared: Sendable {
    let facts: Facts

    init(_ facts: Facts) { self.facts = facts }
  }

  private var shared: Shared

  private mutating func change(_ body: (inout Facts) -> Void) {
    var facts = shared.facts
    body(&facts)
    shared = Shared(facts)
  }
}

extension StreamDefinition: Hashable {
  /// Whether all that is known of two streams is the same.
  public static func == (one: StreamDefinition, other: StreamDefinition) -> Bool {
    one.shared === other.shared || one.shared.facts == other.shared.facts
  }

  /// Hashes all that is known.
  public func hash(into hasher: inout Hasher) { hasher.combine(shared.facts) }
}
