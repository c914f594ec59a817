internal import Synchronization
public import VarveAnalysis
public import VarveFormat
internal import VarvePage
internal import VarvePlatform
internal import VarveProbe

/// A trace that the viewer's page asks questions about: the server's half of the viewer, without the
/// server.
///
/// Questions may be asked by several threads at once. The names and shapes of the answers are those
/// that the page's `ServerSource` reads.
public final class ViewerSession: Sendable {
  /// The arguments that name the trace.
  let files: [String]
  let symbols: ViewerSymbols
  /// Those of reports, which take long.
  private let reportSymbols: ViewerSymbols
  let reports: ViewerReports
  private let difference: ViewerDifference?
  private let current: Lock<ViewerSnapshot>
  private let growing: Lock<GrowingTrace>?
  /// The pass that is being made.
  private let count = Lock<TileCount?>(nil)
  private let isClosed = Atomic<Bool>(false)

  /// Opens a session. Reads no events.
  ///
  /// - Parameters:
  ///   - reader: the trace.
  ///   - files: the arguments that name it on the command line.
  ///   - symbols: makes what finds the places of operators and frames, of a trace's definitions.
  ///   - grows: whether to read on while the trace is being recorded.
  ///   - other: another trace to compare it with, and the argument that names it.
  public init(
    _ reader: TraceReader, files: [String],
    symbols: @escaping @Sendable (TraceDefinitions) -> Symbolizer, grows: Bool,
    against other: (reader: TraceReader, name: String)? = nil
  ) {
    self.files = files
    self.symbols = ViewerSymbols(symbols)
    reportSymbols = ViewerSymbols(symbols)
    reports = ViewerReports(TraceCommand(files))
    difference = other.map { ViewerDifference($0.reader, name: $0.name) }
    current = Lock(ViewerSnapshot(reader))
    growing = grows && reader.ending == .running ? Lock(GrowingTrace(reader)) : nil
  }

  /// Returns a file of the page, `index.html` or one that it loads, and its type.
  public static func file(_ name: String) -> (text: String, type: String)? {
    PageFile.named(name).map { ($0.text, $0.contentType) }
  }

  var snapshot: ViewerSnapshot { current.withLock { $0 } }

  /// Whether the pass over the trace has been made.
  public var isExact: Bool { snapshot.isExact }

  /// Counts all events, for exact pictures. To be called once, by a thread that may be busy for a
  /// while.
  ///
  /// - Parameters:
  ///   - parts: the number of parts to split the pass into, of 1 upward; a small trace has fewer
  ///   - alongside: runs the pass's parts at once, and returns when they are done
  public func countAll(
    parts: Int, _ alongside: (_ parts: Int, @escaping @Sendable (Int) -> Void) -> Void
  ) {
    while !isClosed.load(ordering: .relaxed) {
      let before = snapshot
      guard let planned = before.pyramid, !planned.isExact else { return }
      let count = TileCount(planned, parts: parts)
      self.count.withLock { $0 = count }
      alongside(count.parts) { part in _ = count.run(part: part) }
      guard !isClosed.load(ordering: .relaxed) else { return }
      let exact = before.with(count.finish())
      // A trace that is being recorded may have grown meanwhile, and is then counted again.
      current.withLock { if $0 === before { $0 = exact } }
      let search = FeedSearch(before.reader, parts: parts)
      alongside(search.parts) { part in search.run(part: part) }
      guard !isClosed.load(ordering: .relaxed) else { return }
      let ordered = exact.with(search.feeds)
      current.withLock { if $0 === exact { $0 = ordered } }
      findLongWork(of: ordered)
      self.count.withLock { $0 = nil }
    }
  }

  /// Finds what work goes on for long, and tells what is known of the first parts meanwhile.
  private func findLongWork(of ordered: ViewerSnapshot) {
    var latest = ordered
    func learn(_ work: LongWork) {
      let next = ordered.with(work)
      current.withLock { if $0 === latest { $0 = next } }
      latest = next
    }
    let work = LongWork(ordered) {
      if let soFar = $0 { learn(soFar) }
      return !isClosed.load(ordering: .relaxed)
    }
    guard !isClosed.load(ordering: .relaxed) else { return }
    learn(work)
  }

  /// Stops what is being done for nobody in particular.
  public func close() {
    isClosed.store(true, ordering: .relaxed)
    count.withLock { $0?.stop() }
  }

  /// How far the pass is.
  private var progress: (done: UInt64, total: UInt64) {
    count.withLock { $0?.progress } ?? (0, snapshot.reader.events)
  }

  /// Reads what a recording has written since; returns whether it goes on.
  private func refresh() -> Bool {
    guard let growing else { return false }
    let (latest, isOver) = growing.withLock { trace in
      try? trace.refresh()
      return (trace.latest, trace.isOver)
    }
    let before = snapshot
    if latest.events != before.reader.events || latest.ending != before.reader.ending {
      let planned = ViewerSnapshot(latest, after: before)
      var next = planned
      if let pyramid = planned.pyramid {
        let count = TileCount(pyramid, parts: 1)
        let search = FeedSearch(latest, parts: 1)
        search.run(part: 0)
        if count.run(part: 0) {
          next = planned.with(count.finish()).with(search.feeds).withLongWork()
        }
      }
      current.withLock { $0 = next }
    }
    return !isOver
  }
}

extension ViewerSession {
  /// Answers a question. Long ones are answered by messages, and given up when nobody wants them.
  public func answer(_ question: ViewerQuestion, _ messages: ViewerMessages) -> ViewerAnswer {
    let snapshot = self.snapshot
    switch question.name {
    case "trace": return .json(snapshot.json(files, isCompared: difference != nil))
    case "tiles": return tiles(question, snapshot)
    case "events":
      return ViewerEventAnswers(snapshot, patience: AnswerPatience(question)).events(question)
    case "values": return ViewerEventAnswers(snapshot).values(question)
    case "slices":
      return ViewerEventAnswers(snapshot, patience: AnswerPatience(question)).slices(question)
    case "state": return ViewerEventAnswers(snapshot).state(question)
    case "subscriptions": return ViewerEventAnswers(snapshot).subscriptions(question)
    case "lines": return symbols.with(snapshot) { ViewerEventAnswers(snapshot).lines(question, $0) }
    case "event": return symbols.with(snapshot) { ViewerCauseAnswers(snapshot, $0).event(question) }
    case "why": return symbols.with(snapshot) { ViewerCauseAnswers(snapshot, $0).why(question) }
    case "source":
      let definitions = snapshot.reader.definitions
      let lines = question["place"].flatMap { symbols.lines(of: $0, in: definitions) }
      return .json(lines ?? "null")
    case "findings":
      return reportSymbols.with(snapshot) { reports.findings(snapshot, $0, messages) }
    case "postmortem":
      return reportSymbols.with(snapshot) { reports.postmortem(snapshot, $0, messages) }
    case "latency": return reports.latency(snapshot, messages)
    case "silence":
      return reportSymbols.with(snapshot) { reports.silence(question, snapshot, $0, messages) }
    case "telling":
      return reportSymbols.with(snapshot) { reports.telling(question, snapshot, $0, messages) }
    case "search": return ViewerSearch(snapshot).run(question, messages)
    case "statistics": return ViewerStatistics(snapshot).run(question, messages)
    case "pyramid": return pyramid(messages)
    case "live": return live(messages)
    case "graph": return .json("null")
    case "diff":
      return difference?.send(snapshot, files, messages) ?? .missing("other to compare it with")
    default: return .refused("there is no such question")
    }
  }

  private func tiles(_ question: ViewerQuestion, _ snapshot: ViewerSnapshot) -> ViewerAnswer {
    guard let level = question.count("level", most: 64), let first = question.number("first"),
      let count = question.count("count", most: TilePyramid.mostTiles + 1)
    else { return .refused("tiles have a level, a first one and a count") }
    let lanes = question.lanes ?? []
    var (cells, isEstimate): ([UInt8], Bool) = ([], false)
    if let pyramid = snapshot.pyramid {
      guard let answer = pyramid.answer(level: level, first: first, count: count, lanes: lanes)
      else { return .refused("there are no such tiles") }
      (cells, isEstimate) = (answer.cells, answer.isEstimate)
    }
    let head = [UInt32(lanes.count), UInt32(count), isEstimate ? 1 : 0]
    let bytes = head.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    return .bytes(bytes + cells)
  }

  /// In microseconds.
  private static let shortPause: UInt32 = 50_000
  private static let livePause: UInt32 = 400_000

  private func pyramid(_ messages: ViewerMessages) -> ViewerAnswer {
    var told = 0
    while messages.isWanted(), !isClosed.load(ordering: .relaxed) {
      let now = snapshot
      if now.isWhole { break }
      let work = now.isOrdered ? now.work?.percent ?? 0 : 0
      let known = now.isOrdered ? 2 + work : now.isExact ? 1 : 0
      if known > told {
        messages.row("{\"exact\":true,\"ordered\":\(now.isOrdered),\"work\":\(work)}")
        told = known
      }
      let (done, total) = progress
      messages.progress(done, of: total)
      usleep(Self.shortPause)
    }
    messages.done("{}")
    return .sent
  }

  private func live(_ messages: ViewerMessages) -> ViewerAnswer {
    var seen = snapshot.generation
    var goesOn = true
    while goesOn, messages.isWanted(), !isClosed.load(ordering: .relaxed) {
      let began = ContinuousClock.now
      goesOn = refresh()
      let took = began.duration(to: .now)
      let now = snapshot
      if now.generation != seen {
        seen = now.generation
        messages.row("{\"events\":\(now.reader.events)}")
      }
      // Whether somebody still listens is found out by telling something.
      messages.progress(now.reader.events, of: now.reader.events)
      // A long trace takes a while to count again, and others want to ask, too.
      let pause = min(
        took.components.seconds * 1_000_000 + took.components.attoseconds / 1_000_000_000_000,
        10_000_000)
      if goesOn { usleep(Self.livePause + UInt32(pause) * 3) }
    }
    messages.done("{}")
    return .sent
  }
}
