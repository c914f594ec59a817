internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// The answers to the keys that ask about an event while one steps through a trace, laid out for the
/// terminal as wide as it is then.
struct StepAnswers {
  private let reader: TraceReader
  private let chosen: Selection
  private let output: OutputOptions
  private let symbols: SymbolOptions

  /// How many events before and after one are drawn: more, until one of them is to be seen.
  private static let contexts = [20, 200, 2_000]

  init(
    _ reader: TraceReader, _ chosen: Selection, _ output: OutputOptions, _ symbols: SymbolOptions
  ) {
    self.reader = reader
    self.chosen = chosen
    self.output = output
    self.symbols = symbols
  }

  /// The answers by key.
  var questions: [Character: StepRun.Question] { ["w": why, "t": timeline, "s": statistics] }

  private var words: TraceWords {
    TraceWords(
      reader, pid: reader.pid, style: output.style, symbols: symbols.symbolizer(reader))
  }

  /// Why an event happened.
  private func why(_ event: EventName) -> String {
    let lookup = EventLookup(reader)
    return CausalGraph(of: event, in: lookup, most: 10_000).map {
      CauseText(words, lookup: lookup).text(CausalPath($0))
    } ?? "the trace has no such event"
  }

  /// What was around it.
  private func timeline(_ event: EventName) throws -> String {
    for context in Self.contexts {
      var around = chosen
      (around.head, around.tail) = (nil, nil)
      try AroundEvent("\(event)", context: "\(context)").narrow(&around, in: reader)
      let timeline = try Timeline(
        of: reader, selection: around, losses: reader.losses,
        options: Timeline.Options(width: Terminal.width ?? 80, showsAll: true), style: output.style)
      guard !timeline.isEmpty else { continue }
      let text = TimelineTextRenderer(timeline, style: output.style, words: words).text()
      let head = "around #\(event), \(context) events before and after it"
      return "\(head)\n\n\(text)"
    }
    return output.style.hanging(
      "around #\(event), no stream has delivered or ended anything, nor was it observed", indent: 0
    ).joined(separator: "\n")
  }

  /// What its stream did.
  private func statistics(_ event: EventName) throws -> String {
    guard let stream = EventLookup(reader)[event], !stream.isHop, stream.stream != 0 else {
      return "#\(event) is of no stream"
    }
    var selection = Selection()
    selection.streams = [stream.stream]
    let census = try StreamCensus(selection, in: reader)
    let table = StreamsText(
      time: reader.time, span: TraceSpan(of: reader), style: output.style)
    let gathered = LineGatherer()
    let lines = gathered.output()
    table.write(census.streams.lazy.map { StreamsText.Row($0) }, to: lines)
    lines.flush()
    return "the stream of #\(event)\n\n" + gathered.lines.joined(separator: "\n")
  }
}
