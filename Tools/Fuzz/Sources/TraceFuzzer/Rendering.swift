import VarveAnalysis
import VarveExport
import VarveFormat

/// Everything that makes text of a trace, beside the lines of `varve replay`.
enum Rendering {
  /// `varve export` in every format.
  static func export(_ reader: TraceReader) {
    for format in 0..<9 {
      let output = ByteOutput { _ in nil }
      guard var query = try? EventQuery(Selection(), in: reader, columns: .all) else { return }
      let words = words(reader)
      var exporter: (any TraceExporter)?
      guard let causes = try? CauseMarks(Selection(), in: reader) else { return }
      switch format {
      case 0:
        exporter = ChromeTraceExporter(
          words, causes: causes, losses: reader.losses, pid: 1, program: "p", output: output)
      case 1:
        exporter = PerfettoExporter(
          words, causes: causes, losses: reader.losses, pid: 1, program: "p", started: 1,
          output: output)
      case 2: exporter = OTLPExporter(words, header: reader.header, output: output)
      case 3: exporter = SQLExporter(words, pid: 1, program: "p", output: output)
      case 4:
        exporter = ParquetExporter(
          words, header: reader.header, losses: reader.losses, output: output)
      case 5:
        exporter = CTFExporter(
          words, header: reader.header, losses: reader.losses, metadata: output, output: output)
      case 6: exporter = SpeedscopeExporter(words, program: "p", output: output)
      case 7: exporter = DotExporter(words, output: output)
      default: break
      }
      let lines = EventCSVRenderer(source: reader, pid: 1, output: output)
      exporter?.begin()
      query.run { page in
        if exporter == nil { lines.render(page) }
        exporter?.write(page)
        return true
      }
      exporter?.end()
    }
  }

  /// `varve timeline` in every format.
  static func draw(_ reader: TraceReader) {
    let options = Timeline.Options(width: 60, showsAll: true)
    guard
      let timeline = try? Timeline(
        of: reader, selection: Selection(), losses: reader.losses, options: options, style: .plain)
    else { return }
    _ = TimelineTextRenderer(timeline, style: .plain).text()
    let words = words(reader)
    var withTasks = options
    withTasks.showsTasks = true
    let tasks = try? Timeline(
      of: reader, selection: Selection(), losses: reader.losses, options: withTasks, style: .plain)
    if let tasks { _ = TimelineTextRenderer(tasks, style: .plain, words: words).text() }
    let picture = TimelinePicture(timeline, words, lookup: EventLookup(reader))
    _ = TimelinePage(picture).html(title: "t", files: ["t.varve"])
    _ = try? ExactMarbles(of: reader, selection: Selection(), words: words).text()
  }

  /// `varve postmortem` in both formats, with the symbols that are in the trace.
  static func tellEnding(_ reader: TraceReader) {
    guard let history = try? TraceHistory(reader) else { return }
    let lookup = EventLookup(reader)
    let findings = Findings(history, reader, lookup: lookup)
    let symbols = Symbolizer(reader.definitions, looksUp: false)
    let command = TraceCommand(["t.varve"])
    _ = PostmortemText(
      reader, history, findings, lookup: lookup, symbols: symbols, command: command, style: .plain
    ).text()
    PostmortemJSON(
      reader, history, findings, lookup: lookup, symbols: symbols, command: command
    ).write { _ in }
  }

  /// `varve why` and its like, of some events and streams.
  static func followPaths(_ reader: TraceReader) {
    let lookup = EventLookup(reader)
    guard let history = try? TraceHistory(reader) else { return }
    let words = words(reader)
    for block in [reader.blocks.first, reader.blocks.last].compactMap(\.self) {
      guard let graph = CausalGraph(of: block.name(block.count - 1), in: lookup, most: 100) else {
        continue
      }
      let path = CausalPath(graph)
      _ = CauseText(words).text(path)
      _ = CauseJSON(words).text(path)
    }
    let facts = SilenceFacts(history, reader.definitions, lookup: lookup)
    let command = TraceCommand(["t.varve"])
    for stream in reader.definitions.streams.keys.prefix(3) {
      guard let stops = try? StreamStops(of: stream, in: facts, reader, lookup: lookup) else {
        continue
      }
      let silence = Silence(of: stream, in: facts)
      _ = SilenceText(words, lookup: lookup, command: command).text(silence, stops)
      _ = SilenceJSON(words).text(silence, stops, lookup: lookup)
    }
  }

  private static func words(_ reader: TraceReader) -> TraceWords {
    TraceWords(
      reader, pid: 1, style: .plain, symbols: Symbolizer(reader.definitions, looksUp: false))
  }
}
