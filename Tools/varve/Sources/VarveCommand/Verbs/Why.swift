internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// `varve why FILE EVENT`
struct Why: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "The cause of one event: what led to it across streams, threads and schedulers.",
    usage: TraceQuestion.usage("why", "event"),
    discussion: """
      The step most worth reading comes first, marked: what an operator refused, gave up, joined or \
      let overtake. Then, from the event back to where everything began, one step a line. What joined in on the way \
      (combineLatest, zip, sample) is indented. EVENT is what replay calls it, thread and ordinal, or the name of \
      a stream: then it is that stream's last value or end. To find the step most worth reading, every \
      event has to be read: of a trace with more than \(Info.mostEvents) events only where --mark asks for it.
      """)

  static let examples = [
    (command: "varve why shop.varve 4.1749", meaning: "what led to event 1749 of thread 4"),
    (command: "varve why shop.varve results", meaning: "to the last event of that stream"),
    (command: "varve why shop.varve results --last-hop", meaning: "what chose its thread"),
    (command: "varve why shop.varve 4.1749 --format ndjson", meaning: "for scripts"),
  ]

  @Argument(
    help: TraceQuestion.help("the event: 4.1749, '#4.1749', a stream's name, or Shop.swift:12"),
    completion: TraceNames.question)
  var words: [String]
  @Option(help: ListFormat.help) var format = ListFormat.text
  @Option(help: ArgumentHelp("Look at so many events at most.", valueName: "count"))
  var most = 10_000
  @Flag(help: "Mark what moved the event to the thread it came on, whatever else was decided.")
  var lastHop = false
  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Read all events to mark the step most worth reading; by itself where there are not many."))
  var mark: Bool?
  @OptionGroup var symbols: SymbolOptions
  @OptionGroup var selection: SelectionOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if most < 1 { throw ValidationError("--most takes a number of events from 1 on") }
  }

  func run() throws {
    output.page()
    _ = try selection.selection()
    let question = try TraceQuestion(words, "which event?", Self.examples)
    var trace = try OpenedTrace(question.files, output)
    let reader = trace.reader
    let symbolizer = symbols.symbolizer(reader)
    var words = TraceWords(
      reader, pid: reader.pid, style: output.style, symbols: symbolizer)
    words.keepsValues = output.style.width == nil
    let event = try EventArgument(question.subject, of: question.files).name(in: reader, words)
    let lookup = EventLookup(reader)
    let graph = CausalGraph(of: event, in: lookup, most: most)
    trace.report(lookup.damage)
    guard let graph else { return try trace.end(found: false) }
    let choice = try EventChoice(selection.selection(in: reader), in: reader)
    let path = CausalPath(graph)
    words.taskNames = TaskNames.find(Set(path.steps.compactMap(\.task)), in: reader)
    let telling = try self.telling(path, graph, &trace, lookup, symbolizer)
    symbols.warn(symbolizer, isQuiet: output.isQuiet)
    let chosen = shown(path, choice, lookup)
    trace.report(choice.damage, choice.passedOver)
    switch format {
    case .text: StandardOutput.write(CauseText(words, lookup: lookup).text(chosen, telling))
    case .ndjson, .json, .csv:
      format.write(CauseJSON(words, lookup: lookup).text(chosen, telling), trace)
    }
    if mark == nil, !searches(trace) { trace.note([notSearched(trace, question)]) }
    try trace.end(found: true)
  }

  /// Returns the path with the steps that the flags choose; the event in question is always shown.
  private func shown(_ path: CausalPath, _ choice: EventChoice, _ lookup: EventLookup) -> CausalPath
  {
    let steps = path.steps.dropFirst().filter { step in
      choice.contains(step.event.name)
        || step.event.isHop
          && choice.contains(work: step.scheduled?.name ?? step.event.name, lookup)
    }
    guard steps.count < path.steps.count - 1 || selection.head != nil || selection.tail != nil
    else { return path }
    let kept = Set(selection.listed(Array(steps)).map(\.event.name))
    return path.keeping { kept.contains($0.event.name) }
  }

  /// Whether all events are read to find the step most worth reading.
  private func searches(_ trace: OpenedTrace) -> Bool {
    mark ?? (trace.events <= Info.mostEvents)
  }

  /// What is said where the step was not looked for.
  private func notSearched(_ trace: OpenedTrace, _ question: TraceQuestion) -> String {
    let command = output.command(question.files).line("why", question.subject, "--mark")
    return
      "the step most worth reading was not looked for among \(trace.events) events; this does: "
      + command
  }

  /// Returns the step most worth reading; nil if the trace is too long to look for it.
  private func telling(
    _ path: CausalPath, _ graph: CausalGraph, _ trace: inout OpenedTrace, _ lookup: EventLookup,
    _ symbols: Symbolizer?
  ) throws -> TellingStep? {
    let reader = trace.reader
    guard searches(trace), let effect = path.steps.first?.event else {
      return nil
    }
    let history = try TraceHistory(reader)
    trace.report(history.damage)
    var facts = SilenceFacts(history, reader.definitions, lookup: lookup)
    facts.learnFeeds(upstreamOf: effect.stream, lookup)
    let decisions = try Decisions(path, graph, in: facts, reader, lookup: lookup, symbols: symbols)
    let findings = Findings(history, reader, lookup: lookup).all
    if lastHop {
      let found = findings.aboutThreads { facts.areInOneFlow($0, effect.stream) }
      return TellingStep(lastHopIn: decisions, effect.isHop ? nil : found)
    }
    guard !effect.isHop else { return TellingStep(decisions, []) }
    let stops = try StreamStops(
      of: effect.stream, in: facts, reader, after: effect, lookup: lookup)
    return TellingStep(decisions, stops.stops, path, findings)
  }
}
