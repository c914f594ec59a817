internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// `varve latency FILE`
struct Latency: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows how long work waited at each scheduler, and how long it ran.",
    discussion: """
      The first line marks what makes work wait: the operator that gives a scheduler more than it does, \
      the step that takes long, or what lets values wait by itself, as a flattening that runs one stream \
      at a time does. Of a program with tasks, it lists where these waited longest.
      """)

  static let examples = [
    (command: "varve latency shop.varve", meaning: "which scheduler is slow?"),
    (command: "varve latency shop.varve --scheduler 'Queue*'", meaning: "only some of them"),
    (command: "varve latency shop.varve --since -10s", meaning: "the last ten seconds"),
  ]

  @Argument(help: TraceInput.help, completion: .file()) var files: [String]
  @Option(help: ListFormat.help) var format = ListFormat.text
  @OptionGroup var symbols: SymbolOptions
  @OptionGroup var selection: SelectionOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    output.page()
    _ = try selection.selection()
    var trace = try OpenedTrace(files, output)
    let reader = trace.reader
    let wanted = try selection.selection(in: reader)
    let isStrange = selection.warnOfStrangers(wanted, reader.definitions)
    let patterns = wanted.schedulers
    let history = try TraceHistory(reader, try work(wanted, &trace))
    let names = reader.definitions.schedulers.mapValues(\.name)
    let chosen = history.hops.schedulers
      .filter { account in
        patterns.isEmpty
          || patterns.contains { $0.matches(names[account.id] ?? "scheduler \(account.id)") }
      }
      .sorted {
        ($1.behind.longest, $1.run.longest, $0.id) < ($0.behind.longest, $0.run.longest, $1.id)
      }
    let listed = selection.listed(chosen)
    let lookup = EventLookup(reader)
    // What objects contain is not cut for a terminal.
    let symbolizer = symbols.symbolizer(reader)
    let words = TraceWords(
      reader, pid: reader.header.process.pid, style: format == .text ? output.style : .plain,
      symbols: symbolizer)
    let pauses = try patterns.isEmpty ? StreamPauses(in: reader, wanted) : nil
    let awaits = try patterns.isEmpty ? AwaitTimes(in: reader, wanted) : nil
    trace.report(
      (pauses?.damage ?? []) + (awaits?.damage ?? []), awaits?.passedOver ?? PassedOver())
    // Guesses are about the whole recording.
    let isWhole = patterns.isEmpty && wanted.since == nil && wanted.until == nil
    // An answer about what is not there is no answer.
    guard !isStrange || !chosen.isEmpty else { return try trace.end(found: false) }
    let page = LatencyText(
      words, lookup: lookup, pauses: pauses?.all ?? [], awaits: awaits?.places ?? [],
      samples: WorkSamples(reader), slow: isWhole ? TaskSuspicions(reader, symbolizer).slow() : [],
      finding: isWhole ? try trace.findings(for: wanted)?.aboutDelay : nil)
    // A program may wait without any scheduler.
    let hasAnswer = !listed.isEmpty || page.hasPauses
    if hasAnswer || !chosen.isEmpty {
      switch format {
      case .text: StandardOutput.write(page.text(listed))
      case .ndjson, .json, .csv: format.write(LatencyJSON(words, page).text(listed), trace)
      }
    }
    trace.report(history.damage + lookup.damage, history.passedOver)
    let other = output.command(files).line("timeline")
    let nothing =
      patterns.isEmpty
      ? "no work that matches was scheduled; when events came: \(other)"
      : "no scheduler matches"
    try trace.end(found: hasAnswer, orSay: isStrange ? nil : nothing)
  }

  /// Returns the selection of records about work that the flags choose.
  private func work(_ wanted: Selection, _ trace: inout OpenedTrace) throws -> Selection {
    var work = wanted
    // Schedulers are chosen by their accounts, and the numbers of events are about what is listed.
    (work.schedulers, work.head, work.tail) = ([], nil, nil)
    if work.kinds.isAll { work.kinds = try KindSelection(names: "hop") }
    guard
      wanted.choosesStreams || !wanted.excluded.isEmpty || wanted.condition != nil
        || !wanted.threads.isEmpty
    else { return work }
    // Work has neither a stream nor a value: what made it be scheduled is chosen, and of its records,
    // which are on several threads, its beginning.
    let chosen = try ChosenWork(of: work, in: trace.reader)
    trace.report(chosen.damage, chosen.passedOver)
    (work.names, work.excluded, work.streams, work.condition) = ([], [], nil, nil)
    work.threads = []
    // No hop has the number 0: none is chosen, not all.
    work.subscriptions.formUnion(chosen.hops.isEmpty ? [0] : chosen.hops)
    return work
  }
}
