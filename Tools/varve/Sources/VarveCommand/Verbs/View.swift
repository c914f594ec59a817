internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport

/// `varve view FILE`
struct View: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows marbles in a browser: filter the lanes, click a marble for its details.",
    discussion: """
      Writes one page that needs no network into a temporary file, or where -o says, prints its path, \
      and opens it when there is a desktop to open it on.
      """)

  static let examples = [
    (command: "varve view shop.varve", meaning: "all named streams"),
    (command: "varve view shop.varve --all --since 4s --until 5s", meaning: "a closer look"),
    (command: "varve view shop.varve -o shop.html --no-open", meaning: "to send to a colleague"),
  ]

  @Argument(help: TraceInput.help) var files: [String]
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write the page to this file instead of a temporary one.", valueName: "file")
  )
  var target: String?
  @Flag(help: "Overwrite an existing file.") var force = false
  @Flag(name: .customLong("no-open"), help: "Do not open the page.") var staysClosed = false
  @OptionGroup var drawing: DrawingOptions
  @OptionGroup var selection: SelectionOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    _ = try selection.selection()
    var trace = try OpenedTrace(files, output)
    let chosen = try selection.selection(in: trace.reader)
    let isStrange = selection.warnOfStrangers(chosen, trace.reader.definitions)
    let page = try drawing.page(trace, chosen, columns: nil)
    trace.report(page.damage, page.passedOver)
    guard !page.isEmpty else {
      return try trace.end(found: false, orSay: isStrange ? nil : trace.nothingMatches)
    }
    let path = try write(page.text)
    StandardOutput.write(path + "\n")
    if !staysClosed { Browser.open(FileSystem.absolute(path)) }
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
