public import Dispatch
public import Foundation

extension DateScheduler {
  /// Suspends the task until the clock has gone on by `interval`.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public nonisolated(nonsending) func sleep(
    for interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .seconds(0)
  ) async throws {
    try await sleep(
      until: currentDate.addingTimeInterval(Duration(interval).inSeconds), leeway: leeway)
  }

  /// Suspends the task until the clock shows `deadline`.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
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

  /// The dates that the clock shows every `interval`, from when this is called until the sequence is
  /// no longer waited for. Nothing is dropped: dates that nobody has asked for wait.
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

/// Whether this is the main thread; `Thread` does not tell asynchronous code.
private var isMainThread: Bool { Thread.isMainThread }
