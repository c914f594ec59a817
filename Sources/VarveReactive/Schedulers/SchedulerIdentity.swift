internal import CVarveSystem
internal import Dispatch
internal import Synchronization
internal import VarveProbe

/// The identity of a scheduler, for traces and for `Schedulers.current`.
///
/// A thread that runs a scheduler's action points to the scheduler's identity. The pointer is
/// unretained: the code that runs an action keeps the scheduler alive.
final class SchedulerIdentity: Sendable {
  private static let lastID = Atomic<UInt32>(0)

  /// A number that is unique in the process, from 1, or shared by schedulers that stand for the
  /// same thing.
  let id: UInt32
  let name: String
  /// Whether the scheduler does not belong to the library: `Schedulers.current` does not report
  /// such schedulers.
  private let isForeign: Bool

  /// The queue that runs the scheduler's actions, if there is one.
  private let queue: DispatchQueue?

  // Safety: written by the scheduler's `init`, before the scheduler is shared, and read by its
  // actions; a queue runs one action at a time.
  nonisolated(unsafe) weak var scheduler: (any Scheduler)?

  /// Whether the name is kept beyond the life of the scheduler, for backtraces.
  private let hasKeptName = Atomic<Bool>(false)

  /// The recording session in which this scheduler is defined.
  private let definedIn = Atomic<UInt32>(0)

  init(
    id: UInt32 = SchedulerIdentity.nextID(), name: String, queue: DispatchQueue? = nil,
    isForeign: Bool = false
  ) {
    self.id = id
    self.name = name
    self.isForeign = isForeign
    self.queue = queue
  }

  /// The scheduler whose action is running. If it was released, a new one for the same queue
  /// replaces it.
  var running: (any Scheduler)? {
    scheduler ?? queue.map { QueueScheduler(self, on: $0) }
  }

  /// Returns the name of a scheduler: its description or, without one, its type.
  static func name(of scheduler: any Scheduler) -> String {
    (scheduler as? any CustomStringConvertible)?.description ?? TypeNames.short(type(of: scheduler))
  }

  static func nextID() -> UInt32 {
    lastID.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// The identity of the scheduler whose action runs on this thread.
  static var current: SchedulerIdentity? {
    guard let pointer = ThreadSlot.current.pointee.scheduler else { return nil }
    return Unmanaged<SchedulerIdentity>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Runs `action` on this thread, with this scheduler as the current one.
  func perform(_ action: () -> Void) {
    if isForeign { return action() }
    let thread = ThreadSlot.current
    let outer = thread.pointee.scheduler
    thread.pointee.scheduler = Unmanaged.passUnretained(self).toOpaque()
    action()
    thread.pointee.scheduler = outer
  }

  /// Keeps the name, so that backtraces can show it after the scheduler was deallocated.
  @inline(__always)
  func keepName() {
    if hasKeptName.load(ordering: .relaxed) { return }
    hasKeptName.store(true, ordering: .relaxed)
    SchedulerNames.keep(name, of: id)
  }

  /// Defines the scheduler in the recording before a record refers to it. Racing threads may define
  /// it twice, which is harmless.
  func define(in session: UInt32) {
    guard definedIn.load(ordering: .acquiring) != session else { return }
    Probe.receiver?.define(SchedulerDefinition(id: id, name: name))
    definedIn.store(session, ordering: .releasing)
  }
}
