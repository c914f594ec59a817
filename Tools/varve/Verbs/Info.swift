internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat

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
      StandardOutput.write(try text + found(trace.reader) + (hint ? next : ""))
    }
    try trace.end(found: true)
  }

  /// A trace of more events is not looked through without being asked.
  private static let mostEvents: UInt64 = 5_000_000

  /// What ought to be looked at, each with its evidence.
  private func found(_ reader: TraceReader) throws -> String {
    guard reader.events <= Self.mostEvents else { return "" }
    let lookup = EventLookup(reader)
    let findings = Findings(try TraceLedger(reader), reader, lookup: lookup)
    let words = TraceWords(reader, pid: reader.header.process.pid, style: output.style)
    // Losses are told already.
    let told = findings.all.filter { $0.kind != .loss }
    return FindingText(words, lookup: lookup, file: files.joined(separator: " ")).text(
      Array(told.prefix(8)))
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
