internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Answers that need the whole trace: findings, the report of a crash, latencies, silences.
final class ViewerReports: Sendable {
  private let command: TraceCommand
  private let kept = Lock<Kept>(Kept())

  /// What was found out for one generation of the trace.
  private struct Kept {
    var generation = -1
    var findings: String?
    var report: String?
  }

  /// The number of events up to which findings are searched for: more take many seconds.
  private static let mostSearched: UInt64 = 10_000_000

  init(_ command: TraceCommand) { self.command = command }

  private func recall(_ snapshot: ViewerSnapshot, _ part: KeyPath<Kept, String?>) -> String? {
    kept.withLock { $0.generation == snapshot.generation ? $0[keyPath: part] : nil }
  }

  private func keep(
    _ snapshot: ViewerSnapshot, _ part: WritableKeyPath<Kept, String?>, _ json: String
  ) -> ViewerAnswer {
    kept.withLock {
      if $0.generation != snapshot.generation { $0 = Kept(generation: snapshot.generation) }
      $0[keyPath: part] = json
    }
    return .json(json)
  }

  // MARK: - What was found

  func findings(
    _ snapshot: ViewerSnapshot, _ names: ViewerNames, _ messages: ViewerMessages
  ) -> ViewerAnswer {
    if let known = recall(snapshot, \.findings) { return .json(known) }
    let reader = snapshot.reader
    guard reader.events <= Self.mostSearched else {
      let line = command.line("postmortem")
      return .json(
        "{\"findings\":[],\"note\":\(JSONText.quoted("This recording is too long to be searched here: \(line)"))}"
      )
    }
    guard let history = try? TraceHistory(reader) else { return .json("{\"findings\":[]}") }
    let lookup = EventLookup(reader)
    let words = snapshot.words(names.symbols)
    let texts = FindingText(words, lookup: lookup, command: command)
    let found = Findings(history, reader, lookup: lookup).all.map {
      ViewerFinding(words, texts, first: snapshot.first)
        .object($0, lane: $0.stream.flatMap { snapshot.lanes[.stream($0)] })
    }
    return keep(snapshot, \.findings, "{\"findings\":[\n\(found.joined(separator: ",\n"))\n]}")
  }

  func postmortem(_ snapshot: ViewerSnapshot, _ names: ViewerNames) -> ViewerAnswer {
    if let known = recall(snapshot, \.report) { return .json(known) }
    let reader = snapshot.reader
    guard let history = try? TraceHistory(reader) else { return .json("null") }
    let lookup = EventLookup(reader)
    let findings = Findings(history, reader, lookup: lookup)
    let report = PostmortemText(
      reader, history, findings, lookup: lookup, symbols: names.symbols, command: command,
      style: .plain)
    return keep(snapshot, \.report, "{\"text\":\(JSONText.quoted(report.text()))}")
  }

  // MARK: - Questions with progress

  func latency(_ snapshot: ViewerSnapshot, _ messages: ViewerMessages) -> ViewerAnswer {
    let source = InterruptibleSource(snapshot.reader, messages)
    var hops = Selection()
    hops.kinds = KindSelection([.hopScheduled, .hopBegan, .hopEnded, .hopCancelled])
    guard let history = try? TraceHistory(source, hops), !source.isInterrupted else { return .sent }
    let words = snapshot.words()
    let accounts = history.hops.schedulers.sorted {
      ($1.wait.longest, $1.id) < ($0.wait.longest, $0.id)
    }
    for account in accounts {
      messages.row(
        JSONMembers().adding("scheduler", JSONText.quoted(words.scheduler(account.id)))
          .adding(
            "lane", snapshot.lanes[.scheduler(account.id)].map { String($0) } ?? "null"
          )
          .adding("count", String(account.given))
          .adding("waits", Self.figures(account.wait)).adding("runs", Self.figures(account.run))
          .text)
    }
    messages.done("{}")
    return .sent
  }

  private static func figures(_ histogram: DurationHistogram) -> String {
    guard histogram.count > 0 else { return "null" }
    return """
      {"count":\(histogram.count),"p50":\(histogram.quantile(0.5)),\
      "p90":\(histogram.quantile(0.9)),"p99":\(histogram.quantile(0.99)),\
      "max":\(histogram.longest),"histogram":\(bars(histogram))}
      """
  }

  /// How many durations each twentieth part of them spans, on a scale of powers of two.
  private static func bars(_ histogram: DurationHistogram) -> String {
    var counts: [UInt64: UInt64] = [:]
    // The quantiles of a hundred ranks tell the shape.
    for part in 1...100 {
      let duration = histogram.quantile(Double(part) / 100)
      counts[
        duration < 2 ? duration : 1 << UInt64(63 - duration.leadingZeroBitCount), default: 0] +=
        1
    }
    let bars = counts.sorted { $0.key < $1.key }.map {
      "[\($0.key),\(max($0.value * histogram.count / 100, 1))]"
    }
    return "[" + bars.joined(separator: ",") + "]"
  }

  func silence(
    _ question: ViewerQuestion, _ snapshot: ViewerSnapshot, _ names: ViewerNames,
    _ messages: ViewerMessages
  ) -> ViewerAnswer {
    guard let lane = question.count("lane", most: .max), snapshot.lanes.all.indices.contains(lane),
      case .stream(let stream) = snapshot.lanes.all[lane]
    else {
      messages.failure("only a stream can be silent")
      return .sent
    }
    let source = InterruptibleSource(snapshot.reader, messages, passes: 2)
    let lookup = EventLookup(source)
    guard let history = try? TraceHistory(source), !source.isInterrupted else { return .sent }
    var facts = SilenceFacts(history, snapshot.reader.definitions, lookup: lookup)
    facts.learnFeeds(upstreamOf: stream, lookup)
    guard let stops = try? StreamStops(of: stream, in: facts, source, lookup: lookup),
      !source.isInterrupted
    else { return .sent }
    let text = SilenceText(snapshot.words(names.symbols), lookup: lookup, command: command)
      .text(Silence(of: stream, in: facts), stops)
    messages.done("{\"text\":\(JSONText.quoted(text))}")
    return .sent
  }
}
