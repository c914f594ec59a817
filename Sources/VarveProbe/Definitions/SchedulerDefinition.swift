/// The trace's description of a scheduler.
public struct SchedulerDefinition: Sendable, Hashable {
  /// Unique in the process, from 1.
  public var id: UInt32
  /// Its name: `QueueScheduler(search)`.
  public var name: String

  /// The bit that the IDs of schedulers have that stand for the executors of tasks.
  package static let executors: UInt32 = 1 << 31

  /// Creates a definition.
  public init(id: UInt32, name: String) {
    self.id = id
    self.name = name
  }
}
