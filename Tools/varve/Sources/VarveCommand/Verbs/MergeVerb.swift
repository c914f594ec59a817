internal import ArgumentParser
internal import VarveFormat

/// `varve merge A B… -o FILE`
struct MergeVerb: ExampledCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merges the traces of several processes into one, on one clock.",
    discussion: """
      Processes of one machine are laid over one another exactly, by the clock that they shared; \
      those of different machines by the calendar. Streams keep their names, threads are called \
      after their process, too.
      """)

  static let examples = [
    (command: "varve merge shop.varve till.varve -o both.varve", meaning: "two processes as one"),
    (command: "varve merge traces -o all.varve", meaning: "all traces in a folder"),
  ]

  @Argument(
    help: ArgumentHelp("The traces, or folders of traces. - is standard input.", valueName: "file"),
    completion: .file())
  var files: [String]
  @OptionGroup var rewrite: RewriteOptions

  func run() throws {
    var readers: [TraceReader] = []
    for source in try TraceInput.sources(files, besides: rewrite.file) {
      let reader = try source.open()
      rewrite.warn(of: reader, called: source.name)
      readers.append(reader)
    }
    guard !readers.isEmpty else {
      throw CommandEnd(.unreadable, "there is no trace to merge except \(rewrite.file) itself")
    }
    if !rewrite.isQuiet, TraceMerge.isByCalendar(readers) {
      Messages.warning(
        "the traces were not recorded on one machine between two starts: their times are compared by the wall clock"
      )
    }
    let outcome = try rewrite.write("merge") { progress throws(TraceFileError) in
      try TraceMerge.write(
        readers, to: rewrite.file, replacing: rewrite.force, progress: progress)
    }
    let traces = readers.count == 1 ? "1 trace" : "\(readers.count) traces"
    // Files of one recording may share events.
    let all = readers.reduce(0) { $0 + $1.events }
    let shared = outcome.damage.isEmpty && all > outcome.events ? all - outcome.events : 0
    let once = shared > 0 ? "; \(shared) that several of them have are in it once" : ""
    try rewrite.end(outcome, "\(outcome.events) events of \(traces) in \(rewrite.file)\(once)")
  }
}
