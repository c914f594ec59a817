internal import Synchronization

/// The inner streams of one flattening. Starts them and delivers the values that they send.
final class Inners<Value, Failure: Error>: Disposable, @unchecked Sendable {
  // Safety: immutable except `state`, which is locked, and `account`.

  let root: Root<Value, Failure>
  private let kind: FlattenStrategy.Kind
  /// The account of the values that the inner streams are made from, if any. Written before the
  /// first value.
  @exclusivity(unchecked) final var account: InputAccount?
  private let state = Lock(InnerRuns())
  /// Stored because looking up a generic type costs more than allocating an instance of it.
  private let inletType: InnerInlet<Value, Failure>.Type = InnerInlet<Value, Failure>.self

  init(_ root: Root<Value, Failure>, _ strategy: FlattenStrategy) {
    self.root = root
    kind = strategy.kind
  }

  /// Whether the output has ended.
  var isDisposed: Bool { root.isOver }

  /// Interrupts all inner streams.
  func dispose() {
    let (runs, waiting) = state.withLock { $0.dispose() }
    for run in runs { run.dispose() }
    if let account { for held in waiting { account.swallow(held, .ended) } }
    withExtendedLifetime(waiting) {}
  }

  /// Takes a new inner stream. Returns the reason if it is dropped.
  func add(_ recipe: Recipe<Value, Failure>) -> Absorption? {
    let run = Run()
    switch admit(recipe, run) {
    case .begins:
      guard !root.isOver else { return .ended }
      start(recipe, run)
      return nil
    case .waits: return nil
    case .refused(let reason): return reason
    }
  }

  private func admit(_ recipe: Recipe<Value, Failure>, _ run: Run) -> InnerRuns.Admission {
    switch kind {
    case .concurrent(let limit):
      return state.withLock { $0.admit(run, limit: limit, orKeep: recipe) }
    case .latest:
      let (admission, replaced) = state.withLock { $0.replace(with: run) }
      replaced?.dispose()
      return admission
    case .race: return state.withLock { $0.admit(run, if: $0.chosen == nil) }
    case .throttle: return state.withLock { $0.admit(run, if: $0.running == 0) }
    }
  }

  /// Notes that no further inner stream follows.
  func outerCompleted() {
    let isDone = state.withLock {
      $0.outerHasCompleted = true
      return $0.isDone
    }
    if isDone { root.send(.completed) }
  }

  /// Starts an inner stream and, if it ends during its own start, the waiting ones in turn. It
  /// loops because recursion would overflow the stack with ten million such streams.
  private func start(_ first: Recipe<Value, Failure>, _ run: Run) {
    var next: (recipe: Recipe<Value, Failure>, run: Run)? = (first, run)
    while let (recipe, run) = next, !root.isOver {
      let inlet = inletType.init(self, run)
      recipe.start(into: inlet, run: run)
      next = inlet.endsStarting() && !root.isOver ? takeWaiting() : nil
    }
  }

  private func takeWaiting() -> (recipe: Recipe<Value, Failure>, run: Run)? {
    guard case .concurrent(let limit) = kind, limit != .max else { return nil }
    let run = Run()
    guard let waiting = state.withLock({ $0.beginWaiting(run, limit: limit) }) else { return nil }
    return (unsafeDowncast(waiting.recall(), to: Recipe<Value, Failure>.self), run)
  }

  /// Whether the stream of this run may deliver. In a race, the first caller wins.
  @inline(__always)
  fileprivate func admits(_ run: Run) -> Bool {
    guard case .race = kind else { return true }
    let (isChosen, losers) = state.withLock { $0.choose(run) }
    for loser in losers { loser.dispose() }
    return isChosen
  }

  /// Notes that an inner stream completed, or was interrupted where that counts as completion.
  ///
  /// - Parameter startsWaiting: whether to start a waiting stream.
  fileprivate func ended(_ run: Run, startsWaiting: Bool) {
    let isDone = state.withLock {
      $0.end(run)
      return $0.isDone
    }
    if isDone {
      root.send(.completed)
    } else if startsWaiting, let (recipe, run) = takeWaiting() {
      start(recipe, run)
    }
  }

  fileprivate var endsWithInnerInterruption: Bool {
    switch kind {
    case .race, .throttle: true
    case .concurrent, .latest: false
    }
  }
}

/// The phases of an inner stream.
private enum Phase {
  static let starting: UInt8 = 0
  static let started: UInt8 = 1
  static let ended: UInt8 = 2
}

/// Receives the events of one inner stream and ends its run.
final class InnerInlet<Value, Failure: Error>: Inlet<Value, Failure, Value, Failure> {
  private let inners: Inners<Value, Failure>
  private let run: Run
  private let phase = Atomic<UInt8>(Phase.starting)

  required init(_ inners: Inners<Value, Failure>, _ run: Run) {
    self.inners = inners
    self.run = run
    super.init(inners.root)
  }

  /// Notes that the start has returned. Returns true if the stream ended during it.
  func endsStarting() -> Bool {
    !phase.compareExchange(
      expected: Phase.starting, desired: Phase.started, ordering: .acquiringAndReleasing
    ).exchanged
  }

  override func receive(_ value: Value) {
    guard inners.admits(run) else { return swallow(.superseded) }
    // The check for a newer stream is made inside the turn: values of that stream come later.
    root.takeTurn(from: feed) {
      if run.isDisposed { swallow(.superseded) } else { root.deliver(value) }
    }
  }

  override func terminate(_ termination: Termination<Failure>) {
    guard !run.isDisposed else { return }
    switch termination {
    case .failed:
      if inners.admits(run) { root.send(termination) }
    case .interrupted where inners.endsWithInnerInterruption:
      if inners.admits(run) { root.send(termination) }
    case .completed, .interrupted:
      if inners.admits(run) { end() }
    }
    run.dispose()
  }

  override func complete() {
    guard !run.isDisposed else { return }
    if inners.admits(run) { end() }
    run.dispose()
  }

  private func end() {
    let endedLater = !phase.compareExchange(
      expected: Phase.starting, desired: Phase.ended, ordering: .acquiringAndReleasing
    ).exchanged
    inners.ended(run, startsWaiting: endedLater)
  }
}
