internal import CVarveSystem
internal import Synchronization
internal import VarveProbe

/// Lets one thread at a time in: into a root, and into everything downstream that takes its events in
/// turn.
///
/// The event path has one compare-and-swap in and one out; stages and observers in the serializer
/// have no lock of their own. Whoever wants something of a busy serializer (to attach, to detach,
/// to end it) leaves a deferred action, and the one who leaves the serializer does it: nobody waits
/// but for sending a value.
class Serializer: RunMember, @unchecked Sendable {
  // Safety: `word` decides who is inside. Everything else that changes is changed only inside.

  /// 0 when nobody is inside; else an address in the frame of the send that is inside, with flags
  /// in its lower four bits. The address tells whether that send is on the current thread's stack.
  private let word = Atomic<UInt>(0)
  /// Errands that were left, newest first.
  private let actions = Atomic<UInt>(0)

  private static let hasActions: UInt = 1
  private static let hasWaiters: UInt = 2
  private static let flags: UInt = 15

  /// The gate's word as this serializer last followed it. No atomic: it is compared with the gate for
  /// each event, and a compiler loads an atomic apart from comparing it.
  @exclusivity(unchecked) final var gate: UInt32 = 0
  /// The tick of the last record made in this serializer: the next one's is greater.
  let lastTick = Atomic<UInt64>(0)
  /// The subscription through which the value came that is being delivered; a run's number for a
  /// source.
  let feed = Atomic<UInt64>(0)
  /// The ends of signals that are being delivered. Inside the serializer.
  final var endings = TerminationTrampoline()
  /// The serializer that delivers around this one on the same thread.
  private let outerDelivery = Atomic<UInt>(0)

  /// The stream that the serializer's root is, for messages.
  var rootStream: StreamIdentity? { nil }

  /// Whether nothing can be delivered here any more.
  var isOver: Bool { false }

  /// The first observer behind the root, for messages. Inside the serializer.
  var firstObserver: AnyObserver? { nil }

  /// Enters in order to deliver. False when the serializer ended while waiting.
  ///
  /// - Parameter owner: an address in the frame of the send.
  @inline(__always)
  final func enter(_ owner: UInt) -> Bool {
    if tryEnter(owner) { return true }
    return enterSlowly(owner)
  }

  /// Enters, when its turn has come, also after the end; false when the calling thread is inside
  /// already.
  @inline(__always)
  final func enterAlways(_ owner: UInt) -> Bool {
    if tryEnter(owner) { return true }
    return enterAlwaysSlowly(owner)
  }

  @inline(never)
  private func enterAlwaysSlowly(_ owner: UInt) -> Bool {
    while !isMine {
      wait { [self] in ownerAddress != 0 }
      if tryEnter(owner) { return true }
    }
    return false
  }

  /// Leaves, after the deferred actions that were left meanwhile.
  @inline(__always)
  final func leave(_ owner: UInt) {
    if word.compareExchange(
      expected: owner, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed
    ).exchanged {
      return
    }
    leaveSlowly()
  }

  /// Enters if nobody is inside.
  @inline(__always)
  final func tryEnter(_ owner: UInt) -> Bool {
    word.compareExchange(
      expected: 0, desired: owner, successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged
  }

  /// Notes that this serializer delivers on the calling thread, which is inside it.
  @inline(__always)
  final func beginDelivery() {
    outerDelivery.store(UInt(bitPattern: vv_delivery_current()), ordering: .relaxed)
    vv_delivery_set(Unmanaged.passUnretained(self).toOpaque())
  }

  /// Notes that it no longer does.
  @inline(__always)
  final func endDelivery() {
    vv_delivery_set(UnsafeRawPointer(bitPattern: outerDelivery.load(ordering: .relaxed)))
  }

  /// The serializers that deliver on the calling thread, outermost first.
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

  /// Whether somebody left a deferred action or waits, for those who stay inside for many values.
  @inline(__always)
  final var isWanted: Bool { word.load(ordering: .relaxed) & Self.flags != 0 }

  /// Whether the calling thread is inside.
  final var isMine: Bool {
    let owner = ownerAddress
    return owner != 0 && vv_thread_owns(owner)
  }

  /// The address in the frame of the send that is inside, or 0.
  final var ownerAddress: UInt { word.load(ordering: .relaxed) & ~Self.flags }

  /// Does the deferred action inside: now when nobody is there, else by the one who is.
  final func perform(_ action: DeferredAction) {
    let owner = vv_frame_address()
    if tryEnter(owner) {
      action.run()
      leave(owner)
      action.afterwards()
      return
    }
    push(action)
    summon(owner)
  }

  /// Leaves a deferred action for the moment when the serializer, which the caller is inside, is left.
  final func performOnLeaving(_ action: DeferredAction) {
    push(action)
    // The thread that leaves is this one, which needs no order between its own steps.
    _ = word.bitwiseOr(Self.hasActions, ordering: .relaxed)
  }

  /// Says that a waiter sleeps, unless the serializer has changed hands; true when it may sleep.
  final func promiseToCall(ifInside inside: UInt) -> Bool {
    if inside & Self.hasWaiters != 0 { return word.load(ordering: .relaxed) == inside }
    return word.compareExchange(
      expected: inside, desired: inside | Self.hasWaiters, ordering: .relaxed
    ).exchanged
  }

  /// Waits while somebody is inside and `isBusy` says that the caller has to; returns early rather
  /// than late.
  final func wait(while isBusy: @escaping () -> Bool) {
    for _ in 0..<100 {
      guard isBusy() else { return }
      vv_pause()
    }
    let inside = word.load(ordering: .relaxed)
    if inside != 0 { WaitForGraph.wait(for: self, whileInside: inside, and: isBusy) }
  }

  /// Makes sure that somebody runs the deferred actions that were pushed.
  private func summon(_ owner: UInt) {
    while true {
      let inside = word.load(ordering: .relaxed)
      if inside == 0 {
        if tryEnter(owner) { return leaveSlowly(hasWork: true) }
      } else if word.compareExchange(
        expected: inside, desired: inside | Self.hasActions,
        // Publishes the deferred action: whoever takes the flag, which acquires, finds it among the
        // deferred actions. Else it might find none there, with the flag gone, and nobody would
        // look again.
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

  /// All deferred actions that were left, oldest first.
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
        WaitForGraph.wait(for: self, whileInside: inside) { [self] in !isOver }
        tries = 0
      }
    }
  }
}
