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
      for it, as for JSON. The flags that select events choose the findings and the threads, and a \
      line tells how much of the trace they choose.
      """)

  static let examples = [
    (command: "varve shop.varve", meaning: "the same"),
    (command: "varve info shop.varve --threads", meaning: "its threads, by number"),
    (command: "varve info shop.varve --since -10s", meaning: "what happened in the end?"),
    (command: "varve info shop.varve --format json", meaning: "for scripts"),
  ]

  @Argument(help: TraceInput.help, completion: .file()) var files: [String]
  @Option(help: ListFormat.help) var format = ListFormat.text
  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Read all events to find what ought to be looked at; by itself where there are not many."))
  var findings: Bool?
  @Flag(help: "All threads instead: number, name and system id.") var threads = false
  @OptionGroup var symbols: SymbolOptions
  @OptionGroup var selection: SelectionOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    output.page()
    _ = try selection.selection()
    var trace = try OpenedTrace(files, output, answerSaysWhatIsMissing: format == .text)
    // What the headers tell is there at once; findings take a while, and read the blocks anyway.
    let most = format == .text ? OpenedTrace.checkedAtOnce : OpenedTrace.checkedInASecond
    let damage = try threads ? nil : trace.checkBlocks(upTo: most)
    let reader = trace.reader
    let wanted = try selection.selection(in: reader)
    let isStrange = selection.warnOfStrangers(wanted, reader.definitions)
    let choice = try EventChoice(wanted, in: reader)
    let isAll = choice.isEverything && selection.head == nil && selection.tail == nil
    let chosen = try isAll ? nil : ChosenSummary(wanted, in: reader)
    let isFound = chosen.map { $0.events > 0 } ?? true
    guard !threads else {
      let list = ThreadList(reader, only: chosen?.rings)
      switch format {
      case .text: if !list.isEmpty { StandardOutput.write(list.text(output.style)) }
      case .ndjson, .json, .csv: format.write(list.json(), trace)
      }
      trace.report(chosen?.damage ?? [], chosen?.passedOver ?? PassedOver())
      return try trace.end(
        found: !list.isEmpty,
        orSay: isStrange || isAll ? nil : trace.nothingMatches(selection, wanted))
    }
    switch format {
    case .json, .ndjson, .csv:
      let findings = try objects(&trace, choice)
      if format == .json {
        StandardOutput.write(
          TraceSummaryJSON.text(reader, damage: damage, findings: findings, chosen: chosen))
      } else {
        format.write(
          TraceSummaryJSON.line(reader, damage: damage, findings: findings, chosen: chosen), trace)
      }
    case .text:
      let summary = TraceSummaryText(
        reader, damage: damage, command: output.command(files), style: output.style)
      StandardOutput.write(summary.text() + (chosen?.text(output.style) ?? ""))
      let (text, history) = try found(&trace, choice)
      let symptoms = SymptomText(
        reader, history, command: output.command(files), style: output.style)
      StandardOutput.write("\n" + text + symptoms.text())
    }
    trace.report(
      (chosen?.damage ?? []) + choice.damage,
      (chosen?.passedOver ?? PassedOver()).merged(choice.passedOver))
    try trace.end(found: isFound, orSay: isStrange ? nil : trace.nothingMatches(selection, wanted))
  }

  /// The greatest number of events that are searched without a request.
  static let mostEvents: UInt64 = 10_000_000
  /// The number of findings that are shown.
  private static let mostShown = 8

  /// Returns the findings and the history that they are from.
  private func lookedFor(
    _ trace: inout OpenedTrace, _ choice: EventChoice, _ lookup: EventLookup
  ) throws -> (findings: [Finding], history: TraceHistory) {
    let progress = Progress("findings", isQuiet: output.isQuiet)
    defer { progress.clear() }
    // Events are read for their history, then for the rules.
    let events = max(trace.reader.events, 1)
    // What had happened is told from the start on, whatever part is asked about.
    let past = choice.selection.past
    let history = try TraceHistory(trace.reader, past) { progress.show($0, of: 2 * events) }
    var findings = Findings(history, trace.reader, lookup: lookup) {
      progress.show(events + $0, of: 2 * events)
    }
    if past.until != nil || past.ticks != nil {
      findings.confirm(
        by: Findings(try TraceHistory(trace.reader), trace.reader, lookup: lookup))
    }
    progress.clear()
    findings.choose { selection.listed($0.filter { choice.contains($0) }) }
    trace.report(history.damage + lookup.damage, history.passedOver)
    return (findings.all, history)
  }

  private func found(
    _ trace: inout OpenedTrace, _ choice: EventChoice
  ) throws -> (text: String, history: TraceHistory?) {
    let reader = trace.reader
    let command = output.command(files)
    guard findings ?? (reader.events <= Self.mostEvents) else {
      let text = FindingText.leftOut(
        events: reader.events, command: command.line("info", "--findings"), style: output.style)
      return (text, nil)
    }
    let lookup = EventLookup(reader)
    let (findings, history) = try lookedFor(&trace, choice, lookup)
    // The summary already reports losses.
    let told = findings.filter { $0.kind != .loss }
    let symbolizer = symbols.symbolizer(reader)
    let words = TraceWords(reader, pid: reader.pid, style: output.style, symbols: symbolizer)
    // A program that was killed may have been waiting as it should; one that crashed had a reason.
    let last =
      reader.ending.isCrash || !told.isEmpty
      ? LastPlace(reader, history, lookup: lookup, symbols: symbolizer) : nil
    let text = FindingText(words, lookup: lookup, command: command, lastPlace: last).page(
      Array(told.prefix(Self.mostShown)), of: told.count, isEmpty: reader.events == 0,
      ending: reader.ending, lacksEvents: reader.losses.contains { $0.reason != .notKept })
    return (text, history)
  }

  private func objects(_ trace: inout OpenedTrace, _ choice: EventChoice) throws -> [String]? {
    guard findings == true else { return nil }
    let reader = trace.reader
    let lookup = EventLookup(reader)
    let words = TraceWords(
      reader, pid: reader.pid, style: .plain, symbols: symbols.symbolizer(reader))
    let json = FindingJSON(words, lookup: lookup, command: TraceCommand(files))
    return try lookedFor(&trace, choice, lookup).findings.map(json.object)
  }
}
