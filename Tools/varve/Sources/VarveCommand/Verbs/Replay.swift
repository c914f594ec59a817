internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// `varve replay FILE`
struct Replay: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints the events, one a line, in the order in which they happened.")

  static let examples = [
    (command: "varve replay shop.varve", meaning: "every event"),
    (command: "varve replay shop.varve -n 'login*' -k failed", meaning: "how did login fail?"),
    (command: "varve replay shop.varve --since -30s", meaning: "the last half minute"),
    (command: "varve replay shop.varve --speed 1x", meaning: "at the pace of the recording"),
    (command: "varve replay shop.varve --step", meaning: "event by event, with the keyboard"),
    (command: "varve replay shop.varve -f", meaning: "follow a running recording"),
    (command: "varve replay shop.varve till.varve", meaning: "two processes on one clock"),
    (command: "varve replay shop.varve --format ndjson | jq .value", meaning: "for scripts"),
  ]

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, ndjson, json, csv
  }

  @Argument(help: TraceInput.help, completion: .file()) var files: [String]
  @OptionGroup var selection: SelectionOptions
  @Option(
    help: ArgumentHelp(
      "Replay at this multiple of the recorded pace: 1x, 4x, 0.1x.", valueName: "speed"))
  var speed: String?
  @Option(
    help: ArgumentHelp(
      "Replay at the recorded pace, with no pause longer than this: 500ms.", valueName: "time"))
  var idleLimit: String?
  @Flag(
    name: [.customShort("f"), .customLong("follow")],
    help: "Follow a trace that is being recorded.")
  var follow = false
  @Flag(
    help: ArgumentHelp(
      "Step through the events with the keyboard.",
      discussion: """
        Space plays and pauses, . and , step forward and back, e and E go to the next and previous \
        failure, / searches, n and N go on searching, w tells why the event happened, t draws what \
        was around it, s shows what its stream did, ? lists all keys, q quits.
        """))
  var step = false
  @Option(help: "text, ndjson, json or csv.") var format = Format.text
  @Option(help: "How text shows times: elapsed, delta, wall, utc, ticks.")
  var time = Configuration["time"].flatMap(TimeForm.init) ?? .elapsed
  @Option(
    help: ArgumentHelp(
      "Columns of text: a list, or changes such as +cause,-thread. The columns are event, time, step, thread, stream, place, kind, value, operator, subscription, cause, scheduler.",
      valueName: "list"), completion: WordLists.fields)
  var fields: String?
  @OptionGroup var symbols: SymbolOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let wanted = try selection.selection()
    let columns = try (fields ?? Configuration["fields"]).map { list throws(SelectionError) in
      // At a terminal, the place is shown unless it is taken away.
      try EventFields(
        list: list, changing: output.style.width == nil ? .usual : .usual.union(.place))
    }
    let pace = try pace()
    if follow { return try runAlong(wanted, columns ?? .usual) }
    if pace == nil, !step { output.page() }
    var trace = try OpenedTrace(files, output)
    let reader = trace.reader
    let chosen = try selection.selection(in: reader)
    let isStrange = selection.warnOfStrangers(chosen, reader.definitions)
    let gathered = LineGatherer()
    let out = step ? gathered.output() : StandardOutput.open()
    let form = ReplayForm(
      format: format, fields: columns ?? .usual, time: time, style: output.style,
      pid: reader.header.process.pid, symbols: placing(reader, columns), output: out)
    if step {
      let steps = try TraceSteps(chosen, in: reader, form, gathered)
      let stepper = try Stepper(steps.source())
      if let stepper {
        guard let keys = Keyboard() else {
          throw CommandEnd(.wrongUsage, "--step needs a terminal")
        }
        steps.isStopped = { keys.hasKey }
        var run = StepRun(
          stepper, over: TraceSpan(of: reader).duration, pace: pace, style: output.style,
          asking: StepAnswers(reader, chosen, output, symbols).questions,
          layout: steps.source(width:))
        try run.run(on: keys)
      }
      trace.report(steps.damage, steps.passedOver)
      return try trace.end(
        found: stepper != nil, orSay: isStrange ? nil : trace.nothingMatches(selection, chosen))
    }
    var query = try EventQuery(chosen, in: reader, columns: form.columns)
    let renderer = form.renderer(reader, query.filter)
    try ReplayRun(renderer, pace, out).run(&query, clock: reader.time)
    trace.note(renderer.notes)
    trace.report(query.damage, renderer.passedOver.merged(query.passedOver))
    try trace.end(
      found: query.count > 0, orSay: isStrange ? nil : trace.nothingMatches(selection, chosen))
  }

  func validate() throws {
    if step, follow || format != .text {
      throw ValidationError("--step needs text, and a trace that is not followed")
    }
  }

  /// Shows the trace while it is being recorded.
  private func runAlong(_ chosen: Selection, _ columns: EventFields) throws {
    guard files.count == 1, files[0] != "-", !FileSystem.isFolder(files[0]) else {
      throw CommandEnd(.wrongUsage, "--follow takes one trace, as a file")
    }
    guard format != .json else {
      throw CommandEnd(
        .wrongUsage, "--follow has no end, so a JSON array would never be closed; try ndjson")
    }
    guard speed == nil, idleLimit == nil else {
      throw CommandEnd(
        .wrongUsage, "--follow cannot be combined with a pace: it shows events as they come")
    }
    guard selection.around == nil else {
      throw CommandEnd(.wrongUsage, "--around cannot be combined with --follow")
    }
    guard selection.head == nil || selection.tail == nil else {
      throw CommandEnd(.wrongUsage, "--follow takes --head or --tail, not both")
    }
    let moment = FollowRun.now
    var trace = try OpenedTrace(files, output)
    let out = StandardOutput.open()
    let form = ReplayForm(
      format: format, fields: columns, time: time, style: output.style,
      pid: trace.reader.header.process.pid, output: out)
    var run = FollowRun(chosen, form)
    try run.run(from: trace.reader, at: moment)
    trace.report(run.damage, run.passedOver)
    try trace.end(found: run.count > 0, orSay: trace.nothingMatches(selection, chosen))
  }

  /// Returns what finds the places of operators, if lines show places.
  private func placing(_ reader: TraceReader, _ columns: EventFields?) -> Symbolizer? {
    let isShown = columns?.contains(.place) ?? (output.style.width != nil)
    return format == .text && isShown ? symbols.symbolizer(reader) : nil
  }

  private func pace() throws(SelectionError) -> ReplayPace? {
    guard speed != nil || idleLimit != nil else { return nil }
    return ReplayPace(
      speed: try speed.map { text throws(SelectionError) in try ReplayPace.speed(text) } ?? 1,
      idleLimit: try idleLimit.map { text throws(SelectionError) in
        try DurationText.nanoseconds(text)
      })
  }
}
