internal import VarveFormat
internal import VarveProbe

/// Finds streams that fail and are started again over and over, without a value between.
struct RepeatedFailures: FindingRule {
  /// Failures that followed each other without a value between.
  private struct Row {
    var failures: UInt64 = 0
    var first: EventMoment
    var last: EventMoment
  }

  private let facts: FindingFacts
  /// For each stream that restarts its input, the failures since its last value.
  private var rows: [UInt32: Row] = [:]
  private var longest: [UInt32: Row] = [:]
  /// The streams that are restarted, with those that restart them.
  private var restarting: [UInt32: UInt32] = [:]

  let kinds: Set<RecordKind> = [.failed, .value]
  var streams: Set<UInt32>? { Set(restarting.keys).union(restarting.values) }

  /// The smallest number of failures in a row; a program that tries a few times means to.
  private static let fewest: UInt64 = 10
  /// Failures that follow each other at least this quickly, in nanoseconds, keep a machine busy.
  private static let quick: UInt64 = 100_000_000
  /// The memory for a stream, in bytes.
  private static let bytes = 256

  init?(_ facts: FindingFacts) {
    self.facts = facts
    for account in facts.history.streams
    where facts.is(account.stream, [.handlesFailure, .restarts]) {
      for input in facts.links.observed(by: account.stream) {
        let edge = StreamEdge(from: input, to: account.stream)
        guard facts.history.subscriptions.pair(edge)?.failed ?? 0 >= Self.fewest,
          facts.walk.take(Self.bytes)
        else { continue }
        restarting[input] = account.stream
      }
    }
    if restarting.isEmpty { return nil }
  }

  mutating func note(_ event: FindingEvent) {
    if event.kind == .failed, let stream = restarting[event.stream] {
      var row = rows[stream] ?? Row(first: event.moment, last: event.moment)
      row.failures += 1
      row.last = event.moment
      rows[stream] = row
    } else if event.kind == .value, let row = rows.removeValue(forKey: event.stream) {
      keep(row, of: event.stream)
    }
  }

  private mutating func keep(_ row: Row, of stream: UInt32) {
    if row.failures > longest[stream]?.failures ?? 0 { longest[stream] = row }
  }

  mutating func findings() -> [Finding] {
    for (stream, row) in rows { keep(row, of: stream) }
    return longest.sorted { $0.key < $1.key }.compactMap { stream, row in
      guard row.failures >= Self.fewest else { return nil }
      let time = facts.time.duration(from: row.first.ticks, to: row.last.ticks)
      let isQuick = time / row.failures <= Self.quick
      return Finding(
        .retries, weight: isQuick ? 90 : 60, place: .stream(stream),
        "\(stream: stream) started its input again after each of \(row.failures, "failure", "failures") in "
          + "\(nanoseconds: time), without a value between; the last one was "
          + "\(value: row.last.name)",
        stream: stream, evidence: [row.last.name, row.first.name])
    }
  }
}
