internal import ArgumentParser
internal import VarveExport
internal import VarveFormat

/// `varve verify FILE`
struct Verify: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks every checksum of a trace, its structure, and the order of its events.",
    discussion: """
      Ends with 0 when all is well, with 4 when something is damaged or out of order: each such \
      place is listed on standard output. Ends with 4, too, when the program died and the sidecar, \
      FILE-live, does not lie beside the trace: its last events may be missing.
      """)

  static let examples = [
    (command: "varve verify shop.varve", meaning: "is it whole?"),
    (command: "varve verify shop.varve --format json", meaning: "for scripts"),
  ]

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Argument(help: "The trace.") var file: String
  @Option(help: "text or json.") var format = Format.text
  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Nothing but the exit status.")
  var isQuiet = false

  func run() throws {
    let reader = try RewriteOptions.open(file)
    let progress = Progress("verify", isQuiet: isQuiet)
    let found: TraceVerification
    do throws(TraceFileError) {
      found = try TraceVerification(reader) { done, all in progress.show(done, of: all) }
    } catch {
      progress.clear()
      throw CommandEnd(.unreadable, error.description)
    }
    progress.clear()
    if !isQuiet {
      switch format {
      case .text: StandardOutput.write(VerificationText.text(found, of: reader))
      case .json: StandardOutput.write(VerificationText.json(found, of: reader))
      }
      for warning in reader.warnings { Messages.warning("\(file): \(warning)") }
    }
    if !found.damage.isEmpty || !found.disorder.isEmpty || reader.lacksSidecar {
      throw CommandEnd(.damaged)
    }
  }
}
