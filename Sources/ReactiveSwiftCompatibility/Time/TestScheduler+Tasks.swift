public import Dispatch
public import Foundation

// The asynchronous forms let tasks go on between one due action and the next, so that a task sees the
// date at which it was to be resumed, and what it schedules then becomes due on the way.

extension TestScheduler {
  /// Lets tasks go on, then runs what is due now, and lets tasks go on after each action.
  @MainActor
  public func advance() async {
    await letTasksGoOn()
    await runAll(dueBy: now)
  }

  /// Lets tasks go on, then moves the clock forward and runs what becomes due on the way, and lets tasks
  /// go on after each action.
  @MainActor
  public func advance(by interval: DispatchTimeInterval) async {
    await moveOn(to: now + Duration(interval))
  }

  /// Lets tasks go on, then moves the clock forward and runs what becomes due on the way, and lets tasks
  /// go on after each action.
  @MainActor
  public func advance(by interval: TimeInterval) async {
    await moveOn(to: now + Duration(interval))
  }

  /// Lets tasks go on, then moves the clock forward to `newDate` and runs what becomes due on the way,
  /// and lets tasks go on after each action.
  @MainActor
  public func advance(to newDate: Date) async {
    await moveOn(to: instant(of: newDate))
  }

  /// Runs everything that is scheduled, and what that and the tasks schedule that go on between, until
  /// nothing is left; the clock then shows the date of the last action. Stops the program when there
  /// is no end after 100,000 actions; `run(limit:)` throws instead.
  @MainActor
  public func run() async {
    do {
      try await run(limit: 100_000)
    } catch {
      preconditionFailure("Varve: \(error)")
    }
  }

  /// Runs everything that is scheduled, and what that and the tasks schedule that go on between, until
  /// nothing is left; the clock then shows the date of the last action.
  ///
  /// - Parameter limit: how many actions may run.
  /// - Throws: `RunLimitReached` when `limit` actions have run and more are scheduled. They stay
  ///   scheduled.
  @MainActor
  public func run(limit: Int) async throws(RunLimitReached) {
    await letTasksGoOn()
    var count = 0
    while count < limit, runOne(dueBy: Self.lastMoment) {
      count += 1
      await letTasksGoOn()
    }
    if count == limit { try stopIfMoreIsScheduled(after: limit) }
  }

  @MainActor
  private func moveOn(to instant: SchedulerInstant) async {
    precondition(instant >= now, "A clock is advanced forwards; `rewind` moves it back.")
    await letTasksGoOn()
    await runAll(dueBy: instant)
    showAtLeast(instant)
  }

  @MainActor
  private func runAll(dueBy instant: SchedulerInstant) async {
    while runOne(dueBy: instant) { await letTasksGoOn() }
  }

  /// Lets tasks go on until the ones that the clock has resumed have had their turn and, several times in
  /// a row, nobody has scheduled anything.
  ///
  /// There is no way to ask whether all tasks wait for something. A turn ends after every task that was
  /// ready when it began has begun to run, whatever its priority: so a task may change its executor once
  /// in each of the quiet turns before it schedules what it is waited for.
  @MainActor
  private func letTasksGoOn() async {
    let limit = ContinuousClock.now + .seconds(5)
    var (quietTurns, known) = (0, orders)
    while quietTurns < 10, ContinuousClock.now < limit {
      for priority in [TaskPriority.high, .medium, .low, .background] { await queueUp(priority) }
      await Task.yield()
      let isQuiet = orders == known && !resumedTasks.areBusy
      quietTurns = isQuiet ? quietTurns + 1 : 0
      known = orders
    }
  }

  /// Waits behind all who are ready to run at a priority off the main actor, then behind those on it.
  @MainActor
  private func queueUp(_ priority: TaskPriority) async {
    // Not the task's value: to wait for that would raise its priority.
    await withUnsafeContinuation { continuation in
      Task.detached(priority: priority) { continuation.resume() }
    }
  }
}
