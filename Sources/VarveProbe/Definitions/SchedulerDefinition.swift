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
