public import Dispatch
public import Foundation

extension DateScheduler {
  /// Suspends the task until the clock has advanced by `interval`.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public nonisolated(nonsending) func sleep(
    for interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .seconds(0)
  ) async throws {
    try await sleep(
      until: currentDate.addingTimeInterval(Duration(interval).inSeconds), leeway: leeway)
  }

  /// Suspends the task until the clock shows `deadline`.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public nonisolated(nonsending) func sleep(
    until deadline: Date, leeway: DispatchTimeInterval = .seconds(0)
  ) async throws {
    try Task.checkCancellation()
    let resumed = (self as? TestScheduler)?.resumedTasks
    let task = withUnsafeCurrentTask { $0.hashValue }
    let sleep = resumed?.sleeps(task) ?? 0
    let (wakeups, wakeup) = AsyncStream<Void>.makeStream()
    let work = schedule(after: deadline) {
      resumed?.resumes(sleep)
      wakeup.finish()
    }
    for await _ in wakeups {}
    resumed?.goesOn(task, after: sleep, onMainThread: isMainThread)
    work?.dispose()
    try Task.checkCancellation()
  }

  /// Returns a sequence of the dates that the clock shows every `interval`, from this call until
  /// the iteration ends. Dates that have not been consumed are buffered, without a bound.
  public func timer(
    interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .seconds(0)
  ) -> AsyncStream<Date> {
    AsyncStream { continuation in
      let work = schedule(after: interval, interval: interval, leeway: leeway) {
        continuation.yield(self.currentDate)
      }
      continuation.onTermination = { _ in work?.dispose() }
    }
  }
}

/// Whether this is the main thread. A separate property, because asynchronous code cannot use
/// `Thread.isMainThread`.
private var isMainThread: Bool { Thread.isMainThread }
