internal import CVarveSystem
internal import Synchronization

/// One observation of a signal: the disposable that `observe` returns.
final class Subscription: RunMember, Disposable, @unchecked Sendable {
  // Safety: `sink`, `index` and `introducedIn` are touched only inside the observer list's
  // serializer, but for `init`, and by who turned `isGone` before the observer list knew the
  // subscription; the rest is atomic or immutable.
  private let observers: ObserverList
  /// Who observes; nil after the end.
  private(set) var sink: AnyObserver?
  /// The subscription's index in the observer list, which alone uses it.
  @exclusivity(unchecked) var index = 0
  /// The subscription's number, which records bear.
  let number: UInt64
  /// The stack of the code that observes, when stacks are recorded; 0 when none was taken.
  let stack: UInt32
  /// The recording that knows the subscription; changed by the observer list, inside the serializer.
  var introducedIn: UInt32 = 0
  private let isGone = Atomic<Bool>(false)

  init(to observers: ObserverList, from sink: AnyObserver) {
    self.observers = observers
    self.sink = sink
    let feed = sink.feed
    number = feed != 0 ? feed : vv_edge_number()
    stack = Stacks.currentIfRecorded
  }

  /// A number that no other subscription of the process has.
  static func newNumber() -> UInt64 { vv_edge_number() }

  /// Whether the observer is, or is about to be, detached.
  var isDisposed: Bool { isGone.load(ordering: .acquiring) }

  /// Attaches the observer; false when the signal has ended, and the observer was interrupted.
  @discardableResult
  func attach() -> Bool {
    // Who comes too late need not wait for what is delivered upstream.
    if observers.hasEnded {
      guard !isGone.exchange(true, ordering: .acquiringAndReleasing) else { return false }
      takeSink()?.interrupt()
      return false
    }
    let serializer = observers.serializer
    let owner = vv_frame_address()
    guard serializer.tryEnter(owner) else {
      serializer.perform(Attachment(self, observers))
      return true
    }
    let late = observers.insert(self)
    serializer.leave(owner)
    late?.interrupt()
    return late == nil
  }

  /// Attaches a stage whose output is a signal in the same serializer. When the signal has ended,
  /// the stage is interrupted inside: it ends that output.
  func attachStage() {
    let serializer = observers.serializer
    let owner = vv_frame_address()
    guard serializer.tryEnter(owner) else {
      let action = DeferredClosure(inside: { [self] in observers.insert(self)?.interrupt() })
      return serializer.perform(action)
    }
    let late = observers.insert(self)
    late?.interrupt()
    serializer.leave(owner)
    // Released outside: its deinitialiser may run user code.
    withExtendedLifetime(late) {}
  }

  /// Detaches the observer without telling it. No event whose send begins after this returns is
  /// delivered to it.
  func dispose() {
    guard !isGone.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let serializer = observers.serializer
    let owner = vv_frame_address()
    if serializer.tryEnter(owner) {
      // Released after leaving: its deinitialiser may run user code.
      let sink = observers.remove(self)
      serializer.leave(owner)
      return withExtendedLifetime(sink) {}
    }
    serializer.perform(Detachment(self, observers, interrupting: false))
  }

  /// Ends the observation with `interrupted`: how a producer made of a signal is disposed of.
  override func interrupt() {
    guard !isGone.exchange(true, ordering: .acquiringAndReleasing) else { return }
    observers.serializer.perform(Detachment(self, observers, interrupting: true))
  }

  override func interrupt(then next: @escaping () -> Void) {
    guard !isGone.exchange(true, ordering: .acquiringAndReleasing) else { return next() }
    observers.serializer.perform(Detachment(self, observers, interrupting: true, then: next))
  }

  /// Lets go of the observer; by the observer list, inside the serializer.
  func takeSink() -> AnyObserver? {
    isGone.store(true, ordering: .releasing)
    defer { sink = nil }
    return sink
  }
}

/// Attaches an observer inside the serializer, and interrupts outside one that came too late.
private final class Attachment: DeferredAction, @unchecked Sendable {
  // Safety: run and then dropped by one thread.
  private let subscription: Subscription
  private let observers: ObserverList
  private var late: AnyObserver?

  init(_ subscription: Subscription, _ observers: ObserverList) {
    self.subscription = subscription
    self.observers = observers
  }

  override func run() { late = observers.insert(subscription) }

  override func afterwards() {
    late?.interrupt()
    late = nil
  }
}

/// Detaches an observer inside the serializer; interrupts it, if it is to hear of that, and
/// releases it outside. Nobody else can reach it then, and that is no delivery of the signal's: it
/// may send there.
private final class Detachment: DeferredAction, @unchecked Sendable {
  // Safety: run and then dropped by one thread.
  private let subscription: Subscription
  private let observers: ObserverList
  private let interrupting: Bool
  private let next: (() -> Void)?
  private var sink: AnyObserver?

  init(
    _ subscription: Subscription, _ observers: ObserverList, interrupting: Bool,
    then next: (() -> Void)? = nil
  ) {
    self.subscription = subscription
    self.observers = observers
    self.interrupting = interrupting
    self.next = next
  }

  override func run() { sink = observers.remove(subscription) }

  override func afterwards() {
    if interrupting { sink?.interrupt() }
    sink = nil
    guard let next else { return }
    // The interruption took the cause that is recalled for a deferred action; what follows has the
    // same.
    if cause != 0 { attributed(next) } else { next() }
  }
}
