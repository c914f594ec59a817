internal import ArgumentParser
internal import VarveFormat

/// The options of verbs that write a trace: the same flags in all of them.
struct RewriteOptions: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write the new trace to this file.", valueName: "file"),
    completion: .file())
  var file: String

  @Flag(help: "Overwrite an existing trace.") var force = false

  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Print no warnings and no summary.")
  var isQuiet = false

  /// Writes the new trace, shows the progress, and warns of what was left out.
  func write(
    _ verb: String,
    _ body: (_ progress: @escaping RewriteProgress) throws(TraceFileError) -> RewriteOutcome
  ) throws(CommandEnd) -> RewriteOutcome {
    let progress = Progress(verb, isQuiet: isQuiet)
    let draft = RewrittenFile.draft(of: file)
    UnfinishedFiles.add(draft)
    defer { UnfinishedFiles.remove(draft) }
    let outcome: RewriteOutcome
    do throws(TraceFileError) {
      outcome = try body { done, all in progress.show(done, of: all) }
    } catch {
      progress.clear()
      throw CommandEnd(error.code == .wrongUse ? .wrongUsage : .unreadable, error.description)
    }
    progress.clear()
    if !isQuiet {
      for damage in outcome.damage {
        Messages.warning(
          "left out \(damage.bytes) bytes at byte \(damage.offset): \(damage.reason)")
      }
      for mended in outcome.mended {
        Messages.warning(
          "wrote \(mended.bytes) bytes at byte \(mended.offset) again, complete: \(mended.reason)")
      }
    }
    return outcome
  }

  /// Warns of what is missing from the trace that is about to be rewritten.
  func warn(of reader: TraceReader, called name: String) {
    guard !isQuiet else { return }
    for warning in reader.warnings { Messages.warning("\(name): \(warning)") }
  }

  /// Prints the summary, and ends with a status if something was damaged.
  func end(_ outcome: RewriteOutcome, _ summary: String) throws(CommandEnd) {
    if !isQuiet { Messages.plain("varve: \(summary)") }
    if !outcome.damage.isEmpty { throw CommandEnd(.damaged) }
  }
}
