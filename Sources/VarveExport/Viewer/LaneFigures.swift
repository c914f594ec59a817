internal import VarveAnalysis

/// What a stream did, as its lane's panel has it.
struct LaneFigures {
  private let subscriptions: UInt64
  private let values: UInt64
  private let failed: UInt64
  private let completed: UInt64
  private let interrupted: UInt64
  private let open: UInt64
  /// How often code read the property; nil if that was not counted.
  private let reads: UInt64?
  private let ticks: ClosedRange<UInt64>?

  init(_ summary: StreamSummary) {
    subscriptions = summary.subscriptions
    values = summary.values
    failed = summary.failed
    completed = summary.completed
    interrupted = summary.interrupted
    open = summary.open
    reads = nil
    ticks = summary.firstTick.flatMap { first in summary.lastTick.map { first...max($0, first) } }
  }

  init(_ tallies: LaneTallies, _ lane: Int) {
    subscriptions = tallies.count(lane, .subscribed)
    values = tallies.count(lane, .value)
    failed = tallies.count(lane, .failed)
    completed = tallies.count(lane, .completed)
    interrupted = tallies.count(lane, .interrupted)
    open = subscriptions - min(subscriptions, tallies.count(lane, .ended))
    reads = tallies.count(lane, .read)
    ticks = tallies.ticks(lane)
  }

  /// Whether the stream was made, and nothing more.
  var isEmpty: Bool {
    subscriptions + values + failed + completed + interrupted + (reads ?? 0) == 0
  }

  /// Adds the figures to a lane's object; ticks are counted from the first one of the trace.
  func members(of object: JSONMembers, from first: UInt64) -> JSONMembers {
    func tick(_ tick: UInt64?) -> String { tick.map { String($0 - min($0, first)) } ?? "null" }
    return object.adding("subscriptions", String(subscriptions))
      .adding("values", String(values)).adding("failed", String(failed))
      .adding("completed", String(completed)).adding("interrupted", String(interrupted))
      .adding("open", String(open))
      .adding("reads", reads.map { String($0) } ?? "null")
      .adding("first", tick(ticks?.lowerBound)).adding("last", tick(ticks?.upperBound))
  }
}
