internal import CVarveSystem
internal import Synchronization
internal import VarveProbe

/// An operator at work on one stream: receives the events of its input and delivers those of its
/// output.
///
/// A subclass decides what becomes of a value: it is forwarded, put aside in a `Held`, or swallowed
/// for a reason. A stage runs inside the serializer of the root upstream and has no lock. It does
/// not know whether another stage (in a started producer) or the fan-out of a signal follows it.
class Stage<Input, InputFailure: Error, Output, OutputFailure: Error>:
  Observer<Input, InputFailure>
{
  // Safety: both are written once, by `link`, before the first event.
  @exclusivity(unchecked) private final var downstream: Observer<Output, OutputFailure>?
  @exclusivity(unchecked) private final var stream: StreamReference?
  /// The next observer: `downstream`, or the tap in front of it; 0 after the end.
  private final let next = Atomic<UInt>(0)
  private final var tap: Observer<Output, OutputFailure>?
  private final let number = vv_subscription_number()

  override init() { super.init() }

  /// Sets the observer that follows and the stream that the output is, if any, before the first
  /// event.
  final func link(into downstream: Observer<Output, OutputFailure>, as stream: StreamReference?) {
    self.downstream = downstream
    self.stream = stream
    next.store(Link.word(downstream), ordering: .relaxed)
  }

  // MARK: - What becomes of a value

  /// Delivers an output value.
  @inline(__always)
  final func forward(_ value: Output) {
    Link.deliver(
      value, to: next.load(ordering: .relaxed), Observer<Output, OutputFailure>.self)
  }

  /// Records that the current value goes no further, and why.
  @inline(__always)
  final func swallow(_ reason: Absorption) {
    if InputAccount.isKept { account?.swallow(reason) }
  }

  /// The account of the input's values, for those that were put aside.
  final var account: InputAccount? { stream.map { InputAccount(of: $0, from: number) } }

  // MARK: - The end

  /// Ends the output. Nothing is delivered afterwards.
  final func finish(_ termination: Termination<OutputFailure>) {
    let last = next.exchange(0, ordering: .relaxed)
    Link.deliver(termination, to: last, Observer<Output, OutputFailure>.self)
  }

  /// Completes the output.
  ///
  /// Separate from `finish` and not inlined, because a function that makes a termination looks up
  /// its type on entry, and the function that calls this one runs for each value.
  @inline(never)
  final func succeed() { finish(.completed) }

  /// Fails the output. See `succeed()`.
  @inline(never)
  final func fail(_ failure: OutputFailure) { finish(.failed(failure)) }

  /// Whether the output has ended.
  final var isFinished: Bool { next.load(ordering: .relaxed) == 0 }

  // MARK: - The stream

  /// The log of the output, for operators that write to it.
  final var log: StreamLog { StreamLog(of: stream) }

  /// Creates a signal of values derived from this stream, along with its input.
  final func makeBranch<Element, Failure: Error>(
    _ operation: Operation, of _: Element.Type
  ) -> (root: Root<Element, Failure>, signal: Signal<Element, Failure>) {
    let identity = StreamIdentity(
      operation, parents: stream.map { [$0.identity] } ?? [], valueType: Element.self)
    let (fanOut, root) = Signal<Element, Failure>.makeRoot(identity)
    return (root, Signal(fanOut))
  }

  /// Whether forwarding more values would have no effect, for stages that make many values of one.
  final var forwardsInVain: Bool { isFinished || downstream?.hasEnough ?? true }

  // An operator processes values even if its signal has no observers (contract S8).
  override final var hasEnough: Bool {
    isFinished || (forwardsInVain && !(downstream?.isUnheard ?? false))
  }

  override final var fedStream: UInt32 { stream?.identity.id ?? 0 }

  override final var fedIdentity: StreamIdentity? { stream?.identity }

  override final var passesTo: AnyObserver? { downstream }

  override final var feed: UInt64 { number }

  override final var startedBy: UInt32 { downstream?.startedBy ?? 0 }

  override final func follow(_ gate: UInt32, others: inout [AnyObserver]) -> AnyObserver? {
    guard !isFinished, let stream, let downstream else { return nil }
    tap = Tap.make(
      for: stream, feed: number, in: nil, delivering: downstream, gate: gate, after: tap)
    next.store(Link.word(tap ?? downstream), ordering: .relaxed)
    return downstream
  }
}

/// A stage whose output ends as its input does.
class ForwardingStage<Input, Output, Failure: Error>: Stage<Input, Failure, Output, Failure> {
  override func terminate(_ termination: Termination<Failure>) { finish(termination) }
}
