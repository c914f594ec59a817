internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// `varve timeline FILE`
struct TimelineVerb: ExampledCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Draws marbles: one lane for each stream, on one time axis.",
    discussion: """
      Streams that were named get a lane each; --all shows every operator's, -n those that match. \
      A single value is written out where there is room, several in one column are counted, and an \
      end is always seen. Runs of a producer follow each other on one lane, or lie beside each other. \
      Tasks of Swift concurrency have lanes below: when they were made, ran, waited (and for what), \
      and ended. -n chooses them by their names, too, or as 'task 3'.
      """)

  static let examples = [
    (command: "varve timeline shop.varve", meaning: "the named streams"),
    (
      command: "varve timeline shop.varve -n 'search*'",
      meaning: "some streams, with their operators"
    ),
    (command: "varve timeline shop.varve --since 4s --until 5s", meaning: "a closer look"),
    (command: "varve timeline shop.varve --ascii --width 72", meaning: "for a commit message"),
    (command: "varve timeline shop.varve --format html -o shop.html", meaning: "for a browser"),
    (command: "varve timeline shop.varve --format rxjs -n query", meaning: "for a test"),
  ]

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, svg, html, rxjs
  }

  @Argument(help: TraceInput.help, completion: .file()) var files: [String]
  @Option(
    help: ArgumentHelp(
      "The width in columns; by default the terminal's, or 100.", valueName: "columns"))
  var width: Int?
  @Option(
    help: ArgumentHelp(
      "text, svg (a picture), html (a page), rxjs (marbles that RxJS's test scheduler reads)."))
  var format = Format.text
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"),
    completion: .file())
  var target: String?
  @Flag(help: "Overwrite an existing file.") var force = false
  @OptionGroup var drawing: DrawingOptions
  @OptionGroup var symbols: SymbolOptions
  @OptionGroup var selection: SelectionOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if let width, !(40...10_000).contains(width) {
      throw ValidationError("a timeline takes from 40 to 10000 columns, not \(width)")
    }
  }

  func run() throws {
    output.page()
    _ = try selection.selection()
    var trace = try OpenedTrace(files, output)
    let chosen = try selection.selection(in: trace.reader)
    let drawn = try drawn(trace, chosen)
    // A name that no stream has may be a task's.
    let isStrange =
      !drawn.hasTasks && selection.warnOfStrangers(chosen, trace.reader.definitions)
    let file = try target.map { path throws(CommandEnd) in
      try OutputFile(path, force: force, besides: TraceInput.paths(files))
    }
    let out = file?.output ?? StandardOutput.open()
    out.write(drawn.text)
    try StandardOutput.close(out)
    try file?.publish()
    trace.report(drawn.damage, drawn.passedOver)
    let nothing =
      trace.reader.definitions.streams.isEmpty
      ? trace.noStreams : notDrawn(chosen) ?? trace.nothingMatches(selection, chosen)
    try trace.end(found: !drawn.isEmpty, orSay: isStrange ? nil : nothing)
  }

  /// The message that the first or last events are there, and none is one that is drawn.
  private func notDrawn(_ chosen: Selection) -> String? {
    guard chosen.head ?? chosen.tail != nil else { return nil }
    let some = [chosen.head.map { "--head \($0)" }, chosen.tail.map { "--tail \($0)" }]
    let flags = some.compactMap { $0 }
    let line = output.command(files).line("replay") + " " + flags.joined(separator: " ")
    let all = drawing.all ? "" : "; --all draws every stream"
    return "no event of a stream that is drawn is among those; \(line) shows them\(all)"
  }

  private func drawn(_ trace: OpenedTrace, _ chosen: Selection) throws -> DrawnTimeline {
    switch format {
    case .text:
      let columns = width ?? Configuration["width"].flatMap { Int($0) } ?? Terminal.width ?? 100
      var style = output.style
      if target != nil { style = OutputStyle(colours: false, ascii: style.ascii, width: nil) }
      if style.width != nil {
        style.width = columns
      } else if let width, !output.keepsLines {
        // Whoever asks for a width has the columns below the lanes chosen for it; texts are whole.
        (style.width, style.cutsLines) = (width, false)
      }
      return try drawing.text(
        trace, chosen, columns: columns, style, symbols.symbolizer(trace.reader))
    case .svg:
      return try drawing.picture(trace, chosen, columns: width, symbols.symbolizer(trace.reader))
    case .html:
      return try drawing.page(trace, chosen, columns: width, symbols.symbolizer(trace.reader))
    case .rxjs: return try drawing.exactMarbles(trace, chosen)
    }
  }
}
