internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// `varve why-silent FILE NAME`
struct WhySilent: ExampledCommand {
  static let configuration = CommandConfiguration(
    commandName: "why-silent",
    abstract: "Why a stream delivered nothing, or nothing more: where values stopped on the way.",
    usage: TraceQuestion.usage("why-silent", "stream"),
    discussion: """
      An operator that ended it, a lifetime that did, values that were refused, taken for repeated, \
      dropped or given up, a failure and what handled it, a source that was silent, work still \
      queued: the most telling place is marked, the others are listed. Which values were swallowed \
      is in traces recorded with absorption, as by default; in others they are only counted.
      """)

  static let examples = [
    (command: "varve why-silent shop.varve results", meaning: "why did nothing arrive?"),
    (
      command: "varve why-silent shop.varve results --until +3s",
      meaning: "why had nothing arrived by then?"
    ),
  ]

  @Argument(
    help: TraceQuestion.help("the stream: its name, a pattern, /regex/, or Shop.swift:12"),
    completion: TraceNames.question)
  var words: [String]
  @Option(help: ListFormat.help) var format = ListFormat.text
  @OptionGroup var symbols: SymbolOptions
  @OptionGroup var selection: SelectionOptions
  @OptionGroup var output: OutputOptions

  /// The greatest number of matching streams that are explained.
  private static let most = 20

  /// The greatest number of matching streams that are compared, to explain one of them.
  private static let mostCompared = 8

  private func weight(_ stops: StreamStops) -> Int { stops.stops.first?.weight ?? 0 }

  /// Returns whether a place where values stopped is chosen: by its stream, and by what happened there.
  private func isChosen(_ stop: Stop, _ choice: EventChoice, _ chosen: Selection) -> Bool {
    guard choice.contains(stream: stop.stream) else { return false }
    // The period is kept to by what the values of it are.
    guard
      !chosen.threads.isEmpty || !chosen.schedulers.isEmpty || chosen.condition != nil
        || !chosen.subscriptions.isEmpty || !chosen.kinds.isAll
    else { return true }
    return ([stop.moment?.name].compactMap { $0 } + stop.examples).contains { choice.contains($0) }
  }

  func run() throws {
    output.page()
    if words.count == 1, let suggestion = suggestion { throw CommandEnd(.wrongUsage, suggestion) }
    let question = try TraceQuestion(words, "which stream?", Self.examples)
    _ = try selection.selection()
    var trace = try OpenedTrace(question.files, output)
    let reader = trace.reader
    let chosen = try selection.selection(in: reader)
    let choice = try EventChoice(chosen, in: reader)
    let symbolizer = symbols.symbolizer(reader)
    let words = TraceWords(
      reader, pid: reader.pid, style: output.style, symbols: symbolizer)
    let streams = try StreamArgument(question.subject, of: question.files).streams(
      words, among: reader.definitions)
    // What came before the period is known, too: a stream observed before it is not unobserved.
    var known = Selection()
    known.until = chosen.until
    let history = try TraceHistory(reader, known, scope: .streams)
    let lookup = EventLookup(reader)
    var facts = SilenceFacts(history, reader.definitions, lookup: lookup)
    for stream in streams { facts.learnFeeds(upstreamOf: stream, lookup) }
    let asked = facts.inFlowOrder(streams)
    var damage = history.damage + lookup.damage
    var answers: [(silence: Silence, stops: StreamStops)] = []
    for stream in asked.prefix(format == .text ? Self.mostCompared : Self.most) {
      var stops = try StreamStops(of: stream, in: facts, reader, chosen.times, lookup: lookup)
      stops.choose { selection.listed($0.filter { isChosen($0, choice, chosen) }) }
      damage += stops.damage
      answers.append((Silence(of: stream, in: facts), stops))
    }
    let findings = try trace.findings(for: chosen)
    func found(_ stream: UInt32) -> Finding? {
      findings?.about { facts.areInOneFlow($0, stream) }
    }
    let text = SilenceText(words, lookup: lookup, command: output.command(question.files))
    switch format {
    case .text:
      // Of several streams that match, such as the rows of a list, the one with most to tell.
      let answer = answers.enumerated().min {
        (-weight($0.element.stops), $0.offset) < (-weight($1.element.stops), $1.offset)
      }?.element
      guard let answer else { break }
      StandardOutput.write(text.text(answer.silence, answer.stops, found(answer.stops.stream)))
      StandardOutput.write(text.others(asked.filter { $0 != answer.stops.stream }))
    case .ndjson, .json, .csv:
      let json = SilenceJSON(words)
      let lines = answers.map {
        json.text($0.silence, $0.stops, found($0.stops.stream), lookup: lookup)
      }
      format.write(lines.joined(), trace)
    }
    symbols.warn(symbolizer, isQuiet: output.isQuiet)
    trace.report(damage, history.passedOver)
    try trace.end(found: answers.contains { !$0.stops.stops.isEmpty })
  }

  // MARK: - Without a name

  /// The number of streams that are suggested.
  private static let mostSuggested = 6

  /// The streams to ask about, if the only word is a trace: those that a user looks at and that fell
  /// silent first.
  private var suggestion: String? {
    guard let trace = try? OpenedTrace(words, output),
      let history = try? TraceHistory(trace.reader, scope: .streams)
    else { return nil }
    let definitions = trace.reader.definitions
    var last: [String: EventMoment] = [:]
    for account in history.streams {
      guard let name = definitions.streams[account.stream]?.name, let moment = account.lastValue
      else { continue }
      if moment.ticks >= last[name]?.ticks ?? 0 { last[name] = moment }
    }
    let names = WatchedStreams(definitions, history).names.enumerated().sorted { one, other in
      (last[one.element]?.ticks ?? 0, one.offset) < (last[other.element]?.ticks ?? 0, other.offset)
    }.map(\.element)
    guard let first = names.first else { return nil }
    let silent = names.prefix(Self.mostSuggested).map { name in
      let since = last[name].map {
        "nothing after " + Self.time(trace.reader.time.nanoseconds(sinceStart: $0.ticks))
      }
      return "\(name.isEmpty ? "\"\"" : name) (\(since ?? "nothing at all"))"
    }
    let rest = names.count - silent.count
    return "which stream? silent first: " + silent.joined(separator: ", ")
      + (rest > 0 ? ", and \(rest) more" : "")
      + "; try: " + TraceCommand(words).line("why-silent", first)
  }

  /// Returns a moment as `--until` takes it: `+1.250s`.
  private static func time(_ nanoseconds: Int64) -> String {
    let milliseconds = max(nanoseconds, 0) / 1_000_000
    let digits = String(milliseconds % 1_000 + 1_000).dropFirst()
    return "+\(milliseconds / 1_000).\(digits)s"
  }
}
