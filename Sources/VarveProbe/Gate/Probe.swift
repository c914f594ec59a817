public import CVarveSystem

/// Takes the definitions that records refer to. The recorder is one; a test may be another.
///
/// Events do not come through here but through the calling thread's ring (`varve_emit.h`): that
/// path has no call in it that could not be inlined.
public protocol ProbeReceiver: AnyObject, Sendable {
  /// Keeps a stream's definition safe before any record refers to it. May be called more than once
  /// for one stream, from any thread.
  func define(_ stream: StreamDefinition)

  /// Keeps a scheduler's definition safe before any record refers to it.
  func define(_ scheduler: SchedulerDefinition)

  /// Keeps a stack safe before any record refers to it: `vv_stack_find` has its frames.
  func define(stack id: UInt32)
}

extension ProbeReceiver {
  /// Does nothing, for receivers that do not care for stacks.
  public func define(stack id: UInt32) {}
}

/// Where the emitting side and a recorder meet.
public enum Probe {
  private static let lock = Lock<(any ProbeReceiver)?>(nil)
  private static let selection = Lock(StreamSelection())
  private static let describers = Lock<[@Sendable () -> [StreamDefinition]]>([])
  /// What else has to be kept over a `fork`, in the order in which it is held.
  private static let guards = Lock<[ForkGuard]>([])

  private struct ForkGuard: Sendable {
    var hold: @Sendable () -> Void
    var letGo: @Sendable () -> Void
  }

  /// The receiver that definitions go to while the gate is open.
  public static var receiver: (any ProbeReceiver)? { lock.withLock { $0 } }

  /// Opens the gate: from now on emitters tell `receiver` and its rings what happens.
  ///
  /// - Parameters:
  ///   - session: a number from 1 to 2²⁴ − 1 that no earlier recording of this process had.
  ///   - wish: what emitters are to tell.
  ///   - receiver: gets the definitions.
  ///   - makeRoom: the slow path of `varve_emit.h`.
  public static func open(
    session: UInt32, wish: Wish, receiver: any ProbeReceiver, makeRoom: vv_make_room_function
  ) {
    lock.withLock { $0 = receiver }
    vv_gate_open(session << 8 | UInt32(wish.rawValue), makeRoom)
  }

  /// Closes the gate. What a thread is emitting at this moment may still arrive.
  public static func close() {
    vv_gate_store(0)
    lock.withLock { $0 = nil }
  }

  /// Says which streams are wanted, and how much of each, from the next word of the gate on.
  public static func select(_ streams: StreamSelection) { selection.withLock { $0 = streams } }

  /// What is wanted of a stream. Whoever asks keeps the answer as long as the gate's word stays.
  ///
  /// - Parameter name: what people call the stream; asked only if that matters.
  public static func verdict(on name: @autoclosure () -> String) -> StreamVerdict {
    let streams = selection.withLock { $0 }
    return streams == StreamSelection() ? .whole : streams.verdict(on: name())
  }

  /// Lets a library of streams say which streams live, for recordings that begin after them.
  public static func addDescriber(_ describe: @escaping @Sendable () -> [StreamDefinition]) {
    describers.withLock { $0.append(describe) }
  }

  /// The definitions of all streams that live now.
  public static func liveStreams() -> [StreamDefinition] {
    describers.withLock { $0 }.flatMap { $0() }
  }

  /// A lock of a library of streams that the child of a `fork` needs: no other thread is in it when
  /// the process forks.
  ///
  /// - Parameter isLast: whether somebody may ask for it while holding others of these locks; in such
  ///   a one nobody asks for another lock.
  package static func keptOverForks<State>(_ lock: Lock<State>, isLast: Bool = false)
    -> Lock<State>
  {
    let each = ForkGuard(hold: { lock.hold() }, letGo: { lock.letGo() })
    guards.withLock { $0.insert(each, at: isLast ? $0.count : 0) }
    return lock
  }

  /// Keeps everybody else out over a `fork`.
  package static func hold() {
    lock.hold()
    selection.hold()
    describers.hold()
    holdWithholders()
    guards.hold()
    for each in guards.held { each.hold() }
  }

  /// Ends what `hold` began, in the parent and in the child.
  package static func letGo() {
    for each in guards.held.reversed() { each.letGo() }
    guards.letGo()
    letGoOfWithholders()
    describers.letGo()
    selection.letGo()
    lock.letGo()
  }
}
