internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// `varve info FILE`
struct Info: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "What a trace is, what in it ought to be looked at, and what to ask next.",
    discussion: """
      Program, time, how it ended, how much is in it, what is missing; then findings (leaks, \
      silences, storms, stale results and the like), of which the first has the line to look at \
      marked; then what to type for what you see. To find something, every event has to be read: \
      of a trace with more than \(mostEvents) events only where --findings asks \
      for it, as for JSON.
      """)

  static let examples = [
    (command: "varve shop.varve", meaning: "the same"),
    (command: "varve info shop.varve --threads", meaning: "its threads, by number"),
    (command: "varve info shop.varve --format json", meaning: "for scripts"),
  ]

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Argument(help: TraceInput.help) var files: [String]
  @Option(help: "text or json.") var format = Format.text
  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Read all events to find what ought to be looked at; by itself where there are not many."))
  var findings: Bool?
  @Flag(help: "All threads instead: number, name and system id.") var threads = false
  @OptionGroup var symbols: SymbolOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    output.page()
    var trace = try OpenedTrace(files, output, answerSaysWhatIsMissing: format == .text)
    guard !threads else {
      let list = ThreadList(trace.reader)
      StandardOutput.write(format == .json ? list.json() : list.text(output.style))
      return try trace.end(found: !list.isEmpty)
    }
    switch format {
    case .json:
      let damage = try trace.checkBlocks(upTo: OpenedTrace.checkedInASecond)
      let findings = try objects(&trace)
      StandardOutput.write(
        TraceSummaryJSON.text(trace.reader, damage: damage, findings: findings))
    case .text:
      // What the headers tell is there at once; findings take a while, and read the blocks anyway.
      let damage = try trace.checkBlocks(upTo: OpenedTrace.checkedAtOnce)
      let summary = TraceSummaryText(
        trace.reader, damage: damage, command: TraceCommand(files), style: output.style)
      StandardOutput.write(summary.text())
      let (text, history) = try found(&trace)
      let symptoms = SymptomText(
        trace.reader, history, command: TraceCommand(files), style: output.style)
      StandardOutput.write("\n" + text + symptoms.text())
    }
    try trace.end(found: true)
  }

  /// The greatest number of events that are searched without a request.
  private static let mostEvents: UInt64 = 10_000_000
  /// The number of findings that are shown.
  private static let mostShown = 8

  /// Returns the findings and the history that they are from.
  private func lookedFor(
    _ trace: inout OpenedTrace, _ lookup: EventLookup
  ) throws -> (findings: [Finding], history: TraceHistory) {
    let progress = Progress("findings", isQuiet: output.isQuiet)
    defer { progress.clear() }
    // Events are read for their history, then for the rules.
    let events = max(trace.reader.events, 1)
    let history = try TraceHistory(trace.reader) { progress.show($0, of: 2 * events) }
    let findings = Findings(history, trace.reader, lookup: lookup) {
      progress.show(events + $0, of: 2 * events)
    }
    progress.clear()
    trace.report(history.damage + lookup.damage, history.passedOver)
    return (findings.all, history)
  }

  private func found(_ trace: inout OpenedTrace) throws -> (text: String, history: TraceHistory?) {
    let reader = trace.reader
    let command = TraceCommand(files)
    guard findings ?? (reader.events <= Self.mostEvents) else {
      let text = FindingText.leftOut(
        events: reader.events, command: command.line("info", "--findings"), style: output.style)
      return (text, nil)
    }
    let lookup = EventLookup(reader)
    let (findings, history) = try lookedFor(&trace, lookup)
    // The summary already reports losses.
    let told = findings.filter { $0.kind != .loss }
    let symbolizer = symbols.symbolizer(reader)
    let words = TraceWords(reader, pid: reader.pid, style: output.style, symbols: symbolizer)
    let last =
      told.isEmpty ? nil : LastPlace(reader, history, lookup: lookup, symbols: symbolizer)
    let text = FindingText(words, lookup: lookup, command: command, lastPlace: last).page(
      Array(told.prefix(Self.mostShown)), of: told.count, ending: reader.ending)
    return (text, history)
  }

  private func objects(_ trace: inout OpenedTrace) throws -> [String]? {
    guard findings == true else { return nil }
    let reader = trace.reader
    let lookup = EventLookup(reader)
    let words = TraceWords(
      reader, pid: reader.pid, style: .plain, symbols: symbols.symbolizer(reader))
    let json = FindingJSON(words, lookup: lookup, command: TraceCommand(files))
    return try lookedFor(&trace, lookup).findings.map(json.object)
  }
}
