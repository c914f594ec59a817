internal import ArgumentParser
internal import VarveFormat

/// `varve merge A B… -o FILE`
struct Merge: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "Makes one trace of those of several processes, on one clock.",
    discussion: """
      Processes of one machine are laid over one another exactly, by the clock that they shared; \
      those of different machines by the calendar. Streams keep their names, threads are called \
      after their process, too.
      """)

  static let examples = [
    (command: "varve merge shop.varve till.varve -o both.varve", meaning: "two processes as one")
  ]

  @Argument(help: "The traces.") var files: [String]
  @OptionGroup var rewrite: RewriteOptions

  func run() throws {
    let readers = try files.map { try RewriteOptions.open($0) }
    for (file, reader) in zip(files, readers) { rewrite.warn(of: reader, called: file) }
    if !rewrite.isQuiet, TraceMerge.isByCalendar(readers) {
      Messages.warning(
        "the traces are not of one run of one machine: their times are compared by the calendar")
    }
    let outcome = try rewrite.write("merge") { progress throws(TraceFileError) in
      try TraceMerge.write(
        readers, to: rewrite.file, replacing: rewrite.force, progress: progress)
    }
    try rewrite.end(
      outcome, "\(outcome.events) events of \(readers.count) traces in \(rewrite.file)")
  }
}
