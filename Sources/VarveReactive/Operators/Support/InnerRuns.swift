/// Which inner streams of a flattening run, which wait, which one counts.
///
/// It knows them by their runs and recipes, so that it is the same for values of every type: a
/// generic state would have to find its own type at each step.
struct InnerRuns {
  var outerHasCompleted = false
  private(set) var running = 0
  /// For `.latest`, the one that counts; for `.race`, the one that sent first.
  private(set) var chosen: Run?
  /// Inner streams whose turn has not come.
  private var waiting = FIFOQueue<Held<AnyRecipe>>()
  /// All that run.
  private var runs = RunList()
  private var isDisposed = false

  /// Whether nothing runs or waits, and nothing can come.
  var isDone: Bool { running == 0 && outerHasCompleted && waiting.isEmpty }

  /// Lets a run begin, unless the whole was disposed of.
  mutating func begin(_ run: Run) -> Bool {
    guard !isDisposed else { return false }
    running += 1
    runs.insert(run)
    return true
  }

  /// What becomes of a new inner stream.
  enum Admission {
    case begins, waits
    /// It is left out, for a reason.
    case refused(Absorption)
  }

  /// Lets a run begin if fewer than `limit` run and none waits; else `recipe` waits.
  mutating func admit(_ run: Run, limit: UInt, orKeep recipe: AnyRecipe) -> Admission {
    // Those that wait go first: their turn comes in the loop that saw an inner stream end.
    guard UInt(running) < limit, waiting.isEmpty, !isDisposed else {
      guard !isDisposed else { return .refused(.ended) }
      waiting.append(Held(recipe))
      return .waits
    }
    return admit(run, if: true)
  }

  /// Lets a run begin if `isWanted`; there is another in its place if not.
  mutating func admit(_ run: Run, if isWanted: Bool) -> Admission {
    guard isWanted, begin(run) else { return .refused(isDisposed ? .ended : .superseded) }
    return .begins
  }

  /// Lets the oldest that waits begin as `run`, if there is one and fewer than `limit` run.
  mutating func beginWaiting(_ run: Run, limit: UInt) -> Held<AnyRecipe>? {
    guard !waiting.isEmpty, UInt(running) < limit, begin(run) else { return nil }
    return waiting.takeFirst()
  }

  /// Lets a run begin in the place of the one that counted; returns that one.
  mutating func replace(with run: Run) -> (admission: Admission, replaced: Run?) {
    let old = chosen
    if let old { end(old) }
    guard begin(run) else { return (.refused(.ended), old) }
    chosen = run
    return (.begins, old)
  }

  /// Makes `run` the winner if there is none; returns those that lost.
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

  /// Takes everything out, for disposal; what waited is to be released outside the lock.
  mutating func dispose() -> (runs: [Run], waiting: [Held<AnyRecipe>]) {
    isDisposed = true
    running = 0
    chosen = nil
    return (runs.removeAll(), waiting.takeAll())
  }
}
