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

  init(_ command: TraceCommand) { self.command = command }

  private func recall(_ snapshot: ViewerSnapshot, _ part: KeyPath<Kept, String?>) -> String? {
    kept.withLock { $0.generation == snapshot.generation ? $0[keyPath: part] : nil }
  }

  private func keep(
    _ snapshot: ViewerSnapshot, _ part: WritableKeyPath<Kept, String?>, _ json: String
  ) {
    kept.withLock {
      if $0.generation != snapshot.generation { $0 = Kept(generation: snapshot.generation) }
      $0[keyPath: part] = json
    }
  }

  // MARK: - What was found

  /// Sends what is known already, or what is found out now. What was interrupted is worthless.
  private func send(
    _ part: WritableKeyPath<Kept, String?>, _ snapshot: ViewerSnapshot,
    _ messages: ViewerMessages, _ find: (TraceReader, TraceHistory) -> String
  ) -> ViewerAnswer {
    if let known = recall(snapshot, part) {
      messages.done(known)
      return .sent
    }
    // For the history, and for the rules.
    let reading = InterruptibleReading(messages, of: snapshot.reader.events * 2)
    let reader = reading(snapshot.reader)
    guard let history = try? TraceHistory(reader), !reading.isInterrupted else { return .sent }
    let json = find(reader, history)
    guard !reading.isInterrupted else { return .sent }
    keep(snapshot, part, json)
    messages.done(json)
    return .sent
  }

  func findings(
    _ snapshot: ViewerSnapshot, _ names: ViewerNames, _ messages: ViewerMessages
  ) -> ViewerAnswer {
    send(\.findings, snapshot, messages) { reader, history in
      let lookup = EventLookup(reader)
      let words = snapshot.words(names.symbols)
      let texts = FindingText(words, lookup: lookup, command: command)
      let found = Findings(history, reader, lookup: lookup).all.map {
        ViewerFinding(words, texts, first: snapshot.first)
          .object($0, lane: $0.stream.flatMap { snapshot.lanes[.stream($0)] })
      }
      return "{\"findings\":[\(found.joined(separator: ","))]}"
    }
  }

  func postmortem(
    _ snapshot: ViewerSnapshot, _ names: ViewerNames, _ messages: ViewerMessages
  ) -> ViewerAnswer {
    send(\.report, snapshot, messages) { reader, history in
      let lookup = EventLookup(reader)
      let findings = Findings(history, reader, lookup: lookup)
      let report = PostmortemText(
        reader, history, findings, lookup: lookup, symbols: names.symbols, command: command,
        style: .plain)
      return "{\"text\":\(JSONText.quoted(report.text()))}"
    }
  }

  // MARK: - Questions with progress

  func latency(_ snapshot: ViewerSnapshot, _ messages: ViewerMessages) -> ViewerAnswer {
    let reading = InterruptibleReading(messages, of: snapshot.reader.events)
    let source = reading(snapshot.reader)
    var hops = Selection()
    hops.kinds = KindSelection([.hopScheduled, .hopBegan, .hopEnded, .hopCancelled])
    guard let history = try? TraceHistory(source, hops), !reading.isInterrupted else {
      return .sent
    }
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

  /// The greatest number of events in a trace that is searched for the step most worth reading.
  private static let mostSearched: UInt64 = 2_000_000

  /// The step most worth reading on the way to an event, as `varve why` marks it. Nothing, if the trace
  /// is long: whoever clicks from event to event does not wait for each.
  func telling(
    _ question: ViewerQuestion, _ snapshot: ViewerSnapshot, _ names: ViewerNames,
    _ messages: ViewerMessages
  ) -> ViewerAnswer {
    let reading = InterruptibleReading(messages, of: snapshot.reader.events * 2)
    let source = reading(snapshot.reader)
    let lookup = EventLookup(source)
    guard snapshot.reader.events <= Self.mostSearched,
      let graph = question["event"].flatMap({ EventName($0) })
        .flatMap({ CausalGraph(of: $0, in: lookup) }),
      let telling = try? telling(graph, source, lookup, names), !reading.isInterrupted
    else {
      messages.done("{}")
      return .sent
    }
    let words = snapshot.words(names.symbols)
    messages.done(CauseJSON(words, lookup: lookup).marked(telling)?.text ?? "{}")
    return .sent
  }

  private func telling(
    _ graph: CausalGraph, _ source: TraceReader, _ lookup: EventLookup, _ names: ViewerNames
  ) throws -> TellingStep? {
    let path = CausalPath(graph)
    guard let effect = path.steps.first?.event else { return nil }
    let history = try TraceHistory(source)
    var facts = SilenceFacts(history, source.definitions, lookup: lookup)
    facts.learnFeeds(upstreamOf: effect.stream, lookup)
    let decisions = try Decisions(
      path, graph, in: facts, source, lookup: lookup, symbols: names.symbols)
    guard !effect.isHop else { return TellingStep(decisions, []) }
    let stops = try StreamStops(
      of: effect.stream, in: facts, source, after: effect, lookup: lookup)
    return TellingStep(
      decisions, stops.stops, path, Findings(history, source, lookup: lookup).all)
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
    let reading = InterruptibleReading(messages, of: snapshot.reader.events * 2)
    let source = reading(snapshot.reader)
    let lookup = EventLookup(source)
    // A stretch is silent until the delivery of the stream's next value begins. What came before it is
    // known, too.
    var known = Selection()
    if let ticks = question.number("at").flatMap({ snapshot.ticks(from: $0, to: nil) }),
      let value = Self.firstValue(of: stream, in: ticks, source),
      let next = lookup.beginningOfDelivery(of: value)
    {
      known.until = .sinceStart(UInt64(max(source.nanoseconds(sinceStart: next) - 1, 0)))
    }
    guard let history = try? TraceHistory(source, known), !reading.isInterrupted else {
      return .sent
    }
    var facts = SilenceFacts(history, snapshot.reader.definitions, lookup: lookup)
    facts.learnFeeds(upstreamOf: stream, lookup)
    guard let stops = try? StreamStops(of: stream, in: facts, source, known, lookup: lookup),
      !reading.isInterrupted
    else { return .sent }
    let text = SilenceText(snapshot.words(names.symbols), lookup: lookup, command: command)
      .text(Silence(of: stream, in: facts), stops)
    messages.done("{\"text\":\(JSONText.quoted(text))}")
    return .sent
  }

  /// Returns the first value of a stream in a period.
  private static func firstValue(
    of stream: UInt32, in ticks: ClosedRange<UInt64>, _ source: TraceReader
  ) -> EventName? {
    var values = Selection()
    values.ticks = ticks
    values.streams = [stream]
    values.kinds = KindSelection([.value])
    var found: EventName?
    guard var query = try? EventQuery(values, in: source, columns: []) else { return nil }
    query.run { page in
      page.forEach { batch, index in found = found ?? batch.columns.name(index) }
      return found == nil
    }
    return found
  }
}
