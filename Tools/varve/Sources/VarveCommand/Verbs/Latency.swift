internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// `varve latency FILE`
struct Latency: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows how long work waited at each scheduler, and how long it ran.")

  static let examples = [
    (command: "varve latency shop.varve", meaning: "which scheduler is slow?"),
    (command: "varve latency shop.varve --scheduler 'Queue*'", meaning: "only some of them"),
    (command: "varve latency shop.varve --since -10s", meaning: "the last ten seconds"),
  ]

  @Argument(help: TraceInput.help) var files: [String]
  @Option(help: ArgumentHelp("Only schedulers whose name matches.", valueName: "pattern"))
  var scheduler: [String] = []
  @OptionGroup var period: PeriodOptions
  @Option(help: ListFormat.help) var format = ListFormat.text
  @OptionGroup var symbols: SymbolOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    output.page()
    let patterns = try scheduler.map { name throws(SelectionError) in try NamePattern(name) }
    let selection = try period.selection(of: KindSelection(names: "hop"))
    var trace = try OpenedTrace(files, output)
    let reader = trace.reader
    let history = try TraceHistory(reader, selection)
    let names = reader.definitions.schedulers.mapValues(\.name)
    let chosen = history.hops.schedulers
      .filter { account in
        patterns.isEmpty
          || patterns.contains { $0.matches(names[account.id] ?? "scheduler \(account.id)") }
      }
      .sorted { ($1.behind.longest, $1.run.longest) < ($0.behind.longest, $0.run.longest) }
    let lookup = EventLookup(reader)
    let words = TraceWords(
      reader, pid: reader.header.process.pid, style: output.style,
      symbols: symbols.symbolizer(reader))
    if !chosen.isEmpty {
      switch format {
      case .text: StandardOutput.write(LatencyText(words, lookup: lookup).text(chosen))
      case .ndjson, .json, .csv: format.write(LatencyJSON(words).text(chosen), trace)
      }
    }
    trace.report(history.damage + lookup.damage, history.passedOver)
    let other = TraceCommand(files).line("timeline")
    try trace.end(
      found: !chosen.isEmpty,
      orSay: scheduler.isEmpty
        ? "no work was scheduled; when events came: \(other)" : "no scheduler matches")
  }
}
