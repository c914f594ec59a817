public import VarveAnalysis
internal import VarveFormat

/// Writes how long work waited and ran at each scheduler, one JSON object per scheduler.
///
/// The keys are a promise: `scheduler`, `work`, `cancelled`, `depth`, then `wait`, `behind` and
/// `run` with the members `p50_ns`, `p90_ns`, `p99_ns`, `max_ns` and `count`, and `slowest`: events
/// with `event` and `run_ns`.
public struct LatencyJSON {
  private let words: TraceWords

  /// Prepares to write about the schedulers of a trace.
  public init(_ words: TraceWords) { self.words = words }

  /// Returns the schedulers, one per line.
  public func text(_ schedulers: [SchedulerAccount]) -> String {
    schedulers.map { object($0) + "\n" }.joined()
  }

  private func object(_ account: SchedulerAccount) -> String {
    let slowest = account.slowest.map {
      "{\"event\":\($0.event.name.json),\"run_ns\":\($0.nanoseconds)}"
    }
    return JSONMembers()
      .adding("scheduler", JSONText.quoted(words.scheduler(account.id)))
      .adding("work", String(account.given))
      .adding("cancelled", String(account.cancelled))
      .adding("depth", String(account.deepest?.depth ?? 0))
      .adding("wait", histogram(account.wait))
      .adding("behind", histogram(account.behind))
      .adding("run", histogram(account.run))
      .adding("slowest", "[\(slowest.joined(separator: ","))]")
      .text
  }

  private func histogram(_ histogram: DurationHistogram) -> String {
    JSONMembers()
      .adding("p50_ns", String(histogram.quantile(0.5)))
      .adding("p90_ns", String(histogram.quantile(0.9)))
      .adding("p99_ns", String(histogram.quantile(0.99)))
      .adding("max_ns", String(histogram.longest))
      .adding("count", String(histogram.count))
      .text
  }
}
