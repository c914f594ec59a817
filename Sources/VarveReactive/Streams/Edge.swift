internal import CVarveSystem
internal import Synchronization

/// One observation of a signal: the disposable that `observe` returns.
final class Edge: RunMember, Disposable, @unchecked Sendable {
  // Safety: `sink`, `place` and `introducedIn` are touched only inside the audience's domain, but for
  // `init`, and by who turned `isGone` before the audience knew the edge; the rest is atomic or immutable.
  private let audience: Audience
  /// Who observes; nil after the end.
  private(set) var sink: AnyObserver?
  /// Where the audience finds the edge; the audience's.
  @exclusivity(unchecked) var place = 0
  /// The edge's number, which records bear.
  let number: UInt64
  /// The stack of the code that observes, when stacks are recorded; 0 when none was taken.
  let stack: UInt32
  /// The recording that knows the edge; changed by the audience, inside the domain.
  var introducedIn: UInt32 = 0
  private let isGone = Atomic<Bool>(false)

  init(to audience: Audience, from sink: AnyObserver) {
    self.audience = audience
    self.sink = sink
    let feed = sink.feed
    number = feed != 0 ? feed : vv_edge_number()
    stack = Stacks.currentIfRecorded
  }

  /// A number that no other edge of the process has.
  static func newNumber() -> UInt64 { vv_edge_number() }

  /// Whether the observer is, or is about to be, detached.
  var isDisposed: Bool { isGone.load(ordering: .acquiring) }

  /// Attaches the observer; false when the signal has ended, and the observer was interrupted.
  @discardableResult
  func attach() -> Bool {
    // Who comes too late need not wait for what is delivered upstream.
    if audience.hasEnded {
      guard !isGone.exchange(true, ordering: .acquiringAndReleasing) else { return false }
      takeSink()?.interrupt()
      return false
    }
    let domain = audience.domain
    let owner = vv_frame_address()
    guard domain.tryEnter(owner) else {
      domain.perform(Attachment(self, audience))
      return true
    }
    let late = audience.insert(self)
    domain.leave(owner)
    late?.interrupt()
    return late == nil
  }

  /// Attaches a stage whose output is a signal in the same domain. When the signal has ended, the stage
  /// is interrupted inside: it ends that output.
  func attachStage() {
    let domain = audience.domain
    let owner = vv_frame_address()
    guard domain.tryEnter(owner) else {
      let errand = ClosureErrand(inside: { [self] in audience.insert(self)?.interrupt() })
      return domain.perform(errand)
    }
    let late = audience.insert(self)
    late?.interrupt()
    domain.leave(owner)
    // Released outside: its deinitialiser may run user code.
    withExtendedLifetime(late) {}
  }

  /// Detaches the observer without telling it. No event whose send begins after this returns is
  /// delivered to it.
  func dispose() {
    guard !isGone.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let domain = audience.domain
    let owner = vv_frame_address()
    if domain.tryEnter(owner) {
      // Released after leaving: its deinitialiser may run user code.
      let sink = audience.remove(self)
      domain.leave(owner)
      return withExtendedLifetime(sink) {}
    }
    domain.perform(Detachment(self, audience, interrupting: false))
  }

  /// Ends the observation with `interrupted`: how a producer made of a signal is disposed of.
  override func interrupt() {
    guard !isGone.exchange(true, ordering: .acquiringAndReleasing) else { return }
    audience.domain.perform(Detachment(self, audience, interrupting: true))
  }

  override func interrupt(then next: @escaping () -> Void) {
    guard !isGone.exchange(true, ordering: .acquiringAndReleasing) else { return next() }
    audience.domain.perform(Detachment(self, audience, interrupting: true, then: next))
  }

  /// Lets go of the observer; by the audience, inside the domain.
  func takeSink() -> AnyObserver? {
    isGone.store(true, ordering: .releasing)
    defer { sink = nil }
    return sink
  }
}

/// Attaches an observer inside the domain, and interrupts outside one that came too late.
private final class Attachment: Errand, @unchecked Sendable {
  // Safety: run and then dropped by one thread.
  private let edge: Edge
  private let audience: Audience
  private var late: AnyObserver?

  init(_ edge: Edge, _ audience: Audience) {
    self.edge = edge
    self.audience = audience
  }

  override func run() { late = audience.insert(edge) }

  override func afterwards() {
    late?.interrupt()
    late = nil
  }
}

/// Detaches an observer inside the domain; interrupts it, if it is to hear of that, and releases it
/// outside. Nobody else can reach it then, and that is no delivery of the signal's: it may send there.
private final class Detachment: Errand, @unchecked Sendable {
  // Safety: run and then dropped by one thread.
  private let edge: Edge
  private let audience: Audience
  private let interrupting: Bool
  private let next: (() -> Void)?
  private var sink: AnyObserver?

  init(
    _ edge: Edge, _ audience: Audience, interrupting: Bool, then next: (() -> Void)? = nil
  ) {
    self.edge = edge
    self.audience = audience
    self.interrupting = interrupting
    self.next = next
  }

  override func run() { sink = audience.remove(edge) }

  override func afterwards() {
    if interrupting { sink?.interrupt() }
    sink = nil
    guard let next else { return }
    // The interruption took the cause that is recalled for an errand; what follows has the same.
    if cause != 0 { attributed(next) } else { next() }
  }
}
