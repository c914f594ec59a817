public import CVarveSystem

/// A receiver of the definitions that records refer to, such as the recorder or a test.
///
/// Events do not pass through here but through the calling thread's ring (`varve_emit.h`): that
/// path contains no call that cannot be inlined.
public protocol ProbeReceiver: AnyObject, Sendable {
  /// Stores a stream's definition before any record refers to it. May be called more than once for
  /// a stream, from any thread.
  func define(_ stream: StreamDefinition)

  /// Stores a scheduler's definition before any record refers to it.
  func define(_ scheduler: SchedulerDefinition)

  /// Stores a stack before any record refers to it; `vv_stack_find` returns its frames.
  func define(stack id: UInt32)

  /// Stores what tasks of one place have in common before any record refers to it.
  func define(_ template: TaskTemplateDefinition)
}

extension ProbeReceiver {
  /// Does nothing, for receivers that ignore stacks.
  public func define(stack id: UInt32) {}

  /// Does nothing, for receivers that ignore tasks.
  public func define(_ template: TaskTemplateDefinition) {}
}

/// The meeting point of emitters and a recorder.
public enum Probe {
  private static let lock = Lock<(any ProbeReceiver)?>(nil)
  private static let selection = Lock(StreamSelection())
  private static let describers = Lock<[@Sendable () -> [StreamDefinition]]>([])
  /// Further locks to hold across a `fork`, in the order in which they are taken.
  private static let guards = Lock<[ForkGuard]>([])

  private struct ForkGuard: Sendable {
    var hold: @Sendable () -> Void
    var letGo: @Sendable () -> Void
  }

  /// The receiver of definitions while the gate is open.
  public static var receiver: (any ProbeReceiver)? { lock.withLock { $0 } }

  /// Opens the gate: from now on, emitters write definitions to `receiver` and events to their
  /// rings.
  ///
  /// - Parameters:
  ///   - session: A number from 1 to 2²⁴ − 1 that no earlier recording of this process had.
  ///   - wish: What emitters should record.
  ///   - receiver: The receiver of definitions.
  ///   - makeRoom: The slow path of `varve_emit.h`.
  public static func open(
    session: UInt32, wish: Wish, receiver: any ProbeReceiver, makeRoom: vv_make_room_function
  ) {
    lock.withLock { $0 = receiver }
    vv_gate_open(session << 8 | UInt32(wish.rawValue), makeRoom)
  }

  /// Closes the gate. Events that threads are emitting at this moment may still arrive.
  public static func close() {
    vv_gate_store(0)
    lock.withLock { $0 = nil }
  }

  /// Selects the streams to record and how much of each, effective with the gate's next word.
  public static func select(_ streams: StreamSelection) { selection.withLock { $0 = streams } }

  /// Returns what to record of a stream. Callers keep the answer until the gate's word changes.
  ///
  /// - Parameter name: The stream's displayed name; evaluated only if it matters.
  public static func verdict(on name: @autoclosure () -> String) -> StreamVerdict {
    let streams = selection.withLock { $0 }
    return streams == StreamSelection() ? .whole : streams.verdict(on: name())
  }

  /// Registers a function that lists a library's live streams, for recordings that start after
  /// them.
  public static func addDescriber(_ describe: @escaping @Sendable () -> [StreamDefinition]) {
    describers.withLock { $0.append(describe) }
  }

  /// Returns the definitions of all streams alive now.
  public static func liveStreams() -> [StreamDefinition] {
    describers.withLock { $0 }.flatMap { $0() }
  }

  /// Registers a lock that the child of a `fork` needs, so that no other thread holds it when the
  /// process forks.
  ///
  /// - Parameter isLast: Whether the lock may be taken while others of these locks are held; no
  ///   other lock may be taken while it is held.
  package static func keptOverForks<State>(_ lock: Lock<State>, isLast: Bool = false)
    -> Lock<State>
  {
    let each = ForkGuard(hold: { lock.hold() }, letGo: { lock.letGo() })
    guards.withLock { $0.insert(each, at: isLast ? $0.count : 0) }
    return lock
  }

  /// Takes all locks for a `fork`.
  package static func hold() {
    lock.hold()
    selection.hold()
    describers.hold()
    holdWithholders()
    guards.hold()
    for each in guards.held { each.hold() }
  }

  /// Releases what `hold` took, in the parent and in the child.
  package static func letGo() {
    for each in guards.held.reversed() { each.letGo() }
    guards.letGo()
    letGoOfWithholders()
    describers.letGo()
    selection.letGo()
    lock.letGo()
  }
}
