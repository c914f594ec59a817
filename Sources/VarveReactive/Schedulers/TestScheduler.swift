internal import CVarveSystem
internal import VarveProbe

/// A scheduler with a virtual clock that moves only when advanced, for tests of time-dependent
/// code.
///
///     let scheduler = TestScheduler()
///     query.debounce(.milliseconds(300), on: scheduler).observeValues { results.append($0) }
///     input.send(value: "var")
///     scheduler.advance(by: .milliseconds(299))  // nothing yet
///     scheduler.advance(by: .milliseconds(1))  // now
///
/// Nothing runs by itself. Due actions run inside `advance` and `run`, in order of their dates and,
/// for equal dates, in the order of scheduling. While an action runs, the clock shows its date.
/// Scheduling is safe from any thread; only one thread at a time may move the clock.
///
/// Neither producers nor scheduled actions retain the scheduler: when a test releases it,
/// everything that was still pending is released as well.
public final class TestScheduler: TimedScheduler, CustomStringConvertible {
  fileprivate struct State {
    var now: SchedulerInstant
    var delayed = DelayedWorkQueue()
    /// The thread that moves the clock; `depth` is the nesting of its calls.
    var mover: ThreadSlot?
    var depth = 0
    /// The number of times that something was scheduled.
    var orders: UInt64 = 0
  }

  private let identity = SchedulerIdentity(name: "TestScheduler")
  private let state: Lock<State>
  private let turnsTraceClock: Bool
  /// The tasks that the scheduler has resumed, for callers that let them continue before moving the
  /// clock.
  package let resumedTasks = ResumedTasks()

  /// Creates a scheduler with a clock that shows `start`.
  public convenience init(startingAt start: SchedulerInstant = SchedulerInstant(nanoseconds: 0)) {
    self.init(startingAt: start, turningTraceClock: false)
  }

  /// Creates a scheduler that also sets the clock of records, for traces that are the same in each
  /// run. Only one scheduler at a time can do that, and not to an instant before 1 ns.
  package init(startingAt start: SchedulerInstant, turningTraceClock: Bool) {
    state = Lock(State(now: start))
    turnsTraceClock = turningTraceClock
    identity.scheduler = self
    turnTraceClock(to: start)
  }

  deinit {
    // Outside the lock: releasing the captures of actions may run arbitrary code.
    var delayed = state.withLock { $0.delayed }
    delayed.clear()
    if turnsTraceClock { vv_clock_turn(0) }
  }

  /// The current time of the clock.
  public var now: SchedulerInstant { state.withLock { $0.now } }

  /// Runs `action` at the next `advance` or `run`.
  ///
  /// - Returns: a disposable that prevents the action from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
    schedule(at: now, action: action)
  }

  /// Runs `action` when the clock is moved to `instant` or past it.
  ///
  /// - Returns: a disposable that prevents the action from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(
    at instant: SchedulerInstant, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    let work = ScheduledWork(action, by: identity)
    state.withLock { $0.schedule(.once(work), at: instant) }
    return work
  }

  /// Runs `action` at `start` and then every `interval`, until it is disposed of. The leeway is
  /// ignored.
  ///
  /// - Returns: a disposable that prevents further ticks from beginning.
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

  /// The number that distinguishes this scheduler in records of its hops: all test schedulers have
  /// the same name.
  package var recordedID: UInt32 { identity.id }

  /// `TestScheduler`.
  public var description: String { identity.name }
}

// MARK: Moving the clock

extension TestScheduler {
  /// Runs the actions that are due now.
  public func advance() {
    advance(to: now)
  }

  /// Moves the clock forward and runs the actions that become due on the way.
  @_disfavoredOverload
  public func advance(by interval: Duration) {
    advance(to: now + interval)
  }

  /// Moves the clock forward to `instant` and runs the actions that become due on the way.
  @_disfavoredOverload
  public func advance(to instant: SchedulerInstant) {
    precondition(instant >= now, "A clock is advanced forwards; `rewind` moves it back.")
    moving {
      while runNext(dueBy: instant) {}
      setClock { max($0, instant) }
    }
  }

  /// Runs all scheduled actions, including those scheduled on the way, until none is left. The
  /// clock then shows the date of the last action.
  ///
  /// - Parameter limit: the greatest number of actions to run. Without a limit, a repeating timer
  ///   that is not disposed of would run forever.
  /// - Throws: `RunLimitReached` if `limit` actions have run and more are scheduled, which stay
  ///   scheduled.
  public func run(limit: Int = 1_000_000) throws(RunLimitReached) {
    var count = 0
    moving {
      while count < limit && runNext(dueBy: Self.lastMoment) { count += 1 }
    }
    if count == limit { try stopIfMoreIsScheduled(after: limit) }
  }

  /// The latest instant at which actions run.
  package static let lastMoment = SchedulerInstant.distantFuture - .nanoseconds(1)

  /// Throws an error if actions are left that `run` would run.
  package func stopIfMoreIsScheduled(after limit: Int) throws(RunLimitReached) {
    let next = state.withLock { $0.delayed.nextDate() }
    guard let next, next <= Self.lastMoment else { return }
    throw RunLimitReached(limit: limit, now: now)
  }

  /// Runs one action that is due at or before `instant`, for callers that let tasks continue in
  /// between. Returns false if there is none.
  package func runOne(dueBy instant: SchedulerInstant) -> Bool {
    var hasRun = false
    moving { hasRun = runNext(dueBy: instant) }
    return hasRun
  }

  /// Moves the clock forward to `instant`, unless it shows a later time, without running actions.
  package func showAtLeast(_ instant: SchedulerInstant) { setClock { max($0, instant) } }

  /// The number of times that something was scheduled.
  package var orders: UInt64 { state.withLock { $0.orders } }

  /// Moves the clock back. No action runs, and none is undone.
  @_disfavoredOverload
  public func rewind(by interval: Duration) {
    precondition(interval >= .zero, "A clock is rewound by a time that is not negative.")
    setClock { $0 - interval }
  }

  /// The error of `run` after it has reached its limit of actions.
  public struct RunLimitReached: Error, Hashable, CustomStringConvertible {
    /// The number of actions that ran.
    public let limit: Int
    /// The time that the clock shows.
    public let now: SchedulerInstant

    /// A description of the error and of possible remedies.
    public var description: String {
      "\(limit) actions have run, the clock shows \(now), and more is scheduled. Dispose of the "
        + "repeating timer, use `advance(by:)`, or raise the limit."
    }
  }

  /// Runs one action that is due at or before `date`. Returns false if there is none.
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

  /// Schedules the next tick. Missed ticks are combined into one, the last of them.
  fileprivate mutating func setNextTick(of tick: DelayedWorkQueue.Entry, interval: Duration) {
    let behind = (now - tick.due).wholeNanoseconds / interval.wholeNanoseconds
    delayed.insert(tick.work, at: tick.due + interval * max(1, behind))
  }
}
