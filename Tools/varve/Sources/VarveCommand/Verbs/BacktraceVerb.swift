internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat
internal import VarvePlatform

/// `varve backtrace FILE`
struct BacktraceVerb: ExampledCommand {
  static let configuration = CommandConfiguration(
    commandName: "backtrace",
    abstract: "Shows how code came to run: its stack, the stack that scheduled it, and so on.",
    discussion: """
      Without options, what each thread was doing when the trace ended. Names and lines come from the \
      executable and its libraries, if they are those that were recorded, by way of llvm-symbolizer \
      or addr2line.
      """)

  static let examples = [
    (command: "varve backtrace shop.varve", meaning: "where each thread was at the end"),
    (
      command: "varve backtrace shop.varve 4.1749",
      meaning: "what led to event 1749 of thread 4"
    ),
    (command: "varve backtrace shop.varve --queued", meaning: "work that waited and never ran"),
    (
      command: "varve backtrace shop.varve --symbols ./symbols",
      meaning: "with debug information from a folder"
    ),
  ]

  @Argument(
    help: ArgumentHelp(
      TraceInput.help.abstract + " Then, if you like, the event whose backtrace it is: 4.1749.",
      valueName: "file"),
    completion: .file())
  var words: [String]
  @Option(
    help: ArgumentHelp("The backtrace of this event, as after the file.", valueName: "event"))
  var event: String?
  @Flag(help: "All work that waited in the queue of a scheduler.") var queued = false
  @OptionGroup var symbols: SymbolOptions
  @Flag(name: .customLong("all-frames"), help: "Include the frames of queues and of Varve.")
  var allFrames = false
  @Option(help: ListFormat.help) var format = ListFormat.text
  @OptionGroup var selection: SelectionOptions
  @OptionGroup var output: OutputOptions

  /// The words that name the trace, and the event that follows them.
  private var question: (files: [String], event: String?) {
    guard event == nil, words.count > 1, let last = words.last, EventName(last) != nil,
      access(last, F_OK) != 0
    else { return (words, event) }
    return (words.dropLast(), last)
  }

  func validate() throws {
    if question.event != nil, queued || !selection.thread.isEmpty {
      throw ValidationError("an event cannot be combined with --thread or --queued")
    }
  }

  /// The message that there is nothing to show.
  private var nothing: String {
    let (files, event) = question
    let command = output.command(files)
    if let event {
      return "the trace has no stack of what led to it; its causes: "
        + command.line("why", event.hasPrefix("#") ? event : "#\(event)")
    }
    if queued {
      return
        "no work that matches was waiting; what each thread did last: \(command.line("backtrace"))"
    }
    return "no thread matches; all threads: \(command.line("info"))"
  }

  func run() throws {
    output.page()
    _ = try selection.selection()
    let (files, event) = question
    var trace = try OpenedTrace(files, output)
    let reader = trace.reader
    var backtraces = TraceBacktraces(reader)
    let symbolizer = symbols.symbolizer(reader)
    var answer = Answer(reader, symbolizer, format, allFrames, output)
    let choice = try EventChoice(selection.selection(in: reader), in: reader)
    var found = false
    if let event {
      let event = try EventArgument(event, of: files).name(in: reader)
      // The code that led to a failure is that which threw.
      let lookup = EventLookup(reader)
      let thrown = lookup[event].flatMap { lookup.thrown(with: $0)?.name }
      for asked in [thrown, event].compactMap({ $0 }) where !found {
        guard let backtrace = backtraces.backtrace(of: asked) else { continue }
        found = true
        answer.write(backtrace, of: asked)
      }
    } else if queued {
      let lookup = EventLookup(reader)
      let waiting = selection.listed(
        backtraces.queued().filter { backtrace in
          choice.isEverything
            || backtrace.segments.first?.event.map { choice.contains(work: $0, lookup) } ?? false
        })
      found = !waiting.isEmpty
      answer.write(queued: waiting)
    } else {
      let moments = selection.listed(
        backtraces.lastMoments().filter { moment in
          choice.isEverything
            || moment.lastEvent.map(choice.contains) ?? choice.contains(ring: moment.ring)
        })
      found = !moments.isEmpty
      answer.write(moments)
    }
    answer.end(trace)
    if !output.isQuiet { for warning in symbolizer.warnings { Messages.warning(warning) } }
    trace.report(
      backtraces.damage + choice.damage, backtraces.passedOver.merged(choice.passedOver))
    try trace.end(found: found, orSay: nothing)
  }
}

/// The answer of the verb, with names, in one of its formats.
private struct Answer {
  private let symbolizer: Symbolizer
  private let format: ListFormat
  private let text: BacktraceText
  private var json: BacktraceJSON
  private var objects = ""

  init(
    _ reader: TraceReader, _ symbolizer: Symbolizer, _ format: ListFormat,
    _ showsAll: Bool, _ output: OutputOptions
  ) {
    self.symbolizer = symbolizer
    self.format = format
    text = BacktraceText(
      reader, symbols: symbolizer, machinery: showsAll ? .shown : .counted, style: output.style)
    json = BacktraceJSON(reader, symbols: symbolizer)
  }

  mutating func write(_ backtrace: TracedBacktrace, of event: EventName) {
    symbolizer.lookUp(backtrace.frames)
    show(
      format == .text
        ? text.text(backtrace, title: "event #\(event)") : json.line(backtrace, of: event))
  }

  mutating func write(queued: [TracedBacktrace]) {
    symbolizer.lookUp(queued.lazy.flatMap(\.frames))
    for backtrace in queued {
      let event = backtrace.segments.first?.event
      let title = "queued\(event.map { ", event #\($0)" } ?? "")"
      show(
        format == .text ? text.text(backtrace, title: title) : json.line(queued: backtrace))
    }
  }

  mutating func write(_ moments: [ThreadMoment]) {
    symbolizer.lookUp(moments.flatMap(\.frames))
    for moment in moments {
      show(format == .text ? text.text(moment) : json.line(moment))
    }
  }

  /// Shows a text at once, and gathers objects, which may belong to an array or a table.
  private mutating func show(_ part: String) {
    if format == .text { StandardOutput.write(part) } else { objects += part }
  }

  /// Writes the objects.
  func end(_ trace: OpenedTrace) {
    if format != .text { format.write(objects, trace) }
  }
}
