internal import ArgumentParser
internal import VarveFormat

/// `varve repair FILE -o FILE`
struct Repair: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "Makes one complete file of a trace that is damaged, or whose program died.",
    discussion: """
      Keeps every intact block as it is, adds what lies in the sidecar, and writes a new index. Ends \
      with 4 when something was damaged and had to be left out. In the trace's own place, the \
      sidecar is removed once the new file holds all of it.
      """)

  static let examples = [
    (command: "varve repair shop.varve -o whole.varve", meaning: "one file to send to a colleague"),
    (command: "varve repair shop.varve -o shop.varve --force", meaning: "replace the trace"),
  ]

  @Argument(help: TraceInput.oneHelp, completion: .file()) var file: String
  @OptionGroup var rewrite: RewriteOptions

  func run() throws {
    let reader = try TraceInput.one(file, for: "repair")
    rewrite.warn(of: reader, called: file)
    let outcome = try rewrite.write("repair") { progress throws(TraceFileError) in
      try TraceRepair.write(
        reader, to: rewrite.file, replacing: rewrite.force, progress: progress)
    }
    let folded = outcome.folded == 0 ? "" : ", \(outcome.folded) of them from the sidecar"
    let removed = outcome.isSidecarRemoved ? "; the sidecar is part of it now and was removed" : ""
    try rewrite.end(outcome, "\(outcome.events) events\(folded) in \(rewrite.file)\(removed)")
  }
}
