internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat
internal import VarvePlatform

/// `varve export FILE --format …`
struct Export: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "Converts a trace for other tools.",
    discussion: """
      chrome    Chrome's trace format, for Perfetto's viewer and about:tracing
      perfetto  Perfetto's own format, smaller
      otlp      OpenTelemetry's spans in JSON; to a collector with --otlp or the standard variables
      sqlite    a database of SQLite, with views; varve query asks without one
      sql       statements that fill a database of SQLite
      csv       a line an event, for spreadsheets
      ndjson    a JSON object an event
      parquet   columns, for DuckDB, pandas, ClickHouse and others; into a folder, -o traces/,
                in files by day and program
      ctf       a folder in the Common Trace Format, for babeltrace2
      folded    where work ran, for flamegraph.pl
      speedscope  where work ran, for speedscope.app
      dot       the graph of the streams, for Graphviz
      """)

  static let examples = [
    (
      command: "varve export shop.varve --format chrome -o shop.json",
      meaning: "open it in ui.perfetto.dev"
    ),
    (
      command: "varve export shop.varve --format otlp --otlp http://localhost:4318",
      meaning: "to a collector; with --follow while it is recorded"
    ),
    (
      command: "varve export shop.varve --format sqlite -o shop.db",
      meaning: "ask it in SQL, with any tool"
    ),
    (
      command: "varve export shop.varve --format parquet -o traces/",
      meaning: "to many others, in files by day and program"
    ),
  ]

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case chrome, perfetto, otlp, sqlite, sql, csv, ndjson, parquet, ctf, folded, speedscope, dot

    var isBinary: Bool { self == .perfetto || self == .parquet || self == .ctf }
  }

  @Argument(help: TraceInput.help, completion: .file()) var files: [String]
  @Option(help: "The format to write, see above.") var format: Format
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"),
    completion: .file())
  var target: String?
  @Flag(help: "Overwrite an existing file.") var force = false
  @Option(
    help: ArgumentHelp(
      "Send OTLP to this collector, http://localhost:4318; $OTEL_EXPORTER_OTLP_ENDPOINT is another way.",
      valueName: "url"))
  var otlp: String?
  @Flag(
    help: "Write Parquet by day and program into the folder that -o names, as -o traces/ does.")
  var partition = false
  @Flag(name: .shortAndLong, help: "Send to a collector until the recording ends.")
  var follow = false
  @OptionGroup var symbols: SymbolOptions
  @OptionGroup var selection: SelectionOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    _ = try selection.selection()
    let collector = try collector()
    let partitions = try partitionedFolder()
    if follow, collector == nil {
      throw CommandEnd(
        .wrongUsage, "--follow sends to a collector: --format otlp --otlp http://localhost:4318")
    }
    if follow,
      files != [files[0]] || files[0] == "-" || selection.head != nil || selection.tail != nil
    {
      throw CommandEnd(.wrongUsage, "--follow goes with one file, without --head and --tail")
    }
    var trace = try OpenedTrace(files, output)
    // Other programs do not see what is said here: what they are given has to tell what is missing.
    try trace.checkBlocks(upTo: OpenedTrace.checkedInASecond)
    let reader = trace.reader
    let chosen = try selection.selection(in: reader)
    let isStrange = selection.warnOfStrangers(chosen, reader.definitions)
    if format == .ctf, target == nil {
      throw CommandEnd(.wrongUsage, "this format is a folder; name it: -o shop-ctf")
    }
    if format.isBinary, target == nil, Terminal.isThere {
      throw CommandEnd(.wrongUsage, "this format is binary; name a file: -o shop.\(format)")
    }
    if format == .ctf, let target { try makeFolder(target) }
    let nothing = isStrange ? nil : trace.nothingMatches(selection, chosen)
    if let collector { return try send(to: collector, &trace, chosen, orSay: nothing) }
    if let partitions {
      return try writePartitions(into: partitions, &trace, chosen, orSay: nothing)
    }
    if format == .sqlite {
      return try writeDatabase(&trace, chosen, orSay: nothing)
    }
    let file = try target.map { path throws(CommandEnd) in
      try OutputFile(
        format == .ctf ? "\(path)/stream" : path, force: force, besides: TraceInput.paths(files))
    }
    let metadata = try target.flatMap { path throws(CommandEnd) in
      format != .ctf
        ? nil : try OutputFile("\(path)/metadata", force: force, besides: TraceInput.paths(files))
    }
    let out = file?.output ?? StandardOutput.open()
    var query = try EventQuery(chosen, in: reader, columns: .all)
    switch format {
    case .csv:
      let renderer = EventCSVRenderer(
        source: reader, filter: query.filter, pid: reader.pid, output: out)
      try ReplayRun(renderer, nil, out).run(&query, clock: reader.time)
      trace.note(renderer.notes)
    case .ndjson:
      let renderer = EventJSONRenderer(
        source: reader, filter: query.filter, pid: reader.pid, output: out)
      try ReplayRun(renderer, nil, out).run(&query, clock: reader.time)
    case .chrome, .perfetto, .otlp, .sqlite, .sql, .parquet, .ctf, .folded, .speedscope, .dot:
      var exporter = try exporter(reader, chosen, query.filter, out, metadata?.output)
      let progress = Progress("export", isQuiet: output.isQuiet)
      let span = TraceSpan(of: reader).ticks ?? 0...0
      exporter.begin()
      query.run { page in
        exporter.write(page)
        let done = (page.lastTick ?? 0) - min(span.lowerBound, page.lastTick ?? 0)
        progress.show(done, of: span.upperBound - span.lowerBound)
        return out.isOpen
      }
      exporter.end()
      progress.clear()
      try StandardOutput.close(out)
      if let metadata { try StandardOutput.close(metadata.output) }
      trace.report(exporter.passedOver)
    }
    try metadata?.publish()
    try file?.publish()
    trace.report(query.damage, query.passedOver)
    try trace.end(found: query.count > 0, orSay: nothing)
  }

  private func exporter(
    _ reader: TraceReader, _ selection: Selection, _ filter: EventFilter, _ out: ByteOutput,
    _ metadata: ByteOutput?
  ) throws -> any TraceExporter {
    let process = reader.header.process
    let losses = filter.losses
    let words = TraceWords(
      reader, pid: process.pid, style: .plain, symbols: symbols.symbolizer(reader))
    switch format {
    case .perfetto:
      return PerfettoExporter(
        words, causes: try CauseMarks(selection, in: reader), losses: losses,
        pid: process.pid, program: process.program, started: process.started, output: out)
    case .sql:
      return SQLExporter(
        words, losses: losses, pid: process.pid, program: process.program, output: out)
    case .otlp:
      return OTLPExporter(words, header: reader.header, losses: losses, output: out)
    case .parquet:
      return ParquetExporter(words, header: reader.header, losses: losses, output: out)
    case .ctf:
      return CTFExporter(
        words, header: reader.header, losses: losses, metadata: metadata ?? out, output: out)
    case .folded: return FoldedExporter(words, output: out)
    case .speedscope: return SpeedscopeExporter(words, program: process.program, output: out)
    case .dot: return DotExporter(words, output: out)
    case .chrome, .csv, .ndjson, .sqlite:
      return ChromeTraceExporter(
        words, causes: try CauseMarks(selection, in: reader), losses: losses,
        pid: process.pid, program: process.program, output: out)
    }
  }

  private func makeFolder(_ path: String) throws(CommandEnd) {
    if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
    throw OutputFile.unwritable(path)
  }
}
