/// Starts a producer, and starts it again for as long as its ends ask for it. The common part of
/// `repeat`, `retry` and `then`.
///
/// A producer that ends during its own start is restarted in a loop, so that ten million rounds
/// need no more stack than one.
final class Restarting<Value, Failure: Error, Output, OutputFailure: Error>: @unchecked Sendable {
  // Safety: one inlet is active at a time, and only its end leads to the next; a producer that is
  // started once is released before that start.
  let root: Root<Output, OutputFailure>
  private let disposables: CompositeDisposable
  private var producer: SignalProducer<Value, Failure>?
  /// Whether the producer is started once, and released before that start.
  private let isOnce: Bool
  /// Delivers a value; nil to drop all values.
  private let deliver: ((Value, UInt64) -> Void)?
  /// Handles an end. Returns true to start the producer again.
  private let decide: (Termination<Failure>) -> Bool

  init(
    _ producer: SignalProducer<Value, Failure>, into root: Root<Output, OutputFailure>,
    _ disposables: CompositeDisposable, once isOnce: Bool = false,
    deliver: ((Value, UInt64) -> Void)?, decide: @escaping (Termination<Failure>) -> Bool
  ) {
    self.producer = producer
    self.isOnce = isOnce
    self.root = root
    self.disposables = disposables
    self.deliver = deliver
    self.decide = decide
  }

  /// Starts the producer, and restarts it while it ends during its start and is to be restarted.
  func start() {
    var end = startRound()
    while let last = end, !root.isOver {
      switch last {
      case .here: end = startRound()
      case .elsewhere(let why): why.attribute { end = startRound() }
      }
    }
  }

  /// How a round ended during its start.
  private enum EndOfRound {
    /// On the thread that started it.
    case here
    /// On another thread: that is why the next round begins, and not what the thread does that begins it.
    case elsewhere(ForeignCause)
  }

  /// Starts a round. Returns how it ended if it did meanwhile, and another has to follow.
  private func startRound() -> EndOfRound? {
    guard !root.isOver, let producer else { return nil }
    if isOnce { self.producer = nil }
    let round = Round(self)
    let run = Run()
    let handle = disposables.add(run)
    round.handle.inner = handle
    producer.recipe.start(into: RunEnd(round, run: run), run: run)
    return round.endsStarting()
  }

  /// Receives one round.
  private final class Round: Inlet<Value, Failure, Output, OutputFailure>, @unchecked Sendable {
    // Safety: `phase` is locked; the rest is immutable.
    private enum Phase {
      case starting, started
      case restartWanted(EndOfRound)
    }

    let handle = SerialDisposable()
    private let whole: Restarting
    private let phase = Lock(Phase.starting)
    /// The thread that starts it.
    private let starter = ForeignCause.thread

    init(_ whole: Restarting) {
      self.whole = whole
      super.init(whole.root)
    }

    /// Notes that the start has returned. Returns how the round ended if it did during that, and another
    /// has to follow.
    func endsStarting() -> EndOfRound? {
      phase.withLock { phase in
        guard case .restartWanted(let end) = phase else {
          phase = .started
          return nil
        }
        return end
      }
    }

    override func receive(_ value: Value) {
      if let deliver = whole.deliver { deliver(value, feed) } else { swallow(.filtered) }
    }

    override func terminate(_ termination: Termination<Failure>) {
      handle.dispose()
      guard whole.decide(termination) else { return }
      let why = ForeignCause(leftTo: starter)
      let mustStart = phase.withLock { phase in
        guard case .started = phase else {
          phase = .restartWanted(why.map { .elsewhere($0) } ?? .here)
          return false
        }
        return true
      }
      if mustStart { whole.start() }
    }
  }
}
