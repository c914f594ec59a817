internal import VarveFormat
internal import VarveProbe

/// Finds streams that end and are started again over and over, without a value between: they fail, or
/// they complete so quickly that a thread does nothing else.
struct RepeatedFailures: FindingRule {
  /// Ends that followed each other without a value between.
  private struct Row {
    var ends: UInt64 = 0
    var first: EventMoment
    var last: EventMoment
  }

  private let facts: FindingFacts
  /// For each stream that restarts its input, the ends since its last value.
  private var rows: [UInt32: Row] = [:]
  private var longest: [UInt32: Row] = [:]
  /// The streams that are restarted, with those that restart them.
  private var restarting: [UInt32: UInt32] = [:]

  let kinds: Set<RecordKind> = [.failed, .completed, .value]
  var streams: Set<UInt32>? { Set(restarting.keys).union(restarting.values) }

  /// The smallest number of failures in a row; a program that tries a few times means to.
  private static let fewest: UInt64 = 10
  /// Failures that follow each other at least this quickly, in nanoseconds, keep a machine busy.
  private static let quick: UInt64 = 100_000_000
  /// The smallest number of completions in a row, and how quickly they follow each other at least, in
  /// nanoseconds: what asks again and again takes its time.
  private static let fewestCompletions: UInt64 = 1_000
  private static let restless: UInt64 = 1_000_000
  /// The memory for a stream, in bytes.
  private static let bytes = 256

  init?(_ facts: FindingFacts) {
    self.facts = facts
    for account in facts.history.streams
    where facts.is(account.stream, .restarts) {
      for input in facts.links.observed(by: account.stream) {
        let edge = StreamEdge(from: input, to: account.stream)
        guard let pair = facts.history.subscriptions.pair(edge),
          handlesFailure(account.stream)
            ? pair.failed >= Self.fewest : pair.count >= Self.fewestCompletions,
          facts.walk.take(Self.bytes)
        else { continue }
        restarting[input] = account.stream
      }
    }
    if restarting.isEmpty { return nil }
  }

  /// Returns whether a stream restarts its input after a failure, and not after a completion.
  private func handlesFailure(_ stream: UInt32) -> Bool { facts.is(stream, .handlesFailure) }

  mutating func note(_ event: FindingEvent) {
    if event.kind != .value {
      guard let stream = restarting[event.stream],
        handlesFailure(stream) == (event.kind == .failed)
      else { return }
      var row = rows[stream] ?? Row(first: event.moment, last: event.moment)
      row.ends += 1
      row.last = event.moment
      rows[stream] = row
    } else if event.kind == .value, let row = rows.removeValue(forKey: event.stream) {
      keep(row, of: event.stream)
    }
  }

  private mutating func keep(_ row: Row, of stream: UInt32) {
    if row.ends > longest[stream]?.ends ?? 0 { longest[stream] = row }
  }

  mutating func findings() -> [Finding] {
    for (stream, row) in rows { keep(row, of: stream) }
    return longest.sorted { $0.key < $1.key }.compactMap { stream, row in
      handlesFailure(stream) ? failing(stream, row) : restless(stream, row)
    }
  }

  private func failing(_ stream: UInt32, _ row: Row) -> Finding? {
    guard row.ends >= Self.fewest else { return nil }
    let time = facts.time.duration(from: row.first.ticks, to: row.last.ticks)
    let isQuick = time / row.ends <= Self.quick
    return Finding(
      .retries, weight: isQuick ? 90 : 60, place: .stream(stream),
      "\(stream: stream) started its input again after each of \(row.ends, "failure", "failures") in "
        + "\(nanoseconds: time), without a value between; the last one was "
        + "\(value: row.last.name)",
      stream: stream, evidence: [row.last.name, row.first.name])
  }

  private func restless(_ stream: UInt32, _ row: Row) -> Finding? {
    guard row.ends >= Self.fewestCompletions else { return nil }
    let time = facts.time.duration(from: row.first.ticks, to: row.last.ticks)
    guard time / row.ends <= Self.restless else { return nil }
    return Finding(
      .retries, weight: 92, place: .stream(stream),
      "\(stream: stream) started its input again each time it completed, \(row.ends, "time", "times") in "
        + "\(nanoseconds: time), without a value between and without a pause",
      stream: stream, evidence: [row.last.name, row.first.name])
  }
}
