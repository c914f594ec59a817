/// A place in the program's source.
public struct Place: Sendable, Hashable, CustomStringConvertible {
  /// The file as `#fileID` gives it: `Module/File.swift`.
  public let file: String
  /// The line, from 1.
  public let line: UInt32

  /// Creates a place.
  public init(file: String, line: UInt32) {
    self.file = file
    self.line = line
  }

  /// `File.swift:12`, without the module.
  public var description: String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return "\(name):\(line)"
  }
}

/// What a trace knows of a stream.
public struct StreamDefinition: Sendable, Hashable {
  /// Unique in the process, from 1.
  public var id: UInt32
  /// The name that people see, in Varve's form: `username.skipRepeats().take(first: 3)`.
  public var name: String
  /// What the name would be if the user had given none; equal to `name` when they did not.
  public var derivation: String
  /// The operator or the kind of source: `filter(_:)`, `pipe`.
  public var operation: String
  /// The streams that feed it, in the order of the operator's inputs.
  public var parents: [UInt32]
  /// Where it was made, if that is known.
  public var place: Place?
  /// The type of its values.
  public var valueType: String
  /// When it was made, in ticks.
  public var born: UInt64
  /// Why this operator swallows values when it does.
  public var absorbs: AbsorptionReason?
  /// The stack of the code that made it; 0 when none was taken. It tells the place of operators.
  public var stack: UInt32

  /// Whether the user named it.
  public var isNamed: Bool { name != derivation }

  /// Creates a definition.
  public init(
    id: UInt32, name: String, derivation: String, operation: String, parents: [UInt32],
    place: Place?, valueType: String, born: UInt64, absorbs: AbsorptionReason? = nil,
    stack: UInt32 = 0
  ) {
    self.id = id
    self.name = name
    self.derivation = derivation
    self.operation = operation
    self.parents = parents
    self.place = place
    self.valueType = valueType
    self.born = born
    self.absorbs = absorbs
    self.stack = stack
  }
}

/// What a trace knows of a scheduler.
public struct SchedulerDefinition: Sendable, Hashable {
  /// Unique in the process, from 1.
  public var id: UInt32
  /// Its name: `QueueScheduler(search)`.
  public var name: String

  /// Creates a definition.
  public init(id: UInt32, name: String) {
    self.id = id
    self.name = name
  }
}
