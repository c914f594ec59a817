internal import CVarveSystem
internal import Synchronization
internal import VarveProbe

/// One observation of a signal: the disposable that `observe` returns.
class Edge: RunMember, Disposable, @unchecked Sendable {
  // Safety: `isGone` is atomic; subclasses change the rest inside the signal's domain.

  /// Whether the observer is, or is about to be, detached.
  fileprivate let isGone = Atomic<Bool>(false)

  /// A number that no other edge of the process has.
  static func newNumber() -> UInt64 { vv_edge_number() }

  /// Whether the observation has ended.
  final var isDisposed: Bool { isGone.load(ordering: .acquiring) }

  /// Detaches the observer without telling it.
  func dispose() {}
}

/// An observation of a signal of known types.
final class Observation<Value, Failure: Error>: Edge, @unchecked Sendable {
  // Safety: `sink` and `isAttached` are touched only inside the domain of the fan-out, but for
  // `init`.
  private let fanOut: FanOut<Value, Failure>
  /// Who observes; nil after the end.
  private(set) var sink: Observer<Value, Failure>?
  let number: UInt64

  init(of fanOut: FanOut<Value, Failure>, by sink: Observer<Value, Failure>) {
    self.fanOut = fanOut
    self.sink = sink
    let feed = sink.feed
    number = feed != 0 ? feed : vv_edge_number()
  }

  /// Attaches the observer; false when the signal has ended, and the observer was interrupted.
  @discardableResult
  func attach() -> Bool {
    let domain = fanOut.domain
    let owner = vv_frame_address()
    if domain.tryEnter(owner) {
      fanOut.insert(self)
      let isAttached = sink != nil
      domain.leave(owner)
      return isAttached
    }
    domain.perform(ClosureErrand(inside: { [self] in fanOut.insert(self) }))
    return true
  }

  override func dispose() {
    guard !isGone.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let domain = fanOut.domain
    let owner = vv_frame_address()
    if domain.tryEnter(owner) {
      let sink = fanOut.remove(self)
      domain.leave(owner)
      _ = sink  // released outside, where its deinitialiser may run user code
      return
    }
    domain.perform(Detachment(self, fanOut))
  }

  /// Ends the observation with `interrupted`: how a producer made of a signal is disposed of.
  override func interrupt() {
    guard !isGone.exchange(true, ordering: .acquiringAndReleasing) else { return }
    fanOut.domain.perform(Detachment(self, fanOut, interrupting: true))
  }

  /// Lets go of the observer; by the fan-out, inside the domain.
  func takeSink() -> Observer<Value, Failure>? {
    isGone.store(true, ordering: .releasing)
    defer { sink = nil }
    return sink
  }
}

/// Detaches an observer inside the domain and releases it outside.
private final class Detachment<Value, Failure: Error>: Errand, @unchecked Sendable {
  // Safety: run and then dropped by one thread.
  private let edge: Observation<Value, Failure>
  private let fanOut: FanOut<Value, Failure>
  private let interrupting: Bool
  private var sink: Observer<Value, Failure>?

  init(
    _ edge: Observation<Value, Failure>, _ fanOut: FanOut<Value, Failure>,
    interrupting: Bool = false
  ) {
    self.edge = edge
    self.fanOut = fanOut
    self.interrupting = interrupting
  }

  override func run() {
    sink = fanOut.remove(edge)
    if interrupting { sink?.terminate(.interrupted) }
  }

  override func afterwards() { sink = nil }
}
