internal import CVarveSystem
internal import Synchronization
internal import VarveProbe

/// Admits one thread at a time to a root and to everything downstream that receives its events in
/// turn.
///
/// The event path costs one compare-and-swap to enter and one to leave; stages and observers in the
/// serializer have no lock of their own. A thread that wants something else of a busy serializer
/// (to attach, to detach, to end it) leaves a deferred action, which the thread inside performs
/// when it leaves. Only sending a value waits.
class Serializer: RunMember, @unchecked Sendable {
  // Safety: `word` decides which thread is inside. All other state is atomic or changes only
  // inside.

  /// 0 when no thread is inside; otherwise an address in the frame of the send that is inside, with
  /// flags in its lower four bits. The address tells whether that send is on the current thread's
  /// stack.
  private let word = Atomic<UInt>(0)
  /// The deferred actions that were left, newest first.
  private let actions = Atomic<UInt>(0)

  private static let hasActions: UInt = 1
  private static let hasWaiters: UInt = 2
  private static let flags: UInt = 15

  /// The gate's word as this serializer last followed it. Not atomic, because it is compared with
  /// the gate for each event, and a compiler loads an atomic separately from comparing it.
  // Safety: used by the thread inside.
  @exclusivity(unchecked) final var gate: UInt32 = 0
  /// Whether the program's own code sends here. Set before other code knows the serializer.
  @exclusivity(unchecked) final var isSentInto = false
  /// The stack of the program's code that decided on the event that is delivered next, for a root
  /// whose events follow from decisions; 0 if it is not known, nil for other roots.
  @exclusivity(unchecked) final var decider: UInt32?
  /// The tick of the last record made in this serializer; the next one's is greater.
  let lastTick = Atomic<UInt64>(0)
  /// The subscription through which the value being delivered came; for a source, the number of its
  /// run.
  let feed = Atomic<UInt64>(0)
  /// The signal ends that are being delivered. Inside the serializer only.
  final var endings = TerminationTrampoline()
  /// The serializer that delivers around this one on the same thread.
  private let outerDelivery = Atomic<UInt>(0)

  /// The stream of the serializer's root, for messages.
  var rootStream: StreamIdentity? { nil }

  /// Whether nothing more can be delivered here.
  var isOver: Bool { false }

  /// The first observer after the root, for messages. Inside the serializer only.
  var firstObserver: AnyObserver? { nil }

  /// Enters in order to deliver. Returns false if the serializer ended during the wait.
  ///
  /// - Parameter owner: an address in the frame of the send.
  @inline(__always)
  final func enter(_ owner: UInt) -> Bool {
    if tryEnter(owner) { return true }
    return enterSlowly(owner)
  }

  /// Enters when its turn has come, even after the end. Returns false if the calling thread is
  /// already inside.
  @inline(__always)
  final func enterAlways(_ owner: UInt) -> Bool {
    if tryEnter(owner) { return true }
    return enterAlwaysSlowly(owner)
  }

  @inline(never)
  private func enterAlwaysSlowly(_ owner: UInt) -> Bool {
    var recorded = RecordedWait()
    defer { recorded.end() }
    while !isMine {
      wait(.delivery, &recorded) { [self] in ownerAddress != 0 }
      if tryEnter(owner) { return true }
    }
    return false
  }

  /// Leaves, after performing the deferred actions that were left meanwhile.
  @inline(__always)
  final func leave(_ owner: UInt) {
    if word.compareExchange(
      expected: owner, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed
    ).exchanged {
      return
    }
    leaveSlowly()
  }

  /// Enters if no thread is inside.
  @inline(__always)
  final func tryEnter(_ owner: UInt) -> Bool {
    word.compareExchange(
      expected: 0, desired: owner, successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged
  }

  /// Notes that this serializer is delivering on the calling thread, which is inside it.
  @inline(__always)
  final func beginDelivery() {
    outerDelivery.store(UInt(bitPattern: vv_delivery_current()), ordering: .relaxed)
    vv_delivery_set(Unmanaged.passUnretained(self).toOpaque())
  }

  /// Notes that this serializer is no longer delivering.
  @inline(__always)
  final func endDelivery() {
    vv_delivery_set(UnsafeRawPointer(bitPattern: outerDelivery.load(ordering: .relaxed)))
  }

  /// The serializers that are delivering on the calling thread, outermost first.
  static var delivering: [Serializer] {
    var serializers: [Serializer] = []
    var pointer = vv_delivery_current()
    while let current = pointer {
      let serializer = Unmanaged<Serializer>.fromOpaque(current).takeUnretainedValue()
      serializers.append(serializer)
      pointer = UnsafeRawPointer(bitPattern: serializer.outerDelivery.load(ordering: .relaxed))
    }
    return serializers.reversed()
  }

  /// Whether a deferred action was left or a thread waits, for senders that stay inside for many
  /// values.
  @inline(__always)
  final var isWanted: Bool { word.load(ordering: .relaxed) & Self.flags != 0 }

  /// Whether the calling thread is inside.
  final var isMine: Bool {
    let owner = ownerAddress
    return owner != 0 && vv_thread_owns(owner)
  }

  /// The address in the frame of the send that is inside, or 0.
  final var ownerAddress: UInt { word.load(ordering: .relaxed) & ~Self.flags }

  /// Performs an action inside: now if no thread is there, otherwise by the thread that is.
  final func perform(_ action: DeferredAction) {
    let owner = vv_frame_address()
    if tryEnter(owner) {
      action.run()
      leave(owner)
      action.afterwards()
      return
    }
    action.noteAuthor()
    push(action)
    summon(owner)
  }

  /// Leaves an action to be performed when the caller, which is inside, leaves the serializer.
  final func performOnLeaving(_ action: DeferredAction) {
    push(action)
    // The same thread will leave, so its own steps need no ordering.
    _ = word.bitwiseOr(Self.hasActions, ordering: .relaxed)
  }

  /// Notes that a waiter sleeps, unless the serializer has changed hands; returns whether it may
  /// sleep.
  final func promiseToCall(ifInside inside: UInt) -> Bool {
    if inside & Self.hasWaiters != 0 { return word.load(ordering: .relaxed) == inside }
    return word.compareExchange(
      expected: inside, desired: inside | Self.hasWaiters, ordering: .relaxed
    ).exchanged
  }

  /// Waits while a thread is inside and `isBusy` says that the caller has to; may return early.
  ///
  /// - Parameter recorded: the wait as it is recorded, if the thread has to sleep.
  final func wait(
    _ reason: WaitReason, _ recorded: inout RecordedWait, while isBusy: @escaping () -> Bool
  ) {
    for _ in 0..<100 {
      guard isBusy() else { return }
      vv_pause()
    }
    let inside = word.load(ordering: .relaxed)
    guard inside != 0 else { return }
    recorded.begin(reason, for: rootStream)
    WaitForGraph.wait(for: self, whileInside: inside, and: isBusy)
  }

  /// Ensures that the deferred actions that were pushed are performed.
  private func summon(_ owner: UInt) {
    while true {
      let inside = word.load(ordering: .relaxed)
      if inside == 0 {
        if tryEnter(owner) { return leaveSlowly(hasWork: true) }
      } else if word.compareExchange(
        expected: inside, desired: inside | Self.hasActions,
        // Publishes the deferred action: the thread that clears the flag, an acquiring operation,
        // finds the action in the list. Otherwise it might find the list empty and the flag
        // cleared, and no thread would look again.
        successOrdering: .releasing, failureOrdering: .relaxed
      ).exchanged {
        return
      }
    }
  }

  private func push(_ action: DeferredAction) {
    let new = UInt(bitPattern: Unmanaged.passRetained(action).toOpaque())
    action.noteCause()
    var old = actions.load(ordering: .relaxed)
    while true {
      action.older = old
      let (exchanged, current) = actions.weakCompareExchange(
        expected: old, desired: new, successOrdering: .releasing, failureOrdering: .relaxed)
      if exchanged { return }
      old = current
    }
  }

  /// Removes and returns all deferred actions, oldest first.
  private func takeActions() -> [DeferredAction] {
    var newest = actions.exchange(0, ordering: .acquiring)
    var taken: [DeferredAction] = []
    while let pointer = UnsafeRawPointer(bitPattern: newest) {
      let action = Unmanaged<DeferredAction>.fromOpaque(pointer).takeRetainedValue()
      newest = action.older
      taken.append(action)
    }
    taken.reverse()
    return taken
  }

  @inline(never)
  private func leaveSlowly(hasWork: Bool = false) {
    var done: [DeferredAction] = []
    var mayHaveActions = hasWork
    while true {
      let inside = word.load(ordering: .relaxed)
      if mayHaveActions || inside & Self.hasActions != 0 {
        mayHaveActions = false
        _ = word.bitwiseAnd(~Self.hasActions, ordering: .acquiringAndReleasing)
        for action in takeActions() {
          action.attributed { action.run() }
          if !action.isDoneInside { done.append(action) }
        }
      } else if word.compareExchange(
        expected: inside, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed
      ).exchanged {
        if inside & Self.hasWaiters != 0 { WaitForGraph.callAll() }
        break
      }
    }
    for action in done { action.attributed { action.afterwards() } }
  }

  @inline(never)
  private func enterSlowly(_ owner: UInt) -> Bool {
    var tries = 0
    var recorded = RecordedWait()
    defer { recorded.end() }
    while true {
      if isOver { return false }
      let inside = word.load(ordering: .relaxed)
      if inside == 0 {
        if tryEnter(owner) { return true }
        continue
      }
      if vv_thread_owns(inside & ~Self.flags) {
        RecursionReport.stop(serializer: self, outer: inside & ~Self.flags)
      }
      tries += 1
      if tries < 100 {
        vv_pause()
      } else {
        recorded.begin(.delivery, for: rootStream)
        WaitForGraph.wait(for: self, whileInside: inside) { [self] in !isOver }
        tries = 0
      }
    }
  }
}
