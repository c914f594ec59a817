public import Dispatch
public import Foundation

extension DateScheduler {
  /// Suspends the task until the clock has gone on by `interval`.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(
    for interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .seconds(0)
  ) async throws {
    try await sleep(
      until: currentDate.addingTimeInterval(Duration(interval).inSeconds), leeway: leeway)
  }

  /// Suspends the task until the clock shows `deadline`.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(
    until deadline: Date, leeway: DispatchTimeInterval = .seconds(0)
  ) async throws {
    try Task.checkCancellation()
    let (wakeups, wakeup) = AsyncStream<Void>.makeStream()
    let work = schedule(after: deadline) { wakeup.finish() }
    for await _ in wakeups {}
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
