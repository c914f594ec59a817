internal import ArgumentParser
internal import VarveFormat

/// `varve symbolicate FILE -o FILE`
struct Symbolicate: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "Adds the names, files, and lines of functions to a trace.",
    discussion: """
      So that its backtraces can be read where the program is not: on another machine, or after the \
      next build. Everything else in the trace stays as it is.
      """)

  static let examples = [
    (command: "varve symbolicate shop.varve -o named.varve", meaning: "to send to a colleague"),
    (command: "varve symbolicate shop.varve -o shop.varve --force", meaning: "replace the trace"),
  ]

  @Argument(help: TraceInput.oneHelp, completion: .file()) var file: String
  @Option(
    help: ArgumentHelp(
      "Also look for executables, libraries, and debug information in this folder.",
      valueName: "folder"))
  var symbols: [String] = []
  @OptionGroup var rewrite: RewriteOptions

  func run() throws {
    let reader = try TraceInput.one(file, for: "symbolicate")
    rewrite.warn(of: reader, called: file)
    let found = TraceSymbols(reader, folders: symbols)
    if !rewrite.isQuiet { for warning in found.warnings { Messages.warning(warning) } }
    let outcome = try rewrite.write("symbolicate") { progress throws(TraceFileError) in
      try TraceRepair.write(
        reader, to: rewrite.file, replacing: rewrite.force, adding: found.definitions,
        progress: progress)
    }
    try rewrite.end(outcome, "\(found.summary) in \(rewrite.file)")
  }
}
