internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// `varve timeline FILE`
struct TimelineVerb: ExampledCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Marbles: one lane a stream, all on one axis of time.",
    discussion: """
      Streams that were named get a lane each; --all shows every operator's, -n those that match. \
      A single value is written out where there is room, several in one column are counted, and an \
      end is always seen. Runs of a producer follow each other on one lane, or lie beside each other.
      """)

  static let examples = [
    (command: "varve timeline shop.varve", meaning: "the streams that have names"),
    (command: "varve timeline shop.varve -n 'search*'", meaning: "some of them, operators too"),
    (command: "varve timeline shop.varve --since 4s --until 5s", meaning: "a closer look"),
    (command: "varve timeline shop.varve --ascii --width 72", meaning: "for a commit message"),
  ]

  @Argument(help: TraceInput.help) var files: [String]
  @Flag(help: "Every stream, also those that nobody named.") var all = false
  @Option(
    help: ArgumentHelp("Columns; by default the terminal's, or 100.", valueName: "columns"))
  var width: Int?
  @Flag(name: .customLong("no-fold"), help: "Draw idle stretches at their full length.")
  var keepsGaps = false
  @OptionGroup var selection: SelectionOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if let width, !(40...10_000).contains(width) {
      throw ValidationError("a timeline takes from 40 to 10000 columns, not \(width)")
    }
  }

  func run() throws {
    _ = try selection.selection()
    var trace = try OpenedTrace(files, output)
    let reader = trace.reader
    let chosen = try selection.selection(in: reader)
    selection.warnOfStrangers(chosen, reader.definitions)
    let columns = width ?? Terminal.width ?? 100
    var style = output.style
    if style.width != nil { style.width = columns }
    let timeline = try Timeline(
      of: reader, selection: chosen, losses: reader.losses,
      options: Timeline.Options(width: columns, showsAll: all, keepsGaps: keepsGaps), style: style)
    trace.report(timeline.damage)
    StandardOutput.write(TimelineTextRenderer(timeline, style: style).text())
    try trace.end(found: !timeline.isEmpty)
  }
}
