internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

/// `varve view FILE`
struct View: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "The viewer, in a browser: lanes on a time axis, from the whole to one event and its causes.",
    discussion: """
      Serves the viewer on this machine alone, prints its address, which nobody can guess, and opens it when \
      there is a desktop; Control-C ends it. While the trace is being recorded, the picture follows. In the \
      page, ? shows all keys. With --format html or -o it writes one page that needs no server: it has up to \
      16 MiB of events; of more, the first ones, and says so: --since, --until and -n choose others.
      """)

  static let examples = [
    (command: "varve view shop.varve", meaning: "everything"),
    (command: "varve view shop.varve --since 4s --until 5s", meaning: "begin at one second of it"),
    (
      command: "varve view shop.varve --where 'kind == failed'",
      meaning: "with these events found, which n and N go through"
    ),
    (command: "varve view shop.varve --no-open --port 8000", meaning: "only print the address"),
    (command: "varve view bad.varve --diff good.varve", meaning: "what went differently?"),
    (command: "varve view shop.varve -o shop.html --no-open", meaning: "to send to a colleague"),
    (
      command: "varve view bad.varve --diff good.varve -o diff.html --no-open",
      meaning: "the differences, to send"
    ),
  ]

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case html
  }

  @Argument(help: TraceInput.help, completion: .file()) var files: [String]
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write one page with the events inside to this file.", valueName: "file"),
    completion: .file())
  var target: String?
  @Option(help: "html writes one page with the events inside, to a temporary file without -o.")
  var format: Format?
  @Option(help: ArgumentHelp("Listen on this port; 0 takes any.", valueName: "number")) var port = 0
  @Flag(help: "Overwrite an existing file.") var force = false
  @Flag(name: .customLong("no-open"), help: "Do not open the page.") var staysClosed = false
  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      "Open it at a place and zoom: what the page's address ends in.", valueName: "fragment"))
  var place: String?
  @Option(
    name: .customLong("diff"),
    help: ArgumentHelp("Tell where another run differs, side by side.", valueName: "file"),
    completion: .file())
  var other: String?
  @OptionGroup var symbols: SymbolOptions
  @OptionGroup var selection: SelectionOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if !(0...65_535).contains(port) { throw ValidationError("--port takes a number up to 65535") }
  }

  func run() throws {
    guard target != nil || format != nil else { return try serve() }
    try writePage()
  }

  /// The trace to compare with, and the argument that names it.
  func compared() throws -> (reader: TraceReader, name: String)? {
    try other.map { (reader: try OpenedTrace($0, output).reader, name: $0) }
  }

  /// Writes the page that needs no server.
  private func writePage() throws {
    _ = try selection.selection()
    let files = try RotatedRecording.whole(files)
    var trace = try OpenedTrace(files, output, meetsDamage: true)
    let chosen = try selection.selection(in: trace.reader)
    let isStrange = selection.warnOfStrangers(chosen, trace.reader.definitions)
    let symbolizer = symbols.symbolizer(trace.reader)
    // The trace is read several times, most of them for what the page says of all events.
    let page = try ViewerPage(
      of: trace.reader, chosen, symbols: symbolizer, files: files, against: try compared())
    ReadingProgress.end()
    trace.report(page.damage, page.passedOver)
    guard !page.isEmpty else {
      return try trace.end(
        found: false, orSay: isStrange ? nil : trace.nothingMatches(selection, chosen))
    }
    let path = try write(page.text)
    StandardOutput.write(path + "\n")
    if !staysClosed { Browser.open(FileSystem.absolute(path), at: place) }
    try trace.end(found: true)
  }

  /// Writes the page and returns its path.
  private func write(_ text: String) throws(CommandEnd) -> String {
    guard let target else {
      let (path, output) = try OutputFile.temporary(suffix: ".html")
      output.write(text)
      try StandardOutput.close(output)
      return path
    }
    let file = try OutputFile(target, force: force, besides: TraceInput.paths(files))
    file.output.write(text)
    try StandardOutput.close(file.output)
    try file.publish()
    return target
  }
}
