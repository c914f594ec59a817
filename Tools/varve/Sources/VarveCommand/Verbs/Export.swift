internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// `varve export FILE --format …`
struct Export: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "Converts a trace for other tools.",
    discussion: """
      chrome    Chrome's trace format, for Perfetto's viewer and about:tracing
      perfetto  Perfetto's own format, smaller
      otlp      OpenTelemetry's spans in JSON, as a collector takes them
      sql       statements that fill a database of SQLite
      csv       a line an event, for spreadsheets
      ndjson    a JSON object an event
      """)

  static let examples = [
    (
      command: "varve export shop.varve --format chrome -o shop.json",
      meaning: "open it in ui.perfetto.dev"
    ),
    (
      command: "varve export shop.varve --format otlp | curl --json @- localhost:4318/v1/traces",
      meaning: "to a collector"
    ),
    (
      command: "varve export shop.varve --format sql | sqlite3 shop.db",
      meaning: "query it in SQL"
    ),
  ]

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case chrome, perfetto, otlp, sql, csv, ndjson
  }

  @Argument(help: TraceInput.help) var files: [String]
  @Option(help: "chrome, perfetto, otlp, sql, csv or ndjson.") var format: Format
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"))
  var target: String?
  @Flag(help: "Overwrite an existing file.") var force = false
  @OptionGroup var selection: SelectionOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    _ = try selection.selection()
    var trace = try OpenedTrace(files, output)
    let reader = trace.reader
    let chosen = try selection.selection(in: reader)
    let isStrange = selection.warnOfStrangers(chosen, reader.definitions)
    if format == .perfetto, target == nil, Terminal.isThere {
      throw CommandEnd(.wrongUsage, "this format is binary; name a file: -o shop.pftrace")
    }
    let file = try target.map { path throws(CommandEnd) in
      try OutputFile(path, force: force, besides: TraceInput.paths(files))
    }
    let out = file?.output ?? StandardOutput.open()
    var query = try EventQuery(chosen, in: reader, columns: .all)
    switch format {
    case .csv:
      let renderer = EventCSVRenderer(source: reader, pid: reader.pid, output: out)
      try ReplayRun(renderer, nil, out).run(&query, clock: reader.time)
    case .ndjson:
      let renderer = EventJSONRenderer(source: reader, pid: reader.pid, output: out)
      try ReplayRun(renderer, nil, out).run(&query, clock: reader.time)
    case .chrome, .perfetto, .otlp, .sql:
      var exporter = exporter(reader, out)
      exporter.begin()
      query.run { page in
        page.forEachEvent { exporter.write($0) }
        return out.isOpen
      }
      exporter.end()
      try StandardOutput.close(out)
      trace.report(exporter.passedOver)
    }
    try file?.publish()
    trace.report(query.damage, query.passedOver)
    try trace.end(found: query.count > 0, orSay: isStrange ? nil : trace.nothingMatches)
  }

  private func exporter(_ reader: TraceReader, _ out: ByteOutput) -> any TraceExporter {
    let process = reader.header.process
    let words = TraceWords(reader, pid: process.pid, style: .plain)
    switch format {
    case .perfetto:
      return PerfettoExporter(
        words, pid: process.pid, program: process.program, started: process.started, output: out)
    case .sql:
      return SQLExporter(
        words, pid: process.pid, program: process.program, output: out)
    case .otlp: return OTLPExporter(words, header: reader.header, output: out)
    case .chrome, .csv, .ndjson:
      return ChromeTraceExporter(words, pid: process.pid, program: process.program, output: out)
    }
  }
}
