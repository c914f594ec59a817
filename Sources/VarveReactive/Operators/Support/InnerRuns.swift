/// The state of a flattening: which inner streams are running, which are waiting, and which one is
/// chosen.
///
/// It refers to them by their runs and type-erased recipes, so that it is not generic: a generic
/// state would look up its own type at each step.
struct InnerRuns {
  var outerHasCompleted = false
  private(set) var running = 0
  /// For `.latest`, the newest; for `.race`, the one that sent first.
  private(set) var chosen: Run?
  /// The inner streams that have not started.
  private var waiting = FIFOQueue<Held<AnyRecipe>>()
  /// All running inner streams.
  private var runs = RunList()
  private var isDisposed = false

  /// Whether nothing is running or waiting and no inner stream can follow.
  var isDone: Bool { running == 0 && outerHasCompleted && waiting.isEmpty }

  /// Lets a run begin, unless the flattening was disposed of.
  mutating func begin(_ run: Run) -> Bool {
    guard !isDisposed else { return false }
    running += 1
    runs.insert(run)
    return true
  }

  /// The fate of a new inner stream.
  enum Admission {
    case begins, waits
    /// It is dropped, for a reason.
    case refused(Absorption)
  }

  /// Lets a run begin if fewer than `limit` are running and none is waiting; otherwise enqueues
  /// `recipe`.
  mutating func admit(_ run: Run, limit: UInt, orKeep recipe: AnyRecipe) -> Admission {
    // Waiting streams go first: the loop that saw an inner stream end starts them.
    guard UInt(running) < limit, waiting.isEmpty, !isDisposed else {
      guard !isDisposed else { return .refused(.ended) }
      waiting.append(Held(recipe))
      return .waits
    }
    return admit(run, if: true)
  }

  /// Lets a run begin if `isWanted`; otherwise another run is in its place.
  mutating func admit(_ run: Run, if isWanted: Bool) -> Admission {
    guard isWanted, begin(run) else { return .refused(isDisposed ? .ended : .superseded) }
    return .begins
  }

  /// Lets the oldest waiting stream begin as `run`, if there is one and fewer than `limit` are
  /// running.
  mutating func beginWaiting(_ run: Run, limit: UInt) -> Held<AnyRecipe>? {
    guard !waiting.isEmpty, UInt(running) < limit, begin(run) else { return nil }
    return waiting.takeFirst()
  }

  /// Lets a run begin in place of the chosen one, and returns the latter.
  mutating func replace(with run: Run) -> (admission: Admission, replaced: Run?) {
    let old = chosen
    if let old { end(old) }
    guard begin(run) else { return (.refused(.ended), old) }
    chosen = run
    return (.begins, old)
  }

  /// Makes `run` the winner if there is none, and returns the losers.
  mutating func choose(_ run: Run) -> (isChosen: Bool, losers: [Run]) {
    if let chosen { return (chosen === run, []) }
    chosen = run
    let losers = runs.all.filter { $0 !== run }
    for loser in losers { end(loser) }
    return (true, losers)
  }

  /// Notes that a run has ended or was given up.
  mutating func end(_ run: Run) {
    guard runs.remove(run) else { return }
    running -= 1
  }

  /// Removes everything for disposal. The caller releases the waiting streams outside the lock.
  mutating func dispose() -> (runs: [Run], waiting: [Held<AnyRecipe>]) {
    isDisposed = true
    running = 0
    chosen = nil
    return (runs.removeAll(), waiting.takeAll())
  }
}
