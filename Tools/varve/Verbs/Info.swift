internal import ArgumentParser
internal import VarveExport

/// `varve info FILE`
struct Info: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "What a trace is: program, time, how it ended, how much is in it, what is missing.")

  static let examples = [
    (command: "varve shop.varve", meaning: "the same, with a hint at what to do next"),
    (command: "varve info shop.varve --format json", meaning: "for scripts"),
  ]

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Argument(help: TraceInput.help) var files: [String]
  @Option(help: "text or json.") var format = Format.text
  @OptionGroup var output: OutputOptions
  @Flag(help: .hidden) var hint = false

  func run() throws {
    var quiet = output
    // The text says itself what is missing.
    quiet.isQuiet = output.isQuiet || format == .text
    let trace = try OpenedTrace(files, quiet)
    switch format {
    case .json: StandardOutput.write(TraceSummaryJSON.text(trace.reader))
    case .text:
      let text = TraceSummaryText(trace.reader, style: output.style).text()
      StandardOutput.write(text + (hint ? next : ""))
    }
    try trace.end(found: true)
  }

  private var next: String {
    let file = files.joined(separator: " ")
    return """

      next  varve timeline \(file)        what happened, as marbles
            varve streams \(file) --tree  which streams there are, and which feeds which
            varve replay \(file)          every event

      """
  }
}
