internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// `varve postmortem FILE`
struct Postmortem: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "One page after a crash: how it ended, what each thread was doing, what was left.",
    discussion: """
      How the program ended; what ought to be looked at (leaks, silences, storms, stale results, \
      backlogs, failures, recursion, losses), each with its evidence; the last events of each thread and how it \
      came there; work that was queued and never ran; what was observed and never ended; tasks that had \
      not ended. To find leaks and the like, every event has to be read twice: of a trace with more than \
      \(mostEvents) events only where --findings asks for it. Tasks that nobody resumes, and threads and \
      tasks that wait for each other, are always looked for.
      """)

  static let examples = [
    (command: "varve postmortem shop.varve", meaning: "what happened?"),
    (command: "varve postmortem shop.varve > report.txt", meaning: "for a report"),
    (command: "varve postmortem long.varve --findings", meaning: "all that can be found"),
  ]

  @Argument(help: TraceInput.help, completion: .file()) var files: [String]
  @Option(help: ListFormat.help) var format = ListFormat.text
  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Read all events to find what ought to be looked at; by itself where there are not many."))
  var findings: Bool?
  @OptionGroup var symbols: SymbolOptions
  @OptionGroup var selection: SelectionOptions
  @OptionGroup var output: OutputOptions

  /// The greatest number of events that are searched without a request: more than on the first page, since
  /// what ran in a circle until it was killed may leave as many in half a minute.
  static let mostEvents: UInt64 = 40_000_000

  func run() throws { try run(ofOneEnded: nil) }

  /// Shows the page of a program of which it is known, from elsewhere, who ended it and why.
  func run(ofOneEnded end: String?) throws {
    output.page()
    _ = try selection.selection()
    var trace = try OpenedTrace(files, output, answerSaysWhatIsMissing: true)
    let damage = try trace.checkBlocks(upTo: OpenedTrace.checkedInASecond)
    let reader = trace.reader
    let chosen = try selection.selection(in: reader)
    let isStrange = selection.warnOfStrangers(chosen, reader.definitions)
    let choice = try EventChoice(chosen, in: reader)
    let lookup = EventLookup(reader)
    // Where all that happened is read, it is read for its history, then for the rules.
    let isSearched = findings ?? (reader.events <= Self.mostEvents)
    let progress = isSearched ? Progress("postmortem", isQuiet: output.isQuiet) : nil
    if !isSearched { ReadingProgress.begin(of: reader, isQuiet: output.isQuiet) }
    let events = max(trace.events, 1)
    let scope = isSearched ? TraceHistory.Scope.everything : .ending
    let history = try TraceHistory(reader, chosen.times, scope: scope) {
      progress?.show($0, of: 2 * events)
    }
    // What had happened is told from the start on, whatever part is asked about.
    let past = chosen.past
    let told =
      chosen.since == nil && chosen.ticks == nil
      ? history : try TraceHistory(reader, past, scope: scope)
    var found = Findings(told, reader, lookup: lookup) {
      progress?.show(events + $0, of: 2 * events)
    }
    if past.until != nil || past.ticks != nil {
      found.confirm(
        by: Findings(try TraceHistory(reader, scope: scope), reader, lookup: lookup))
    }
    progress?.clear()
    found.choose { selection.listed($0.filter { choice.contains($0) }) }
    let symbolizer = symbols.symbolizer(reader)
    let passedOver: PassedOver
    switch format {
    case .text:
      let page = PostmortemText(
        reader, history, found, lookup: lookup, damage: damage, symbols: symbolizer,
        command: output.command(files), style: output.style, choice: choice,
        end: end)
      passedOver = page.passedOver
      StandardOutput.write(page.text())
    case .ndjson, .json, .csv:
      let objects = PostmortemJSON(
        reader, history, found, lookup: lookup, damage: damage, symbols: symbolizer,
        command: TraceCommand(files), choice: choice)
      passedOver = objects.passedOver
      var lines = ""
      objects.write { lines += $0 }
      format.write(lines, trace)
    }
    if !output.isQuiet { for warning in symbolizer.warnings { Messages.warning(warning) } }
    // The backtraces and the history report on the same work.
    trace.report(
      history.damage + lookup.damage + choice.damage,
      history.passedOver.merged(passedOver).merged(choice.passedOver))
    try trace.end(found: !isStrange)
  }
}
