internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

extension Export {
  /// The collector to send to, if the options or variables name one. Variables alone do not make an
  /// export that has a file go elsewhere.
  func collector() throws -> CollectorEndpoint? {
    guard format == .otlp else {
      if otlp != nil { throw CommandEnd(.wrongUsage, "--otlp goes with --format otlp") }
      return nil
    }
    if otlp != nil, target != nil {
      throw CommandEnd(.wrongUsage, "--otlp sends to a collector and -o writes a file; choose one")
    }
    return target == nil ? try CollectorEndpoint(option: otlp) : nil
  }

  /// Sends a trace to a collector.
  func send(
    to endpoint: CollectorEndpoint, _ trace: inout OpenedTrace, _ selection: Selection,
    orSay nothing: String?
  ) throws {
    let reader = trace.reader
    let client = CollectorClient(endpoint, isQuiet: output.isQuiet)
    let requests = OTLPRequests { client.post($0, spans: $1) }
    let count: UInt64
    if follow {
      var run = CollectorRun(selection, client, requests)
      let symbolizer = symbols.symbolizer(reader)
      try run.run(from: reader, symbols: symbolizer)
      count = run.count
      trace.report(run.damage, run.passedOver)
    } else {
      var query = try EventQuery(selection, in: reader, columns: .all)
      let words = TraceWords(
        reader, pid: reader.pid, style: .plain, symbols: symbols.symbolizer(reader))
      var exporter = OTLPExporter(
        words, header: reader.header, losses: query.filter.losses, requests: requests)
      let progress = Progress("export", isQuiet: output.isQuiet)
      let span = TraceSpan(of: reader).ticks ?? 0...0
      exporter.begin()
      query.run { page in
        exporter.write(page)
        let tick = page.lastTick ?? 0
        progress.show(tick - min(span.lowerBound, tick), of: span.upperBound - span.lowerBound)
        return client.failure == nil
      }
      exporter.end()
      progress.clear()
      count = query.count
      trace.report(query.damage, exporter.passedOver)
    }
    if client.rejected > 0 || !client.remark.isEmpty {
      let remark = client.remark.isEmpty ? "" : ": \(client.remark)"
      trace.note([
        "the collector took \(client.taken) spans and refused \(client.rejected)\(remark)"
      ])
    }
    if let failure = client.failure { throw failure }
    if !output.isQuiet {
      Messages.plain("varve: sent \(client.taken) spans to http://\(endpoint.authority)")
    }
    // The answer is not whole: a script has to notice.
    if client.rejected > 0 { throw CommandEnd(.damaged) }
    try trace.end(found: count > 0, orSay: nothing)
  }
}

/// Sends the events of a trace to a collector while it is being recorded.
struct CollectorRun {
  private(set) var count: UInt64 = 0
  private(set) var damage: [TraceFileError] = []
  private(set) var passedOver = PassedOver()

  private var selection: Selection
  private let client: CollectorClient
  private let requests: OTLPRequests
  private var exporter: OTLPExporter?

  private static let period = Duration.milliseconds(500)
  /// As in `FollowRun`: the threads are not read all at once.
  private static let settling: UInt64 = 2_000_000

  init(_ selection: Selection, _ client: CollectorClient, _ requests: OTLPRequests) {
    self.selection = selection
    self.client = client
    self.requests = requests
  }

  /// Sends what there is, and what comes, until the recording ends.
  mutating func run(from opened: TraceReader, symbols: Symbolizer) throws {
    var trace = GrowingTrace(opened)
    var follower = TraceFollower()
    var moment = FollowRun.now
    while client.failure == nil {
      let limit = trace.isOver ? nil : settled(trace.latest, at: moment)
      try send(follower.take(trace.parts, upTo: limit), trace.latest, symbols)
      trace.close(where: follower.hasTakenAll)
      if trace.isOver { break }
      Sleep.sleep(Self.period)
      moment = FollowRun.now
      do {
        try trace.refresh()
      } catch {
        throw CommandEnd(.unreadable, error.description)
      }
    }
    exporter?.end()
    if let exporter { passedOver = passedOver + exporter.passedOver }
  }

  private mutating func send(
    _ fresh: FreshEvents, _ reader: TraceReader, _ symbols: Symbolizer
  ) throws {
    guard !fresh.blocks.isEmpty else { return }
    var query = try EventQuery(selection, in: fresh, columns: .all)
    let words = TraceWords(fresh, pid: reader.pid, style: .plain, symbols: symbols)
    var exporter: OTLPExporter
    if let earlier = self.exporter {
      exporter = earlier
      exporter.goOn(with: words)
    } else {
      exporter = OTLPExporter(
        words, header: reader.header, losses: query.filter.losses, requests: requests)
      exporter.begin()
    }
    query.run { page in
      exporter.write(page)
      return client.failure == nil
    }
    // Spans that have ended are not kept waiting for others.
    requests.send()
    self.exporter = exporter
    count += query.count
    damage += query.damage
    passedOver = passedOver + query.passedOver
    switch selection.since {
    // Limits given by the trace's length or by an event were resolved in the first pass.
    case .beforeEnd, .part, .event: selection.since = nil
    case .sinceStart, .wall, nil: break
    }
  }

  private func settled(_ reader: TraceReader, at moment: UInt64) -> UInt64? {
    guard reader.header.clock != .byHand else { return nil }
    let since = Int64(clamping: moment) - Int64(clamping: reader.header.anchor.monotonic)
    return reader.time.ticks(sinceStart: max(0, since - Int64(Self.settling)))
  }
}
