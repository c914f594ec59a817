internal import CVarveSystem
internal import Synchronization
internal import VarveProbe

/// One serialisation domain: a root, and everything downstream that takes its events in turn.
///
/// The event path has one compare-and-swap in and one out; stages and observers in the domain have
/// no lock of their own. Whoever wants something of a busy domain (to attach, to detach, to end it)
/// leaves an errand, and the one who leaves the domain does it: nobody waits but for sending a value.
class Domain: RunMember, @unchecked Sendable {
  // Safety: `word` decides who is inside. Everything else that changes is changed only inside.

  /// 0 when nobody is inside; else an address in the frame of the send that is inside, with flags
  /// in its lower four bits. The address tells whether that send is on the current thread's stack.
  private let word = Atomic<UInt>(0)
  /// Errands that were left, newest first.
  private let errands = Atomic<UInt>(0)

  private static let hasErrands: UInt = 1
  private static let hasWaiters: UInt = 2
  private static let flags: UInt = 15

  /// The gate's word as this domain last followed it. No atomic: it is compared with the gate for
  /// each event, and a compiler loads an atomic apart from comparing it.
  @exclusivity(unchecked) final var gate: UInt32 = 0
  /// The tick of the last record made in this domain: the next one's is greater.
  let lastTick = Atomic<UInt64>(0)
  /// The edge through which the value came that is being delivered; a run's number for a source.
  let feed = Atomic<UInt64>(0)
  /// The ends of signals that are being delivered. Inside the domain.
  final var endings = NestedEndings()
  /// The domain that delivers around this one on the same thread.
  private let outerDelivery = Atomic<UInt>(0)

  /// The stream that the domain's root is, for messages.
  var rootStream: StreamIdentity? { nil }

  /// Whether nothing can be delivered here any more.
  var isOver: Bool { false }

  /// The first observer behind the root, for messages. Inside the domain.
  var firstObserver: AnyObserver? { nil }

  /// Enters in order to deliver. False when the domain ended while waiting.
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

  /// Leaves, after the errands that were left meanwhile.
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

  /// Notes that this domain delivers on the calling thread, which is inside it.
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

  /// The domains that deliver on the calling thread, outermost first.
  static var delivering: [Domain] {
    var domains: [Domain] = []
    var pointer = vv_delivery_current()
    while let current = pointer {
      let domain = Unmanaged<Domain>.fromOpaque(current).takeUnretainedValue()
      domains.append(domain)
      pointer = UnsafeRawPointer(bitPattern: domain.outerDelivery.load(ordering: .relaxed))
    }
    return domains.reversed()
  }

  /// Whether somebody left an errand or waits, for those who stay inside for many values.
  @inline(__always)
  final var isWanted: Bool { word.load(ordering: .relaxed) & Self.flags != 0 }

  /// Whether the calling thread is inside.
  final var isMine: Bool {
    let owner = ownerAddress
    return owner != 0 && vv_thread_owns(owner)
  }

  /// The address in the frame of the send that is inside, or 0.
  final var ownerAddress: UInt { word.load(ordering: .relaxed) & ~Self.flags }

  /// Does the errand inside: now when nobody is there, else by the one who is.
  final func perform(_ errand: Errand) {
    let owner = vv_frame_address()
    if tryEnter(owner) {
      errand.run()
      leave(owner)
      errand.afterwards()
      return
    }
    push(errand)
    summon(owner)
  }

  /// Leaves an errand for the moment when the domain, which the caller is inside, is left.
  final func performOnLeaving(_ errand: Errand) {
    push(errand)
    // The thread that leaves is this one, which needs no order between its own steps.
    _ = word.bitwiseOr(Self.hasErrands, ordering: .relaxed)
  }

  /// Says that a waiter sleeps, unless the domain has changed hands; true when it may sleep.
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
    if inside != 0 { WaitingRoom.wait(for: self, whileInside: inside, and: isBusy) }
  }

  /// Makes sure that somebody runs the errands that were pushed.
  private func summon(_ owner: UInt) {
    while true {
      let inside = word.load(ordering: .relaxed)
      if inside == 0 {
        if tryEnter(owner) { return leaveSlowly(hasWork: true) }
      } else if word.compareExchange(
        expected: inside, desired: inside | Self.hasErrands,
        // Publishes the errand: whoever takes the flag, which acquires, finds it among the errands.
        // Else it might find none there, with the flag gone, and nobody would look again.
        successOrdering: .releasing, failureOrdering: .relaxed
      ).exchanged {
        return
      }
    }
  }

  private func push(_ errand: Errand) {
    let new = UInt(bitPattern: Unmanaged.passRetained(errand).toOpaque())
    errand.noteCause()
    var old = errands.load(ordering: .relaxed)
    while true {
      errand.older = old
      let (exchanged, current) = errands.weakCompareExchange(
        expected: old, desired: new, successOrdering: .releasing, failureOrdering: .relaxed)
      if exchanged { return }
      old = current
    }
  }

  /// All errands that were left, oldest first.
  private func takeErrands() -> [Errand] {
    var newest = errands.exchange(0, ordering: .acquiring)
    var taken: [Errand] = []
    while let pointer = UnsafeRawPointer(bitPattern: newest) {
      let errand = Unmanaged<Errand>.fromOpaque(pointer).takeRetainedValue()
      newest = errand.older
      taken.append(errand)
    }
    taken.reverse()
    return taken
  }

  @inline(never)
  private func leaveSlowly(hasWork: Bool = false) {
    var done: [Errand] = []
    var mayHaveErrands = hasWork
    while true {
      let inside = word.load(ordering: .relaxed)
      if mayHaveErrands || inside & Self.hasErrands != 0 {
        mayHaveErrands = false
        _ = word.bitwiseAnd(~Self.hasErrands, ordering: .acquiringAndReleasing)
        for errand in takeErrands() {
          errand.attributed { errand.run() }
          if !errand.isDoneInside { done.append(errand) }
        }
      } else if word.compareExchange(
        expected: inside, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed
      ).exchanged {
        if inside & Self.hasWaiters != 0 { WaitingRoom.callAll() }
        break
      }
    }
    for errand in done { errand.attributed { errand.afterwards() } }
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
        RecursionReport.stop(domain: self, outer: inside & ~Self.flags)
      }
      tries += 1
      if tries < 100 {
        vv_pause()
      } else {
        WaitingRoom.wait(for: self, whileInside: inside) { [self] in !isOver }
        tries = 0
      }
    }
  }
}
