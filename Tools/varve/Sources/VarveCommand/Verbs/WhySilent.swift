internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// `varve why-silent FILE NAME`
struct WhySilent: ExampledCommand {
  static let configuration = CommandConfiguration(
    commandName: "why-silent",
    abstract: "Why a stream delivered nothing: where the values stopped on their way to it.",
    usage: TraceQuestion.usage("why-silent", "stream"),
    discussion: """
      Not subscribed, source silent, filtered out, waiting for one of several inputs, work still \
      queued on a scheduler, disposed of and by whom, ended. The exact reasons why values were \
      swallowed are in traces recorded with absorption, as by default; in others they are counted.
      """)

  static let examples = [
    (command: "varve why-silent shop.varve results", meaning: "why did nothing arrive?"),
    (
      command: "varve why-silent shop.varve results --until +3s",
      meaning: "why had nothing arrived by then?"
    ),
  ]

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, ndjson
  }

  @Argument(
    help: TraceQuestion.help("the stream: its name, a pattern, or /regex/"),
    completion: StreamNames.completion)
  var words: [String]
  @OptionGroup var period: PeriodOptions
  @Option(help: "text or ndjson.") var format = Format.text
  @OptionGroup var symbols: SymbolOptions
  @OptionGroup var output: OutputOptions

  /// The greatest number of matching streams that are explained.
  private static let most = 20

  func run() throws {
    output.page()
    let question = try TraceQuestion(words, "which stream?", Self.examples)
    let pattern = try NamePattern(question.subject)
    let selection = try period.selection()
    var trace = try OpenedTrace(question.files, output)
    let reader = trace.reader
    let streams = reader.definitions.streams.values.filter { pattern.matches($0.name) }
      .sorted { $0.id < $1.id }
    guard !streams.isEmpty else {
      throw CommandEnd(.nothingMatched, Strangers.text(pattern, among: reader.definitions))
    }
    let history = try TraceHistory(reader, selection)
    let lookup = EventLookup(reader)
    let facts = SilenceFacts(history, reader.definitions, lookup: lookup)
    let symbolizer = symbols.symbolizer(reader)
    let words = TraceWords(
      reader, pid: reader.pid, style: output.style, symbols: symbolizer)
    symbols.warn(symbolizer, isQuiet: output.isQuiet)
    let asked =
      streams.contains { !facts.isStandIn($0.id) }
      ? streams.filter { !facts.isStandIn($0.id) } : streams
    let silences = asked.prefix(Self.most).map { Silence(of: $0.id, in: facts) }
    let texts = silences.map { silence in
      switch format {
      case .text:
        SilenceText(words, lookup: lookup, command: TraceCommand(question.files)).text(silence)
      case .ndjson: SilenceJSON(words).text(silence)
      }
    }
    trace.report(history.damage + lookup.damage, history.passedOver)
    StandardOutput.write(texts.joined(separator: format == .text ? "\n" : ""))
    try trace.end(found: silences.contains { !$0.culprits.isEmpty })
  }
}
