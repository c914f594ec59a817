internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// `varve diff A B`
struct Diff: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Compares two runs, aligned by stream and event: where they first differ, and a summary.",
    discussion: """
      Values, failures and ends are compared, the first of each stream with the first, the second with \
      the second. Of tasks that the same code made, with one name, it is compared how many there were, \
      failed, were cancelled, and had not ended; not if events are chosen otherwise than by name. Times, \
      threads and names of events are not. The status is 1 when they differ. \
      It is 4 when a part of a trace is damaged, and when no difference was found but not all was \
      compared: of the streams that a trace does not define, 65,536 are.
      """)

  static let examples = [
    (command: "varve diff good.varve bad.varve", meaning: "what went differently?"),
    (
      command: "varve diff good.varve bad.varve -n 'search*'",
      meaning: "what went differently in these streams?"
    ),
  ]

  @Argument(help: "A trace.", completion: .file()) var left: String
  @Argument(help: "The other trace.", completion: .file()) var right: String
  @Option(help: ListFormat.help) var format = ListFormat.text
  @OptionGroup var selection: SelectionOptions
  @OptionGroup var symbols: SymbolOptions
  @OptionGroup var output: OutputOptions

  /// Returns whether a selection has any event of a trace.
  private static func hasEvents(_ selection: Selection, _ reader: TraceReader) throws -> Bool {
    var first = selection
    (first.head, first.tail) = (1, nil)
    var query = try EventQuery(first, in: reader, columns: [.kinds])
    var isFound = false
    query.run { page in
      isFound = !page.due.isEmpty
      return !isFound
    }
    return isFound || reader.events == 0
  }

  /// Compares tasks, if there are any, and events are chosen by names alone.
  private func tasks(
    _ one: inout OpenedTrace, _ other: inout OpenedTrace, _ chosen: (Selection, Selection)
  ) throws -> TaskComparison? {
    guard TraceTasks.areRecorded(in: one.reader) || TraceTasks.areRecorded(in: other.reader),
      [chosen.0, chosen.1].allSatisfy({ $0.isOfNames && $0.since == nil && $0.until == nil }),
      selection.around == nil
    else { return nil }
    func read(_ trace: inout OpenedTrace) throws -> TraceTasks {
      let tasks = try TraceTasks(trace.reader, includesEnded: true)
      trace.report(tasks.damage, tasks.passedOver)
      return tasks
    }
    return TaskComparison(
      try read(&one), symbols.symbolizer(one.reader), try read(&other),
      symbols.symbolizer(other.reader)
    ) { chosen.0.matches(name: $0 ?? "") }
  }

  func run() throws {
    output.page()
    _ = try selection.selection()
    var (one, other) = (try OpenedTrace(left, output), try OpenedTrace(right, output))
    let chosen = (
      try selection.selection(in: one.reader), try selection.selection(in: other.reader)
    )
    let tasks = try tasks(&one, &other, chosen)
    let hasTasks = tasks.map { $0.counts != (0, 0) } ?? false
    // Two empty choices would be the same.
    let isStrange =
      !hasTasks && selection.warnOfStrangers(chosen.0, one.reader.definitions)
      && selection.warnOfStrangers(chosen.1, other.reader.definitions)
    guard
      try hasTasks || Self.hasEvents(chosen.0, one.reader) || Self.hasEvents(chosen.1, other.reader)
    else {
      return try one.end(
        found: false, orSay: isStrange ? nil : one.nothingMatches(selection, chosen.0))
    }
    let comparison = try TraceComparison(one.reader, chosen.0, other.reader, chosen.1)
    one.report(comparison.damage.0, comparison.passedOver.0)
    other.report(comparison.damage.1, comparison.passedOver.1)
    let isSame = comparison.isSame && tasks?.differences.isEmpty != false
    let sides = [(one.reader, left), (other.reader, right)].map { reader, name in
      ComparisonText.Side(
        TraceWords(reader, pid: reader.pid, style: output.style), lookup: EventLookup(reader),
        name: name)
    }
    switch format {
    case .text: StandardOutput.write(ComparisonText(sides[0], sides[1]).text(comparison, tasks))
    case .ndjson, .json, .csv:
      format.write(ComparisonJSON(sides[0], sides[1]).text(comparison, tasks), one)
      // Without a line in the answer, it is said here.
      if isSame, !output.isQuiet { Messages.plain("varve: no stream differs") }
    }
    try one.end(found: true)
    try other.end(found: isSame)
    if !comparison.isWhole { throw CommandEnd(.damaged) }
  }
}
