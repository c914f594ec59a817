internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// `varve info FILE`
struct Info: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "What a trace is: program, time, how it ended, how much is in it, what is missing.",
    discussion: """
      Leaks, silences, storms, stale results and whatever else ought to be looked at are told, too. \
      To find them every event has to be read: of a trace with more than \(mostEvents) events only \
      where --findings asks for it.
      """)

  static let examples = [
    (command: "varve shop.varve", meaning: "the same, with a hint at what to do next"),
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
  @OptionGroup var output: OutputOptions
  @Flag(help: .hidden) var hint = false

  func run() throws {
    output.page()
    let trace = try OpenedTrace(files, output, answerSaysWhatIsMissing: format == .text)
    guard !threads else {
      let list = ThreadList(trace.reader)
      StandardOutput.write(format == .json ? list.json() : list.text(output.style))
      return try trace.end(found: !list.isEmpty)
    }
    switch format {
    case .json:
      StandardOutput.write(TraceSummaryJSON.text(trace.reader, findings: try objects(trace)))
    case .text:
      let text = TraceSummaryText(trace.reader, style: output.style).text()
      StandardOutput.write(try text + found(trace) + (hint ? next : ""))
    }
    try trace.end(found: true)
  }

  /// The greatest number of events that are searched without a request.
  private static let mostEvents: UInt64 = 200_000

  /// Returns the findings; nil if there was no search.
  private func lookedFor(_ trace: OpenedTrace, _ lookup: EventLookup) throws -> [Finding]? {
    guard findings ?? (trace.reader.events <= Self.mostEvents) else { return nil }
    let history = try TraceHistory(trace.reader)
    trace.report(history.passedOver)
    return Findings(history, trace.reader, lookup: lookup).all
  }

  private func found(_ trace: OpenedTrace) throws -> String {
    let reader = trace.reader
    let lookup = EventLookup(reader)
    // The summary already reports losses.
    guard let found = try lookedFor(trace, lookup) else {
      return "\n  nobody looked for leaks, silences, storms and the like: that takes reading every "
        + "event\n  \(TraceCommand(files).line("info", "--findings"))\n"
    }
    let told = found.filter { $0.kind != .loss }
    // Leaks need symbols to name the observing code. Otherwise none are loaded, which takes time.
    let symbols = told.contains { $0.kind == .leak } ? Symbolizer(reader.definitions) : nil
    let words = TraceWords(reader, pid: reader.pid, style: output.style, symbols: symbols)
    let text = FindingText(words, lookup: lookup, command: TraceCommand(files)).text(
      Array(told.prefix(8)))
    return text.isEmpty ? "" : "\n" + text
  }

  private func objects(_ trace: OpenedTrace) throws -> [String]? {
    let reader = trace.reader
    let lookup = EventLookup(reader)
    let words = TraceWords(reader, pid: reader.pid, style: .plain)
    let json = FindingJSON(words, lookup: lookup, command: TraceCommand(files))
    return try lookedFor(trace, lookup)?.map(json.object)
  }

  private var next: String {
    let command = TraceCommand(files)
    let hints = [
      (command.line("timeline"), "what happened, as marbles"),
      (command.line("streams", "--tree"), "which streams there are, and which feeds which"),
      (command.line("replay"), "every event"),
    ]
    let width = hints.map(\.0.count).max() ?? 0
    let lines = hints.enumerated().map { index, hint in
      let padding = String(repeating: " ", count: width - hint.0.count)
      return "\(index == 0 ? "next" : "    ")  \(hint.0)\(padding)  \(hint.1)\n"
    }
    return "\n" + lines.joined()
  }
}
