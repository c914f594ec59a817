internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// `varve streams FILE`
struct Streams: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "Every stream: its operator, what it delivered and when, where it was made.")

  static let examples = [
    (command: "varve streams shop.varve", meaning: "all of them"),
    (command: "varve streams shop.varve --tree", meaning: "which feeds which"),
    (command: "varve streams shop.varve --open", meaning: "what was still observed at the end"),
    (command: "varve streams shop.varve --silent", meaning: "what delivered nothing"),
  ]

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, ndjson, json, csv
  }

  @Argument(help: TraceInput.help) var files: [String]
  @Flag(help: "Each stream below those that feed it.") var tree = false
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
    let chosen = try selection.selection(in: reader)
    selection.warnOfStrangers(chosen, reader.definitions)
    let census = try StreamCensus(chosen, in: reader)
    trace.report(census.damage)
    let places = StreamPlaces(reader.definitions, symbols: symbols.symbolizer(reader))
    let streams = census.streams.filter { (!open || $0.open > 0) && (!silent || $0.values == 0) }
      .map { stream in
        var stream = stream
        stream.definition.place = places.exact(stream.definition.id)
        return stream
      }
    if !streams.isEmpty { StandardOutput.write(try text(streams, census, trace)) }
    try trace.end(found: !streams.isEmpty)
  }

  private func text(
    _ streams: [StreamSummary], _ census: StreamCensus, _ trace: OpenedTrace
  ) throws -> String {
    let reader = trace.reader
    switch format {
    case .ndjson: return StreamsJSON.text(streams, time: reader.time)
    case .json: return StreamsJSON.array(streams, time: reader.time)
    case .csv: return StreamsJSON.csv(streams, time: reader.time)
    case .text where open && !tree:
      return try openText(trace)
    case .text:
      let table = StreamsText(time: reader.time, span: TraceSpan(of: reader), style: output.style)
      return try table.text(
        tree
          ? StreamTree.rows(
            streams, feeds: StreamFeeds.inner(in: reader),
            definitions: reader.definitions.streams, ascii: output.style.ascii)
          : streams.map { StreamsText.Row($0) })
    }
  }

  /// What is observed at the end: since when, by whom, and what made them observe it.
  private func openText(_ trace: OpenedTrace) throws -> String {
    let reader = trace.reader
    let lookup = EventLookup(reader)
    let chosen = try selection.selection(in: reader)
    let observations = OpenObservations(
      try TraceLedger(reader, chosen.times), reader.definitions, selection: chosen)
    let words = TraceWords(
      reader, pid: reader.pid, style: output.style, symbols: symbols.symbolizer(reader))
    let end = TraceSpan(of: reader).ticks?.upperBound ?? 0
    return OpenText(words, lookup: lookup, end: end).text(observations.groups)
  }
}
