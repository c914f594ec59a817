internal import ArgumentParser
internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// `varve symbolicate FILE -o FILE`
struct Symbolicate: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "Puts the names of functions, their files and lines into a trace.",
    discussion: """
      So that its backtraces can be read where the program is not: on another machine, or after the \
      next build. Everything else in the trace stays as it is.
      """)

  static let examples = [
    (command: "varve symbolicate shop.varve -o named.varve", meaning: "to send to somebody"),
    (command: "varve symbolicate shop.varve -o shop.varve --force", meaning: "in its own place"),
  ]

  @Argument(help: "The trace.") var file: String
  @Option(
    help: ArgumentHelp(
      "Look for executables, libraries and debug information there, too.", valueName: "folder"))
  var symbols: [String] = []
  @OptionGroup var rewrite: RewriteOptions

  func run() throws {
    let reader = try RewriteOptions.open(file)
    let frames = reader.definitions.stacks.values.flatMap(\.frames) + reader.ending.frames
    let symbolizer = Symbolizer(reader.definitions, folders: symbols)
    let found = symbolizer.lookUp(frames)
    if !rewrite.isQuiet { for warning in symbolizer.warnings { Messages.warning(warning) } }
    let outcome = try rewrite.write("symbolicate") { progress throws(TraceFileError) in
      try TraceRepair.write(
        reader, to: rewrite.file, replacing: rewrite.force, adding: found.map { .symbol($0) },
        progress: progress)
    }
    let addresses = Set(frames.map(\.lookup))
    let named = addresses.count { symbolizer.hasName($0) }
    try rewrite.end(
      outcome, "\(named) of \(addresses.count) addresses have names in \(rewrite.file)")
  }
}

extension TraceEnding {
  /// Where a signal struck.
  fileprivate var frames: [StackFrame] {
    guard case .crashed(_, _, let counter?) = self else { return [] }
    return [StackFrame(address: counter, isResumption: true)]
  }
}
