internal import CVarveSystem
internal import Dispatch
internal import Synchronization
internal import VarveProbe

/// Who a scheduler is, for traces and for `Schedulers.current`.
///
/// A thread that runs a scheduler's action points to the scheduler's identity. The pointer is
/// unretained: whoever runs an action keeps the scheduler alive meanwhile.
final class SchedulerIdentity: Sendable {
  private static let lastID = Atomic<UInt32>(0)

  /// Unique in the process, from 1, or shared by schedulers that stand for the same thing.
  let id: UInt32
  let name: String
  /// Whether it stands for what is no scheduler of the library's: `Schedulers.current` knows nothing
  /// of those.
  private let isForeign: Bool

  /// The queue that the scheduler's actions run on, if it has one.
  private let queue: DispatchQueue?

  // Safety: written by the scheduler's `init`, before it is given to anybody else, and read by its
  // actions; of a queue's actions one at a time runs.
  nonisolated(unsafe) weak var scheduler: (any Scheduler)?

  /// Whether the name outlives the scheduler, for backtraces.
  private let hasKeptName = Atomic<Bool>(false)

  /// The recording session that knows this scheduler.
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

  /// The scheduler whose action is running. When nobody has kept it, another one for the same queue
  /// is as good.
  var running: (any Scheduler)? {
    scheduler ?? queue.map { QueueScheduler(self, on: $0) }
  }

  /// What a scheduler is called: by its own description, else by its type.
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

  /// Runs `action` on this thread as this scheduler's.
  func perform(_ action: () -> Void) {
    if isForeign { return action() }
    let thread = ThreadSlot.current
    let outer = thread.pointee.scheduler
    thread.pointee.scheduler = Unmanaged.passUnretained(self).toOpaque()
    action()
    thread.pointee.scheduler = outer
  }

  /// Lets backtraces show the name also when the scheduler has gone.
  @inline(__always)
  func keepName() {
    if hasKeptName.load(ordering: .relaxed) { return }
    hasKeptName.store(true, ordering: .relaxed)
    SchedulerNames.keep(name, of: id)
  }

  /// Sees to it that the recording knows the scheduler before a record refers to it. Racing threads
  /// define it twice, which does no harm.
  func define(in session: UInt32) {
    guard definedIn.load(ordering: .acquiring) != session else { return }
    Probe.receiver?.define(SchedulerDefinition(id: id, name: name))
    definedIn.store(session, ordering: .releasing)
  }
}
