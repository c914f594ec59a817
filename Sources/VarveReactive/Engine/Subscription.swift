internal import CVarveSystem
internal import Synchronization

/// One observation of a signal: the disposable that `observe` returns.
final class Subscription: RunMember, Disposable, @unchecked Sendable {
  // Safety: `sink`, `index` and `introducedIn` are touched only inside the observer list's
  // serializer, except by `init` and by the thread that set `isGone` before the observer list knew
  // the subscription; the rest is atomic or immutable.
  private let observers: ObserverList
  /// The observer; nil after the end.
  private(set) var sink: AnyObserver?
  /// The subscription's index in the observer list, for use by that list only.
  @exclusivity(unchecked) var index = 0
  /// The number that identifies the subscription in records.
  let number: UInt64
  /// The stack of the observing code if stacks are recorded; 0 when none was taken.
  let stack: UInt32
  /// The recording that knows the subscription. The observer list changes it inside the serializer.
  var introducedIn: UInt32 = 0
  private let isGone = Atomic<Bool>(false)

  init(to observers: ObserverList, from sink: AnyObserver) {
    self.observers = observers
    self.sink = sink
    let feed = sink.feed
    number = feed != 0 ? feed : vv_subscription_number()
    stack = Stacks.currentIfRecorded
  }

  /// Returns a number that no other subscription of the process has.
  static func newNumber() -> UInt64 { vv_subscription_number() }

  /// Whether the observer is detached or about to be.
  var isDisposed: Bool { isGone.load(ordering: .acquiring) }

  /// Attaches the observer. Returns false if the signal has ended and the observer was interrupted.
  @discardableResult
  func attach() -> Bool {
    // A late observer does not wait for a delivery upstream.
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

  /// Attaches a stage whose output is a signal in the same serializer. If the signal has ended, the
  /// stage is interrupted inside, which ends its output.
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
    // Released outside, because its deinitializer may run user code.
    withExtendedLifetime(late) {}
  }

  /// Detaches the observer without notifying it. No event whose send begins after this call returns
  /// is delivered to it.
  func dispose() {
    guard !isGone.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let serializer = observers.serializer
    let owner = vv_frame_address()
    if serializer.tryEnter(owner) {
      // Released after leaving, because its deinitializer may run user code.
      let sink = observers.remove(self)
      serializer.leave(owner)
      return withExtendedLifetime(sink) {}
    }
    serializer.perform(Detachment(self, observers, interrupting: false))
  }

  /// Ends the observation with `interrupted`, as when a producer made from a signal is disposed of.
  override func interrupt() {
    guard !isGone.exchange(true, ordering: .acquiringAndReleasing) else { return }
    observers.serializer.perform(Detachment(self, observers, interrupting: true))
  }

  override func interrupt(then next: @escaping () -> Void) {
    guard !isGone.exchange(true, ordering: .acquiringAndReleasing) else { return next() }
    observers.serializer.perform(Detachment(self, observers, interrupting: true, then: next))
  }

  /// Takes the observer out of the subscription. Called by the observer list, inside the
  /// serializer.
  func takeSink() -> AnyObserver? {
    isGone.store(true, ordering: .releasing)
    defer { sink = nil }
    return sink
  }
}

/// Attaches an observer inside the serializer; interrupts a late one outside.
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

/// Detaches an observer inside the serializer; interrupts it, if required, and releases it outside.
/// By then no other code can reach it, and the interruption is not a delivery of the signal, so the
/// observer may send there.
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
    // The interruption consumed the cause recalled for a deferred action; the continuation has the
    // same cause.
    if cause != 0 { attributed(next) } else { next() }
  }
}
