/// What tasks made at one place have in common. A million tasks of one place have one template.
public struct TaskTemplateDefinition: Sendable, Hashable {
  /// Unique in the process, from 1 to 2²⁰ − 1.
  public var id: UInt32
  /// How the tasks were made, by its number in the file: a `TaskMaking`, or one that a newer
  /// recorder wrote.
  public var making: UInt8
  /// The priority that they were given: 9 background, 17 utility, 21 medium, 25 high; 0 none.
  public var priority: UInt8
  /// Their name; empty if they have none.
  public var name: String
  /// The stack of the code that makes them; 0 if none was taken.
  public var stack: UInt32

  /// Creates a definition.
  public init(id: UInt32, making: UInt8, priority: UInt8, name: String, stack: UInt32) {
    self.id = id
    self.making = making
    self.priority = priority
    self.name = name
    self.stack = stack
  }
}

/// How a task was made.
///
/// The numbers are part of the file format and are never reused.
public enum TaskMaking: UInt8, Sendable, CaseIterable {
  /// It was there before the recording began.
  case before = 0
  /// By `Task { }` or `Task.detached { }`, or as the program's first one.
  case task = 1
  /// By `addTask` of a group.
  case groupChild = 2
  /// By `async let`.
  case asyncLet = 3
  /// As a child of another kind.
  case child = 4
}
