public import Dispatch
public import Foundation

// The asynchronous forms let tasks continue between one due action and the next, so that a task
// sees the date at which it was to be resumed, and the actions that it then schedules become due on
// the way.

extension TestScheduler {
  /// Lets tasks continue, then runs the actions that are due now, and lets tasks continue after
  /// each.
  @MainActor
  public func advance() async {
    await letTasksGoOn()
    await runAll(dueBy: now)
  }

  /// Lets tasks continue, then moves the clock forward and runs the actions that become due on the
  /// way, and lets tasks continue after each.
  @MainActor
  public func advance(by interval: DispatchTimeInterval) async {
    await moveOn(to: now + Duration(interval))
  }

  /// Lets tasks continue, then moves the clock forward and runs the actions that become due on the
  /// way, and lets tasks continue after each.
  @MainActor
  public func advance(by interval: TimeInterval) async {
    await moveOn(to: now + Duration(interval))
  }

  /// Lets tasks continue, then moves the clock forward to `newDate` and runs the actions that
  /// become due on the way, and lets tasks continue after each.
  @MainActor
  public func advance(to newDate: Date) async {
    await moveOn(to: instant(of: newDate))
  }

  /// Runs all scheduled actions, including those that actions and tasks schedule on the way, until
  /// none is left. The clock then shows the date of the last action. Stops the program after
  /// 100,000 actions if more are scheduled; `run(limit:)` throws instead.
  @MainActor
  public func run() async {
    do {
      try await run(limit: 100_000)
    } catch {
      preconditionFailure("Varve: \(error)")
    }
  }

  /// Runs all scheduled actions, including those that actions and tasks schedule on the way, until
  /// none is left. The clock then shows the date of the last action.
  ///
  /// - Parameter limit: the greatest number of actions to run.
  /// - Throws: `RunLimitReached` if `limit` actions have run and more are scheduled, which stay
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

  /// Lets tasks continue until those that the clock has resumed have run and, for several turns in
  /// a row, nothing was scheduled.
  ///
  /// There is no way to find out whether all tasks are suspended. A turn ends after every task that
  /// was ready at its beginning has begun to run, whatever its priority, so a task may change its
  /// executor once in each of the quiet turns before it schedules the awaited action.
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

  /// Waits for all tasks that are ready to run at a priority off the main actor, then for those on
  /// it.
  @MainActor
  private func queueUp(_ priority: TaskPriority) async {
    // Does not await the task's value, because that would raise its priority.
    await withUnsafeContinuation { continuation in
      Task.detached(priority: priority) { continuation.resume() }
    }
  }
}
