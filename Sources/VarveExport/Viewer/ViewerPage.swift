public import VarveAnalysis
public import VarveFormat
internal import VarvePage

/// The viewer as a single file: the page, and inside of it the events of a trace and what was found
/// in it.
///
/// The file loads nothing, and its policy forbids loading. Of more events than it may hold, it has
/// the first ones, and says so.
public struct ViewerPage {
  /// The page.
  public let text: String
  /// Whether the selection has no event.
  public let isEmpty: Bool
  /// Blocks that could not be read.
  public let damage: [TraceFileError]
  /// What was passed over because it would have taken too much memory.
  public let passedOver: PassedOver

  /// The memory for the events in the page, in bytes.
  public static let mostBytes = 16 << 20
  /// The number of stacks that are looked up for samples of work.
  private static let mostStacks = 500
  /// The number of events up to which the page has findings: to search more takes seconds.
  private static let mostSearched: UInt64 = 10_000_000

  /// Draws a trace.
  ///
  /// - Parameters:
  ///   - reader: the trace.
  ///   - selection: the events to show.
  ///   - symbols: finds the places of operators, and the code in which threads were.
  ///   - files: the arguments that name the trace on the command line.
  ///   - other: another trace to compare it with, and the argument that names it.
  /// - Throws: a `SelectionError` whenever the selection names an event that is not there.
  public init(
    of reader: TraceReader, _ selection: Selection, symbols: Symbolizer, files: [String],
    against other: (reader: TraceReader, name: String)? = nil
  ) throws(SelectionError) {
    let words = TraceWords(reader, pid: reader.pid, style: .plain, symbols: symbols)
    let lookup = EventLookup(reader)
    let history = try TraceHistory(reader)
    let census = try StreamCensus(selection, in: reader)
    let first = TraceSpan(of: reader).ticks?.lowerBound ?? 0
    let collector = Self.collector(
      census, history.subscriptions.feeds, LanedTasks(reader), words, first)
    let missing = try Self.collect(reader, selection, into: collector)
    let command = TraceCommand(files)
    let (findings, report) = Self.diagnosis(reader, history, lookup, symbols, command)
    let (events, slices) = collector.finish()
    let omitted =
      collector.isFull ? JSONText.quoted(Self.omitted(collector.count, reader.events)) : "null"
    let parts = [
      (
        "trace",
        ViewerTrace(reader, first: first, files, damage: missing.damage + census.damage).json(
          collector.lanes, isCompared: other != nil)
      ),
      ("findings", Self.list(Self.objects(findings, words, lookup, command, collector))),
      ("omitted", omitted),
      (
        "diff",
        other.map {
          ViewerComparison.json(reader, files.joined(separator: " "), $0.reader, $0.name)
        } ?? "null"
      ),
      ("postmortem", report ?? "null"),
      ("slices", Self.list(slices)),
      ("lines", words.linesJSON(of: collector.stacks.prefix(Self.mostStacks))),
      ("events", Self.list(events)),
    ]
    text = SelfContainedPage.text(
      json: parts.reduce(JSONMembers()) { $0.adding($1.0, $1.1) }.text)
    isEmpty = collector.count == 0
    damage = missing.damage + census.damage + lookup.damage
    passedOver = missing.passedOver + history.passedOver
  }

  private static func collector(
    _ census: StreamCensus, _ feeds: Set<StreamEdge>, _ tasks: LanedTasks, _ words: TraceWords,
    _ first: UInt64
  ) -> ViewerEvents {
    var lanes = ViewerLanes(census, feeds: feeds, words, first: first)
    lanes.add(tasks)
    return ViewerEvents(lanes, words, first: first, most: mostBytes)
  }

  /// Returns findings as JSON objects.
  private static func objects(
    _ findings: [Finding], _ words: TraceWords, _ lookup: EventLookup, _ command: TraceCommand,
    _ events: ViewerEvents
  ) -> [String] {
    let texts = FindingText(words, lookup: lookup, command: command)
    return findings.map {
      ViewerFinding(words, texts, first: events.first)
        .object($0, lane: $0.stream.flatMap { events.lanes.lane(ofStream: $0) })
    }
  }

  /// Reads the events of a selection, as many as there is room for; returns what could not be read.
  private static func collect(
    _ reader: TraceReader, _ selection: Selection, into collector: ViewerEvents
  ) throws(SelectionError) -> (damage: [TraceFileError], passedOver: PassedOver) {
    var query = try EventQuery(selection, in: reader, columns: .all)
    query.run { page in
      page.forEachEvent { collector.add($0) }
      return !collector.isFull
    }
    return (query.damage, query.passedOver)
  }

  /// Returns what was found and, of a program that did not end by itself, the report of its end as
  /// JSON. Of a trace that is too long to search, nothing.
  private static func diagnosis(
    _ reader: TraceReader, _ history: TraceHistory, _ lookup: EventLookup, _ symbols: Symbolizer,
    _ command: TraceCommand
  ) -> ([Finding], report: String?) {
    guard history.events <= mostSearched else { return ([], nil) }
    let findings = Findings(history, reader, lookup: lookup)
    guard reader.ending.isEarly else { return (findings.all, nil) }
    let report = PostmortemText(
      reader, history, findings, lookup: lookup, symbols: symbols, command: command, style: .plain)
    return (findings.all, JSONMembers().adding("text", JSONText.quoted(report.text())).text)
  }

  /// Returns JSON values as an array, one on a line.
  private static func list(_ values: [String]) -> String {
    "[\n" + values.joined(separator: ",\n") + "\n]"
  }

  private static func omitted(_ shown: Int, _ all: UInt64) -> String {
    "This page has the first \(Counted.grouped(UInt64(shown))) events of \(Counted.grouped(all)). "
      + "Others are chosen with --since, --until and -n."
  }
}

extension TraceEnding {
  /// Whether the program did not end by itself.
  fileprivate var isEarly: Bool {
    switch self {
    case .crashed, .killed: true
    case .clean, .running: false
    }
  }
}
