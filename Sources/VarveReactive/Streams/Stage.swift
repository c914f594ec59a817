internal import CVarveSystem
internal import Synchronization
internal import VarveProbe

/// An operator at work on one stream: takes the events of its input, delivers those of its output.
///
/// It runs inside the domain of the root upstream and has no lock. What follows it may be another
/// stage (in a started producer) or the fan-out of a signal: it does not know.
class Stage<Input, InputFailure: Error, Output, OutputFailure: Error>:
  Observer<Input, InputFailure>
{
  private final let downstream: Observer<Output, OutputFailure>
  /// Who receives next: `downstream`, or the tap in front of it; 0 after the end.
  private final let next: Atomic<UInt>
  private final var tap: Observer<Output, OutputFailure>?
  private final let origin: Origin
  private final let number = vv_edge_number()

  init(into downstream: Observer<Output, OutputFailure>, _ origin: Origin) {
    self.downstream = downstream
    self.origin = origin
    next = Atomic(Link.word(downstream))
  }

  /// Delivers a value of the output.
  @inline(__always)
  final func forward(_ value: Output) {
    Link.deliver(
      value, to: next.load(ordering: .relaxed), Observer<Output, OutputFailure>.self)
  }

  /// Ends the output. Nothing is delivered afterwards.
  final func finish(_ termination: Termination<OutputFailure>) {
    let last = next.exchange(0, ordering: .relaxed)
    Link.deliver(termination, to: last, Observer<Output, OutputFailure>.self)
  }

  /// Completes the output.
  ///
  /// Apart from `finish`, and not inlined, because a function in which a termination is made looks
  /// up its type on entry, and the function that calls this runs for each value.
  @inline(never)
  final func succeed() { finish(.completed) }

  /// Fails the output. See `succeed()`.
  @inline(never)
  final func fail(_ failure: OutputFailure) { finish(.failed(failure)) }

  /// Whether the output has ended.
  final var isFinished: Bool { next.load(ordering: .relaxed) == 0 }

  override final var hasEnough: Bool { isFinished || downstream.hasEnough }

  override final var fedStream: UInt32 { origin.identity.id }
  override final var fedIdentity: StreamIdentity? { origin.identity }
  override final var passesTo: AnyObserver? { downstream }
  override final var feed: UInt64 { number }
  override final var startedBy: UInt32 { downstream.startedBy }

  override final var absorption: (UInt32, AbsorptionReason)? {
    let identity = origin.identity
    // Of a stream that is not recorded as a whole, silence says nothing.
    guard identity.verdict(for: Gate.word).oneIn == 1 else { return nil }
    return identity.operation.absorbs.map { (identity.id, $0) }
  }

  override final func follow(_ gate: UInt32) {
    guard !isFinished else { return }
    tap = Tap.make(
      for: origin, feed: number, in: nil, delivering: downstream, gate: gate, after: tap)
    next.store(Link.word(tap ?? downstream), ordering: .relaxed)
    downstream.follow(gate)
  }
}

/// A stage that ends as its input ends.
class ForwardingStage<Input, Output, Failure: Error>: Stage<Input, Failure, Output, Failure> {
  override func terminate(_ termination: Termination<Failure>) { finish(termination) }
}
