internal import CVarveSystem
internal import VarveProbe

/// A scheduler whose clock stands still until it is told to move, for tests of what happens in time.
///
///     let scheduler = TestScheduler()
///     query.debounce(.milliseconds(300), on: scheduler).observeValues { results.append($0) }
///     input.send(value: "var")
///     scheduler.advance(by: .milliseconds(299))  // nothing yet
///     scheduler.advance(by: .milliseconds(1))  // now
///
/// Nothing runs by itself. What is due runs inside `advance` and `run`, in order of dates, in the
/// order of scheduling where dates are equal, and while an action runs the clock shows its date.
/// Scheduling is safe from any thread; only one thread at a time may move the clock.
///
/// Producers do not keep it, nor does what is scheduled: a test that lets go of its clock has
/// nothing of it left, whatever was still to come.
public final class TestScheduler: TimedScheduler, CustomStringConvertible {
  fileprivate struct State {
    var now: SchedulerInstant
    var delayed = DelayedWorkQueue()
    /// The thread that moves the clock, and how many calls deep.
    var mover: ThreadSlot?
    var depth = 0
    /// How often something was scheduled.
    var orders: UInt64 = 0
  }

  private let identity = SchedulerIdentity(name: "TestScheduler")
  private let state: Lock<State>
  private let turnsTraceClock: Bool
  /// The tasks that it has resumed, for those who let them go on before they move the clock.
  package let resumedTasks = ResumedTasks()

  /// Creates a scheduler whose clock shows `start`.
  public convenience init(startingAt start: SchedulerInstant = SchedulerInstant(nanoseconds: 0)) {
    self.init(startingAt: start, turningTraceClock: false)
  }

  /// Creates a scheduler that also turns the clock that records bear, for traces that are the same
  /// at each run. Only one at a time can do that, and not at a moment before 1 ns.
  package init(startingAt start: SchedulerInstant, turningTraceClock: Bool) {
    state = Lock(State(now: start))
    turnsTraceClock = turningTraceClock
    identity.scheduler = self
    turnTraceClock(to: start)
  }

  deinit {
    // Outside the lock: releasing what actions captured may run anything.
    var delayed = state.withLock { $0.delayed }
    delayed.clear()
    if turnsTraceClock { vv_clock_turn(0) }
  }

  /// What the clock shows.
  public var now: SchedulerInstant { state.withLock { $0.now } }

  /// Runs `action` at the next `advance` or `run`.
  ///
  /// - Returns: what prevents the action from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
    schedule(at: now, action: action)
  }

  /// Runs `action` when the clock is moved to `instant` or past it.
  ///
  /// - Returns: what prevents the action from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(
    at instant: SchedulerInstant, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    let work = ScheduledWork(action, by: identity)
    state.withLock { $0.schedule(.once(work), at: instant) }
    return work
  }

  /// Runs `action` at `start` and then every `interval`, until it is disposed of. The leeway is not
  /// made use of.
  ///
  /// - Returns: what prevents further ticks from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(
    at start: SchedulerInstant, every interval: Duration, leeway: Duration = .zero,
    action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    precondition(interval >= .zero, "A timer's interval must not be negative.")
    let work = RepeatingWork(action, by: identity)
    let ticks = DelayedWorkQueue.Work.repeating(work, interval: max(interval, .nanoseconds(1)))
    state.withLock { $0.schedule(ticks, at: start) }
    return work
  }

  /// The number by which records of its hops tell it from other test schedulers: all have one name.
  package var recordedID: UInt32 { identity.id }

  /// `TestScheduler`.
  public var description: String { identity.name }
}

// MARK: Moving the clock

extension TestScheduler {
  /// Runs what is due now.
  public func advance() {
    advance(to: now)
  }

  /// Moves the clock forward and runs what becomes due on the way.
  @_disfavoredOverload
  public func advance(by interval: Duration) {
    advance(to: now + interval)
  }

  /// Moves the clock forward to `instant` and runs what becomes due on the way.
  @_disfavoredOverload
  public func advance(to instant: SchedulerInstant) {
    precondition(instant >= now, "A clock is advanced forwards; `rewind` moves it back.")
    moving {
      while runNext(dueBy: instant) {}
      setClock { max($0, instant) }
    }
  }

  /// Runs everything that is scheduled, and what that schedules, until nothing is left; the clock
  /// then shows the date of the last action.
  ///
  /// - Parameter limit: how many actions may run. A repeating timer that nobody disposes of would
  ///   otherwise never let this return.
  /// - Throws: `RunLimitReached` when `limit` actions have run and more are scheduled. They stay
  ///   scheduled.
  public func run(limit: Int = 1_000_000) throws(RunLimitReached) {
    var count = 0
    moving {
      while count < limit && runNext(dueBy: Self.lastMoment) { count += 1 }
    }
    if count == limit { try stopIfMoreIsScheduled(after: limit) }
  }

  /// What is due later than this never runs.
  package static let lastMoment = SchedulerInstant.distantFuture - .nanoseconds(1)

  /// Throws when something is left that `run` would do.
  package func stopIfMoreIsScheduled(after limit: Int) throws(RunLimitReached) {
    let next = state.withLock { $0.delayed.nextDate() }
    guard let next, next <= Self.lastMoment else { return }
    throw RunLimitReached(limit: limit, now: now)
  }

  /// Runs one action that is due at `instant` or before, for those who let tasks go on in between;
  /// false when there is none.
  package func runOne(dueBy instant: SchedulerInstant) -> Bool {
    var hasRun = false
    moving { hasRun = runNext(dueBy: instant) }
    return hasRun
  }

  /// Moves the clock forward, if it does not show `instant` or more; nothing runs.
  package func showAtLeast(_ instant: SchedulerInstant) { setClock { max($0, instant) } }

  /// How often something was scheduled.
  package var orders: UInt64 { state.withLock { $0.orders } }

  /// Moves the clock back. Nothing runs, and nothing that has run is undone.
  @_disfavoredOverload
  public func rewind(by interval: Duration) {
    precondition(interval >= .zero, "A clock is rewound by a time that is not negative.")
    setClock { $0 - interval }
  }

  /// `run` gave up: so many actions have run and there is no end in sight.
  public struct RunLimitReached: Error, Hashable, CustomStringConvertible {
    /// How many actions ran.
    public let limit: Int
    /// What the clock shows now.
    public let now: SchedulerInstant

    /// What happened, and what to do.
    public var description: String {
      "\(limit) actions have run, the clock shows \(now), and more is scheduled. Dispose of the "
        + "repeating timer, use `advance(by:)`, or raise the limit."
    }
  }

  /// Runs one action that is due at `date` or before; false when there is none.
  private func runNext(dueBy date: SchedulerInstant) -> Bool {
    guard let entry = state.withLock({ $0.delayed.takeNext(dueBy: date) }) else { return false }
    setClock { max($0, entry.due) }
    entry.work.run()
    if case .repeating(let work, let interval) = entry.work, !work.isDisposed {
      state.withLock { $0.setNextTick(of: entry, interval: interval) }
    }
    return true
  }

  private func moving(_ body: () -> Void) {
    let thread = ThreadSlot.current
    state.withLock { state in
      precondition(
        state.depth == 0 || state.mover == thread,
        "Two threads move a test scheduler's clock at once: what they see would be chance.")
      state.mover = thread
      state.depth += 1
    }
    body()
    state.withLock { $0.depth -= 1 }
  }

  private func setClock(_ change: (SchedulerInstant) -> SchedulerInstant) {
    let now = state.withLock { state in
      state.now = change(state.now)
      return state.now
    }
    turnTraceClock(to: now)
  }

  private func turnTraceClock(to now: SchedulerInstant) {
    if turnsTraceClock { vv_clock_turn(UInt64(clamping: max(1, now.nanoseconds))) }
  }
}

extension TestScheduler.State {
  fileprivate mutating func schedule(_ work: DelayedWorkQueue.Work, at instant: SchedulerInstant) {
    orders += 1
    delayed.insert(work, at: instant)
  }

  /// Ticks that were missed become one: the last of them.
  fileprivate mutating func setNextTick(of tick: DelayedWorkQueue.Entry, interval: Duration) {
    let behind = (now - tick.due).wholeNanoseconds / interval.wholeNanoseconds
    delayed.insert(tick.work, at: tick.due + interval * max(1, behind))
  }
}
