/// Returns a junction that delivers the latest value of `source` for each value of `sampler`.
private func sampling<Value, Sample, Output, Failure: Error>(
  _ operation: Operation, _ source: Feed<Value, Failure>, _ sampler: Feed<Sample, Never>,
  _ join: @escaping (Value, Sample) -> Output
) -> Junction<Output, Failure> {
  Junction(operation, inputs: [source, sampler]) { root, disposables in
    let latest = LatestValue<Value>()
    let ends = EndsTogether(root, inputs: 2)
    let outlet = Outlet(root: root, disposables: disposables)
    // The source comes first, so that a sampler that sends at once, or is the same stream, finds a
    // value.
    source.connect(
      StoringInlet(outlet, latest) { ends.inputCompleted() }, stoppedBy: disposables)
    guard !root.isOver else { return }
    sampler.connect(
      SamplerInlet(root, ends) { sample in latest.sample().map { join($0.recall(), sample) } },
      stoppedBy: disposables)
  }
}

/// The latest value of an input that only stores values. Storing a value sends nothing, so it may
/// happen during a delivery.
final class LatestValue<Value>: @unchecked Sendable {
  // Safety: immutable except `state`, which is locked.
  private let state = Lock(State())

  private struct State {
    var held: Held<Value>?
    var isSampled = false
    var isClosed = false
  }

  /// Returns the value and marks it as sampled.
  func sample() -> Held<Value>? {
    state.withLock { state in
      state.isSampled = true
      return state.held
    }
  }

  /// Replaces the value. Returns the previous one if it was never sampled, and whether the end has
  /// come.
  func replace(with held: Held<Value>) -> (unsampled: Held<Value>?, isClosed: Bool) {
    exchange(for: State(held: held))
  }

  /// Accepts no further values. Returns the last one if it was never sampled.
  func close() -> Held<Value>? { exchange(for: State(isClosed: true)).unsampled }

  private func exchange(for new: State) -> (unsampled: Held<Value>?, isClosed: Bool) {
    // The old value is released outside the lock: its deinitializer may run client code.
    let old = state.withLock { state -> State in
      defer { if !state.isClosed { state = new } }
      return state
    }
    return (old.isSampled ? nil : old.held, old.isClosed)
  }
}

/// Completes a root once all of its inputs have completed.
final class EndsTogether<Output, Failure: Error> {
  private let root: Root<Output, Failure>
  private var running: Int

  init(_ root: Root<Output, Failure>, inputs: Int) {
    self.root = root
    running = inputs
  }

  func inputCompleted() {
    root.perform(
      DeferredClosure(inside: { [self] in
        running -= 1
        if running == 0 { root.finish(.completed) }
      }))
  }
}

/// Stores the latest value.
final class StoringInlet<Value, Failure: Error, Output, OutputFailure: Error>:
  Inlet<Value, Failure, Output, OutputFailure>
{
  private let latest: LatestValue<Value>
  private let onCompleted: () -> Void
  private let translate: ((Failure) -> OutputFailure)?

  /// Creates an inlet for an input whose failure and interruption end the output.
  init(
    _ outlet: Outlet<Output, OutputFailure>, _ latest: LatestValue<Value>,
    completed: @escaping () -> Void
  ) where Failure == OutputFailure {
    self.latest = latest
    onCompleted = completed
    translate = { $0 }
    super.init(outlet.root)
    discardAtEnd(outlet.disposables)
  }

  /// Creates an inlet for an input whose end has no effect.
  init(sampledBy outlet: Outlet<Output, OutputFailure>, _ latest: LatestValue<Value>) {
    self.latest = latest
    onCompleted = {}
    translate = nil
    super.init(outlet.root)
    discardAtEnd(outlet.disposables)
  }

  /// Releases the last value after the end. The closure does not capture the inlet: the root keeps
  /// the closure, and the inlet keeps the root.
  private func discardAtEnd(_ disposables: CompositeDisposable) {
    disposables.add { [latest, account] in account.swallow(latest.close(), .notSampled) }
  }

  override func receive(_ value: Value) {
    let (unsampled, isClosed) = latest.replace(with: Held(value))
    swallow(unsampled, .notSampled)
    if isClosed { swallow(.ended) }
  }

  override func terminate(_ termination: Termination<Failure>) {
    guard let translate else { return }
    switch termination {
    case .completed: onCompleted()
    case .failed(let failure): root.send(.failed(translate(failure)))
    case .interrupted: root.send(.interrupted)
    }
  }
}

private final class SamplerInlet<Sample, Output, Failure: Error>:
  Inlet<Sample, Never, Output, Failure>
{
  private let ends: EndsTogether<Output, Failure>
  private let join: (Sample) -> Output?

  init(
    _ root: Root<Output, Failure>, _ ends: EndsTogether<Output, Failure>,
    _ join: @escaping (Sample) -> Output?
  ) {
    self.ends = ends
    self.join = join
    super.init(root)
  }

  override func receive(_ value: Sample) {
    root.takeTurn(from: feed) {
      if let output = join(value) { root.deliver(output) } else { swallow(.notSampled) }
    }
  }

  override func terminate(_ termination: Termination<Never>) {
    switch termination {
    case .completed: ends.inputCompleted()
    case .interrupted: root.send(.interrupted)
    }
  }
}

private let sampleWith = Operation(
  "sample(with: $)", [.parent(1)], absorbs: .notSampled,
  traits: [.joins, .needsAllInputs, .holds])
private let sampleOn = Operation(
  "sample(on: $)", [.parent(1)], absorbs: .notSampled,
  traits: [.joins, .needsAllInputs, .holds])

extension Signal {
  /// Delivers the latest value together with the sampler's value, whenever `sampler` sends.
  ///
  ///     self                  --1--2-----3--|
  ///     sampler               a-----b--c------d-|
  ///     sample(with: sampler) ------A--B------C-|   A = (2, b), B = (2, c), C = (3, d)
  ///
  /// - *Events*: completes when both inputs have completed; fails when this stream fails; is
  ///   interrupted as soon as either input is.
  /// - *Memory*: the latest value.
  /// - *Scheduling*: the sampler's thread.
  public func sample<Sample>(
    with sampler: Signal<Sample, Never>
  ) -> Signal<(Value, Sample), Failure> {
    Signal<(Value, Sample), Failure>(
      sampling(sampleWith, feed, sampler.feed) { ($0, $1) })
  }

  /// Delivers the latest value whenever `sampler` sends. See `Signal.sample(with:)`.
  public func sample(on sampler: Signal<Void, Never>) -> Signal {
    Signal(sampling(sampleOn, feed, sampler.feed) { value, _ in value })
  }
}

extension SignalProducer {
  /// Delivers the latest value together with each value of the sampler. See `Signal.sample(with:)`.
  public func sample<Sample>(
    with sampler: some SignalProducerConvertible<Sample, Never>
  ) -> SignalProducer<(Value, Sample), Failure> {
    SignalProducer<(Value, Sample), Failure>(
      sampling(sampleWith, feed, sampler.producer.feed) { ($0, $1) })
  }

  /// Delivers the latest value whenever `sampler` sends. See `Signal.sample(with:)`.
  public func sample(on sampler: some SignalProducerConvertible<Void, Never>) -> SignalProducer {
    SignalProducer(sampling(sampleOn, feed, sampler.producer.feed) { value, _ in value })
  }
}
