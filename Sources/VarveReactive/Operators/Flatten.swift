extension Junction {
  /// Makes one stream of the inner streams that `outer` delivers.
  ///
  /// - Parameters:
  ///   - transform: what makes an inner stream of a value of `outer`.
  ///   - translate: what makes the failure of `outer` one of the whole.
  static func flatten<Outer, OuterFailure: Error>(
    _ operation: Operation, _ strategy: FlattenStrategy, _ outer: Feed<Outer, OuterFailure>,
    transform: @escaping (Outer) -> SignalProducer<Output, OutputFailure>,
    translate: @escaping (OuterFailure) -> OutputFailure
  ) -> Junction {
    Junction(operation, parents: [outer.origin]) { root, origin, disposables in
      let inners = Inners(root, strategy, origin, disposables)
      outer.connect(OuterInlet(inners, transform, translate), stoppedBy: disposables)
    }
  }
}

/// Receives the inner streams.
private final class OuterInlet<Outer, OuterFailure: Error, Output, Failure: Error>:
  Inlet<Outer, OuterFailure, Output, Failure>
{
  private let transform: (Outer) -> SignalProducer<Output, Failure>
  private let inners: Inners<Output, Failure>
  private let translate: (OuterFailure) -> Failure

  init(
    _ inners: Inners<Output, Failure>,
    _ transform: @escaping (Outer) -> SignalProducer<Output, Failure>,
    _ translate: @escaping (OuterFailure) -> Failure
  ) {
    self.inners = inners
    let scope = TemplateScope(of: inners.origin)
    self.transform = { value in scope.run { transform(value) } }
    self.translate = translate
    super.init(inners.root)
  }

  override func receive(_ value: Outer) { inners.add(transform(value)) }

  override func terminate(_ termination: Termination<OuterFailure>) {
    switch termination {
    case .completed: inners.outerCompleted()
    case .failed(let failure): root.send(.failed(translate(failure)))
    case .interrupted: root.send(.interrupted)
    }
  }
}

/// The inner streams of one flattening: which run, which wait.
final class Inners<Value, Failure: Error>: @unchecked Sendable {
  // Safety: immutable but for `state`, which is locked.

  private struct State {
    var outerHasCompleted = false
    var running = 0
    var waiting: [Held<SignalProducer<Value, Failure>>] = []
    /// Of `waiting`, how many have been taken.
    var taken = 0
    /// For `.latest`, the one that counts.
    var current: InnerInlet<Value, Failure>?
    /// For `.race`, the one that sent first.
    var winner: InnerInlet<Value, Failure>?
    /// For `.race`, those that have not sent.
    var racing: [InnerInlet<Value, Failure>] = []
  }

  let root: Root<Value, Failure>
  private let kind: FlattenStrategy.Kind
  let origin: Origin
  private let disposables: CompositeDisposable
  private let state = Guarded(State())

  init(
    _ root: Root<Value, Failure>, _ strategy: FlattenStrategy, _ origin: Origin,
    _ disposables: CompositeDisposable
  ) {
    self.root = root
    self.origin = origin
    self.disposables = disposables
    kind = strategy.kind
  }

  /// A new inner stream came.
  func add(_ producer: SignalProducer<Value, Failure>) {
    switch kind {
    case .concurrent(let limit): addConcurrent(producer, limit)
    case .latest: addLatest(producer)
    case .race: addRacing(producer)
    case .throttle: addThrottled(producer)
    }
  }

  func outerCompleted() {
    if state.withLock({
      $0.outerHasCompleted = true
      return $0.running == 0
    }) {
      root.send(.completed)
    }
  }

  private func addConcurrent(_ producer: SignalProducer<Value, Failure>, _ limit: UInt) {
    let mayStart = state.withLock { state in
      // Those that wait go first: their turn comes in the loop that saw an inner stream end.
      guard UInt(state.running) < limit, state.taken == state.waiting.count else {
        state.waiting.append(Held(producer))
        return false
      }
      state.running += 1
      return true
    }
    if mayStart { start(InnerInlet(self), producer) }
  }

  private func addLatest(_ producer: SignalProducer<Value, Failure>) {
    let inner = InnerInlet(self)
    let replaced = state.withLock { state in
      let old = state.current
      state.current = inner
      if old == nil { state.running = 1 }
      return old
    }
    replaced?.dismiss()
    start(inner, producer)
  }

  private func addRacing(_ producer: SignalProducer<Value, Failure>) {
    let inner = InnerInlet(self)
    let mayStart = state.withLock { state in
      guard state.winner == nil else { return false }
      state.racing.append(inner)
      state.running += 1
      return true
    }
    if mayStart { start(inner, producer) }
  }

  private func addThrottled(_ producer: SignalProducer<Value, Failure>) {
    let mayStart = state.withLock { state in
      guard state.running == 0 else { return false }
      state.running = 1
      return true
    }
    if mayStart {
      start(InnerInlet(self), producer)
    } else {
      Held(producer).absorb(in: origin, edge: 0, .superseded)
    }
  }

  /// Starts an inner stream, and then those that its end inside its own start lets run: in a loop,
  /// because a stream of ten million of them would overflow the stack otherwise.
  private func start(
    _ first: InnerInlet<Value, Failure>, _ producer: SignalProducer<Value, Failure>
  ) {
    var next: (InnerInlet<Value, Failure>, SignalProducer<Value, Failure>)? = (first, producer)
    while let (inner, producer) = next, !root.isOver {
      inner.begin(producer, disposables)
      next = inner.endsStarting() ? takeWaiting() : nil
    }
  }

  private func takeWaiting() -> (InnerInlet<Value, Failure>, SignalProducer<Value, Failure>)? {
    guard case .concurrent(let limit) = kind, limit != .max else { return nil }
    let held = state.withLock { state -> Held<SignalProducer<Value, Failure>>? in
      guard state.taken < state.waiting.count, UInt(state.running) < limit else { return nil }
      let held = state.waiting[state.taken]
      state.taken += 1
      if state.taken * 2 > state.waiting.count {
        state.waiting.removeFirst(state.taken)
        state.taken = 0
      }
      state.running += 1
      return held
    }
    return held.map { (InnerInlet(self), $0.recall()) }
  }

  /// Whether `inner` may deliver; for a race, whether it wins.
  fileprivate func admits(_ inner: InnerInlet<Value, Failure>) -> Bool {
    guard kind == .race else { return true }
    let (isWinner, losers) = state.withLock { state in
      if state.winner == nil {
        state.winner = inner
        let losers = state.racing.filter { $0 !== inner }
        state.racing = []
        state.running = 1
        return (true, losers)
      }
      return (state.winner === inner, [])
    }
    for loser in losers { loser.dismiss() }
    return isWinner
  }

  /// An inner stream completed, or was interrupted where that counts as completion.
  ///
  /// - Parameter startsWaiting: whether the caller has to start one that waits.
  fileprivate func innerEnded(_ inner: InnerInlet<Value, Failure>, startsWaiting: Bool) {
    let isLast = state.withLock { state in
      if kind == .latest {
        guard state.current === inner else { return false }
        state.current = nil
      }
      state.racing.removeAll { $0 === inner }
      state.running -= 1
      return state.running == 0 && state.outerHasCompleted && state.taken == state.waiting.count
    }
    if isLast {
      root.send(.completed)
    } else if startsWaiting, let (next, producer) = takeWaiting() {
      start(next, producer)
    }
  }

  fileprivate var endsWithInnerInterruption: Bool { kind == .race || kind == .throttle }
}

/// Receives one inner stream.
final class InnerInlet<Value, Failure: Error>: Inlet<Value, Failure, Value, Failure>,
  @unchecked Sendable
{
  // Safety: `phase` is locked; `handle` is written before the start ends and read after it.
  private enum Phase {
    case starting, started, endedWhileStarting, ended
  }

  private let inners: Inners<Value, Failure>
  private let run = Run()
  private let phase = Guarded(Phase.starting)
  private let isDismissed = Guarded(false)
  private let handle = SerialDisposable()

  init(_ inners: Inners<Value, Failure>) {
    self.inners = inners
    super.init(inners.root)
  }

  /// Starts the stream.
  func begin(_ producer: SignalProducer<Value, Failure>, _ disposables: CompositeDisposable) {
    handle.inner = disposables.add(run)
    guard !run.isDisposed else { return }
    producer.recipe.start(into: RunEnd(self, run: run), run: run)
  }

  /// Notes that `begin` is over; true when the stream ended in it.
  func endsStarting() -> Bool {
    phase.withLock { phase in
      guard case .endedWhileStarting = phase else {
        if case .starting = phase { phase = .started }
        return false
      }
      phase = .ended
      return true
    }
  }

  /// A newer stream took this one's place: it delivers nothing any more.
  func dismiss() {
    isDismissed.withLock { $0 = true }
    run.dispose()
    handle.dispose()
  }

  override func receive(_ value: Value) {
    guard inners.admits(self) else { return }
    root.takeTurn(from: feed) {
      if !isDismissed.withLock({ $0 }) { root.deliver(value) }
    }
  }

  override func terminate(_ termination: Termination<Failure>) {
    guard !isDismissed.withLock({ $0 }) else { return }
    switch termination {
    case .failed:
      if inners.admits(self) { root.send(termination) }
    case .interrupted where inners.endsWithInnerInterruption:
      if inners.admits(self) { root.send(termination) }
    case .completed, .interrupted:
      if inners.admits(self) { end() }
    }
  }

  private func end() {
    handle.dispose()
    let endedLater = phase.withLock { phase in
      if case .starting = phase {
        phase = .endedWhileStarting
        return false
      }
      phase = .ended
      return true
    }
    inners.innerEnded(self, startsWaiting: endedLater)
  }
}
