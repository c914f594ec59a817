internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// `varve streams FILE`
struct Streams: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the streams: operator, what each delivered and when, where it was made.",
    discussion: """
      --open looks at the last moment before the program took itself down, if it did: what ends \
      because main returns was open as long as the program ran. --until chooses another moment.
      """)

  static let examples = [
    (command: "varve streams shop.varve", meaning: "all streams"),
    (command: "varve streams shop.varve --tree", meaning: "which stream feeds which"),
    (command: "varve streams shop.varve --open", meaning: "streams still observed at the end"),
    (command: "varve streams shop.varve --silent", meaning: "streams that delivered nothing"),
  ]

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, ndjson, json, csv
  }

  @Argument(help: TraceInput.help, completion: .file()) var files: [String]
  @Flag(help: "Show each stream below those that feed it.") var tree = false
  @Flag(help: "Only streams that were still observed when the trace ended.") var open = false
  @Flag(help: "Only streams that delivered no value.") var silent = false
  @Option(help: "text, ndjson, json or csv.") var format = Format.text
  @OptionGroup var symbols: SymbolOptions
  @OptionGroup var selection: SelectionOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    output.page()
    _ = try selection.selection()
    var trace = try OpenedTrace(files, output)
    let reader = trace.reader
    var chosen = try selection.selection(in: reader)
    let isStrange = selection.warnOfStrangers(chosen, reader.definitions)
    let history = open && chosen.until == nil ? try history(&trace) : nil
    if let moment = history.flatMap({ lastMoment($0, reader) }) {
      chosen.until = .sinceStart(moment)
    }
    let census = try StreamCensus(chosen, in: reader)
    trace.report(census.damage)
    if census.leftOut > 0, !self.output.isQuiet {
      Messages.warning(
        "\(trace.title): more streams occur, which the trace does not define; they are not shown, and "
          + "\(census.leftOut) events are theirs")
    }
    let streams = placed(
      wanted(census), StreamPlaces(reader.definitions, symbols: symbols.symbolizer(reader)))
    if !streams.isEmpty {
      let lines = StandardOutput.open()
      try write(streams, &trace, chosen, history, to: lines)
      try StandardOutput.close(lines)
    }
    let isTimed = chosen.since != nil || chosen.until != nil || chosen.ticks != nil
    if isTimed, !streams.isEmpty, streams.allSatisfy({ $0.events == 0 && $0.subscriptions == 0 }),
      !self.output.isQuiet
    {
      Messages.warning("\(trace.title): no stream has an event in that time; all are listed")
    }
    let tasks = try waitingTasks(&trace, isBelow: !streams.isEmpty)
    try trace.end(found: !streams.isEmpty || tasks, orSay: isStrange ? nil : nothing(in: trace))
  }

  /// Writes the tasks that waited at the end, where what was open is asked for; returns whether there are
  /// any.
  private func waitingTasks(_ trace: inout OpenedTrace, isBelow: Bool) throws -> Bool {
    let chosen = try selection.selection()
    guard open, case .text = format, !tree, chosen.isOfNames, !chosen.choosesStreams,
      chosen.since == nil, chosen.until == nil, selection.around == nil,
      TraceTasks.areRecorded(in: trace.reader)
    else { return false }
    let tasks = try TraceTasks(trace.reader)
    trace.report(tasks.damage, tasks.passedOver)
    let named = symbols.symbolizer(trace.reader)
    let words = TraceWords(
      trace.reader, pid: trace.reader.pid, style: output.style, symbols: named)
    let text = OpenText.waitingTasks(tasks, symbols: named, words, output.command(files))
    if !text.isEmpty { StandardOutput.write((isBelow ? "\n" : "") + text) }
    return !text.isEmpty
  }

  /// The message that there is no such stream, and where the trace's tasks are.
  private func nothing(in trace: OpenedTrace) -> String {
    let hasTasks = TraceTasks.areRecorded(in: trace.reader)
    let streams = trace.reader.definitions.streams.isEmpty ? trace.noStreams : noneChosen
    return streams + (hasTasks ? "; its tasks: \(output.command(files).line("tasks"))" : "")
  }

  private var noneChosen: String {
    let all = output.command(files).line("streams")
    if open { return "nothing was still observed; all streams: \(all)" }
    return silent
      ? "no stream was silent; all of them: \(all)" : "no stream matches; all of them: \(all)"
  }

  private func wanted(_ census: consuming StreamCensus) -> [StreamSummary] {
    guard open || silent else { return census.streams }
    census.streams.removeAll { open && $0.open == 0 || silent && $0.values > 0 }
    return census.streams
  }

  /// Fills in the places of streams that are known only from their stacks.
  private func placed(
    _ streams: consuming [StreamSummary], _ places: StreamPlaces
  ) -> [StreamSummary] {
    for index in streams.indices where streams[index].definition.place == nil {
      guard let place = places.exact(streams[index].definition.id) else { continue }
      streams[index].definition.place = place
    }
    return streams
  }

  /// Returns the observations in a trace; nil if it was killed, so that nothing was taken down.
  private func history(_ trace: inout OpenedTrace) throws -> TraceHistory? {
    guard trace.reader.ending == .clean else { return nil }
    let history = try TraceHistory(trace.reader, scope: .observations)
    trace.report(history.damage)
    return history
  }

  /// Returns the last moment before the program was taken down, in nanoseconds after its start; nil
  /// if it was not. What ends from then on was open as long as the program ran.
  private func lastMoment(_ history: TraceHistory, _ reader: TraceReader) -> UInt64? {
    history.takingDown.map {
      UInt64(max(reader.time.nanoseconds(sinceStart: $0.ticks) - 1, 0))
    }
  }

  private func write(
    _ streams: [StreamSummary], _ trace: inout OpenedTrace, _ chosen: Selection,
    _ history: TraceHistory?, to output: ByteOutput
  ) throws {
    let reader = trace.reader
    let table = StreamsText(
      time: reader.time, span: TraceSpan(of: reader),
      processes: ProcessNames(reader.definitions.threads.values), style: self.output.style)
    switch format {
    case .ndjson: StreamsJSON.write(streams, time: reader.time, to: output)
    case .json: StreamsJSON.writeArray(streams, time: reader.time, to: output)
    case .csv: trace.note(StreamsJSON.writeCSV(streams, time: reader.time, to: output))
    case .text where tree:
      let feeds = try StreamFeeds(innerIn: reader)
      trace.report(feeds.damage)
      table.write(
        StreamTree(
          streams, feeds: feeds.edges,
          definitions: reader.definitions.streams, ascii: self.output.style.ascii),
        to: output)
    case .text where open: output.write(try openText(&trace, chosen, history))
    case .text: table.write(streams.lazy.map { StreamsText.Row($0) }, to: output)
    }
  }

  /// Returns the table of observations that are still open: since when, by what, and their causes.
  ///
  /// - Parameter whole: the history of the whole trace, if it was read.
  private func openText(
    _ trace: inout OpenedTrace, _ chosen: Selection, _ whole: TraceHistory?
  ) throws -> String {
    let reader = trace.reader
    let lookup = EventLookup(reader)
    let isWhole = chosen.since == nil && chosen.until == nil && chosen.ticks == nil
    let known = isWhole ? whole : nil
    let history = try known ?? TraceHistory(reader, chosen.times, scope: .observations)
    let observations = OpenObservations(history, reader.definitions, selection: chosen)
    trace.report(history.damage + lookup.damage, history.passedOver)
    let named = symbols.symbolizer(reader)
    let words = TraceWords(reader, pid: reader.pid, style: output.style, symbols: named)
    let growing = try GrowingValues(reader, chosen)
    let kept = try KeptReplays(reader, history)
    let unstopped = try UnstoppedProducers(reader, lookup: lookup, symbols: named)
    trace.report(growing.damage + kept.damage + unstopped.damage)
    // How old they are is told as of the moment that was chosen.
    let text = OpenText(
      words, lookup: lookup, end: try TraceSpan(of: reader).end(of: chosen, in: reader))
    let isLast = selection.until == nil && selection.around == nil && chosen.until != nil
    // What was found is about all streams, and all of the time.
    var asked = chosen
    if isLast { asked.until = nil }
    let found = try asked.choosesStreams ? nil : trace.findings(for: asked)
    return text.text(
      observations.groups, growing: growing.all, kept: kept.all, unstopped: unstopped.all,
      found: found?.aboutGrowth)
      + (isLast ? text.lastMoment : "")
  }
}
