internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat
internal import VarvePlatform
internal import VarveRecorder

/// `varve run -- PROGRAM ARGS…`
struct RunVerb: ExampledCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Records a program without changing it.",
    discussion: """
      The program runs as it would without: with the same input, output and signals. varve ends as \
      the program ends, by the same status or the same signal.

      The trace has what a diagnosis needs: crashes, why values were swallowed, and the stacks of the \
      code that schedules, observes, ends, waits, sends and reads. --light leaves out all of that \
      but crashes, for programs that it would slow down.

      --options is a list of these words, separated by commas:

      \(RecorderWords.list)
      """)

  static let examples = [
    (command: "varve run -- ./shop --port 8080", meaning: "record into shop.varve"),
    (command: "varve run -o bug.varve --force -- ./shop", meaning: "into a file of your choice"),
    (
      command: "varve run --hops -- ./shop",
      meaning: "follow what the program's own queues run, too"
    ),
    (command: "varve run --light -- ./shop", meaning: "where every nanosecond counts"),
    (command: "varve run --symbolicate -- ./shop", meaning: "to send the trace to somebody"),
  ]

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Where the trace goes; by default PROGRAM.varve.", valueName: "file"),
    completion: .file())
  var file: String?
  @Flag(help: "Write over a trace that is there.") var force = false
  @Option(
    help: ArgumentHelp(
      "What is recorded, in the words above, as in VARVE_OPTIONS.",
      discussion: "preset=production leaves out values, arguments and the host's name, and what "
        + "--light leaves out; preset=production,arguments,host keeps these two.",
      valueName: "list"), completion: WordLists.recorder)
  var options: String?
  @Flag(
    help: ArgumentHelp(
      "Leave out absorption, stacks, senders and reads.",
      discussion: "As preset=light does. What --options says besides counts."))
  var light = false
  @Flag(
    name: .customLong("no-tasks"),
    help: ArgumentHelp(
      "Do not record the program's tasks.",
      discussion: "Otherwise every task of Swift concurrency is recorded, also of a program that "
        + "does not import Varve, by a library that is preloaded. --light leaves tasks out, too."))
  var leavesOutTasks = false
  @Flag(
    help: ArgumentHelp(
      "Let backtraces lead through all of Dispatch and through Swift's tasks, too.",
      discussion: "By a library that is preloaded; what the program does stays as it is. A program "
        + "gains from it if it sends from queues of its own, or from code that it calls: varve why "
        + "says so where a way ends at such a queue."))
  var hops = false
  @Flag(
    help: ArgumentHelp(
      "Put the names of functions into the trace when the program has ended.",
      discussion: "As varve symbolicate does: the trace can then be read where the program is not.")
  )
  var symbolicate = false
  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Do not say where the trace is.")
  var isQuiet = false
  @Argument(parsing: .captureForPassthrough, help: "The program and its arguments.")
  var program: [String] = []

  /// Rejects unknown options before the program.
  ///
  /// The parser takes any unknown word for the beginning of the program, so only a word that begins
  /// with a dash can be a mistake.
  func validate() throws {
    guard let word = program.first, word.hasPrefix("-"), word != "--" else { return }
    switch word {
    case "-h", "--help", "-help": throw CleanExit.helpRequest(self)
    case "--version": throw CleanExit.message(VarveCommand.configuration.version)
    default:
      let name = String(word.prefix { $0 != "=" })
      let hint = Suggestion.text(name, among: Self.optionNames).map { "; \($0)" } ?? "."
      throw ValidationError(
        "unknown option \"\(name)\"\(hint) A program of that name goes behind --")
    }
  }

  /// The names of the options, from the help.
  private static var optionNames: [String] {
    helpMessage().split { " \n,[]".contains($0) }.map(String.init).filter { $0.hasPrefix("--") }
  }

  func run() throws {
    let words = program.first == "--" ? Array(program.dropFirst()) : program
    guard let name = words.first else {
      throw CommandEnd(.wrongUsage, "which program? try: varve run -- ./shop --port 8080")
    }
    try checkOptions()
    let path = FileSystem.absolute(try tracePath(name))
    try checkPlace(path)
    let earlier = Self.identity(ofTraceAt: path)
    let begun = Self.wallClock
    // Of several programs that run, the first one records there.
    var environment = ["VARVE_TRACE": path, "VARVE_RUN_BEGAN": "\(begun)"]
    if let recorded { environment["VARVE_OPTIONS"] = recorded }
    var preloaded: [PreloadedLibrary] = hops ? [.hops] : []
    if !leavesOutTasks, !light {
      if PreloadedLibrary.tasks.isThere { preloaded.append(.tasks) }
      if let absence = PreloadedLibrary.tasks.absence, !isQuiet {
        Messages.warning("tasks are not recorded (--no-tasks says that this is meant): \(absence)")
      }
    }
    if !preloaded.isEmpty {
      environment["LD_PRELOAD"] = try PreloadedLibrary.preloading(preloaded)
    }
    let ending = try ChildProcess.run(words, environment: environment)
    let trace = Self.trace(of: ending.process, at: path, since: begun)
    // Only this process learns which status or signal ended the program.
    _ = try? Sidecar.store(
      waitStatus: ending.status, of: UInt32(ending.process), forTraceAt: trace)
    // A trace that was there before does not come from this program.
    let isRecorded = FileSystem.exists(trace) && Self.identity(ofTraceAt: trace) != earlier
    let traces = (isRecorded ? [trace] : []) + Self.others(at: path, since: begun, beside: trace)
    if symbolicate {
      for trace in traces { TraceSymbols.bake(recordingAt: trace, isQuiet: isQuiet) }
    }
    if !isQuiet { tell(traces) }
    ending.endAlike()
  }

  /// Returns the trace of a process that records to a path with or without `%p`. If another process
  /// with the same id already has a trace there, this is `run-7-other-1.varve`.
  private static func trace(of process: pid_t, at path: String, since begun: UInt64) -> String {
    guard path.contains("%p") else { return path }
    let first = path.split(separator: "%p", omittingEmptySubsequences: false)
      .joined(separator: "\(process)")
    let suffix = first.hasSuffix(".varve") ? ".varve" : ""
    let others = (1...9_999).lazy.map { "\(first.dropLast(suffix.count))-other-\($0)\(suffix)" }
      .prefix { FileSystem.exists($0) || (try? Sidecar.writer(ofTraceAt: $0)) != nil }
    let own = ([first] + others).last { file in
      guard let recorded = try? TraceReader(path: file).header.process else { return false }
      return recorded.pid == UInt32(process) && recorded.started >= begun
    }
    return own ?? first
  }

  /// Returns the traces of other processes that recorded to a path with `%p`, the earliest first: the program may
  /// be a script that runs others.
  private static func others(at path: String, since begun: UInt64, beside own: String) -> [String] {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let pattern = parts.removeLast()
    let folder = parts.joined(separator: "/")
    guard pattern.contains("%p"), !folder.contains("%p") else { return [] }
    let fixed = pattern.split(separator: "%p", omittingEmptySubsequences: false)
    let names = FolderListing.names(in: folder.isEmpty ? "/" : folder).filter { name in
      name.hasPrefix(fixed[0]) && name.hasSuffix(pattern.hasSuffix(".varve") ? ".varve" : "")
    }
    let found = names.compactMap { name -> (path: String, started: UInt64)? in
      let path = "\(folder)/\(name)"
      guard path != own, let process = (try? TraceReader(path: path))?.header.process,
        process.started >= begun,
        name.hasPrefix(fixed.dropLast().joined(separator: "\(process.pid)") + "\(process.pid)")
      else { return nil }
      return (path, process.started)
    }
    return found.sorted { ($0.started, $0.path) < ($1.started, $1.path) }.map(\.path)
  }

  /// The current time as in a trace: nanoseconds since 1970.
  private static var wallClock: UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }

  private static func identity(ofTraceAt path: String) -> TraceID? {
    try? TraceReader(path: path).header.id
  }

  /// The text of the recorder's options; nil for the defaults.
  private var recorded: String? {
    guard light else { return options }
    let words = options ?? Environment["VARVE_OPTIONS"] ?? ""
    // The last preset counts.
    return words.isEmpty ? "preset=light" : "preset=light,\(words)"
  }

  /// Checks the recorder's options. The recorder would report mistakes too late: the program would
  /// run without being recorded.
  private func checkOptions() throws(CommandEnd) {
    guard let text = recorded ?? Environment["VARVE_OPTIONS"] else { return }
    do throws(OptionMistake) {
      _ = try Recorder.Options(text: text)
    } catch {
      let name = options == nil ? "VARVE_OPTIONS" : "--options"
      throw CommandEnd(.wrongUsage, "\(name): \(error.message)")
    }
  }

  /// Checks that a trace can be created at the path. A path with `%p` cannot be checked in advance.
  private func checkPlace(_ path: String) throws(CommandEnd) {
    guard !path.contains("%p") else { return }
    if let reason = FileSystem.obstacle(toMaking: path) {
      throw CommandEnd(.unreadable, "cannot make the trace \(path): \(reason)")
    }
    do throws(TraceFileError) {
      if let writer = try Sidecar.writer(ofTraceAt: path), writer.isRecording {
        throw TraceFileError(.wrongUse, "\(writer) is recording to \(path)")
      }
      try TraceWriter.checkReplaceable(path)
    } catch {
      throw CommandEnd(.wrongUsage, error.message)
    }
  }

  /// Returns a path without an existing file, unless the user forces it.
  private func tracePath(_ program: String) throws(CommandEnd) -> String {
    if let file {
      guard force || file.contains("%p") || !FileSystem.exists(file) else {
        throw CommandEnd(.wrongUsage, "\(file) already exists; --force overwrites it")
      }
      return file
    }
    let name = program.split(separator: "/").last.map(String.init) ?? "trace"
    if force { return "\(name).varve" }
    let names = ["\(name).varve"] + (2...9_999).lazy.map { "\(name)-\($0).varve" }
    return names.first { !FileSystem.exists($0) } ?? "\(name).varve"
  }

  private static let mostTold = 8

  private func tell(_ traces: [String]) {
    guard let first = traces.first else {
      let tasks =
        leavesOutTasks || light
        ? "its tasks were left out (\(light ? "--light" : "--no-tasks"))"
        : "has no tasks that can be seen: none at all, or those of a Swift that is linked into it "
          + "(-static-stdlib)"
      Messages.warning(
        "the program left no trace: either it says above why not, or it does not import Varve, and "
          + tasks)
      return
    }
    for path in traces.prefix(Self.mostTold) {
      guard let reader = try? TraceReader(path: path) else { continue }
      let events = "\(reader.events) \(reader.events == 1 ? "event" : "events")"
      Messages.plain(
        "varve: \(events) in \(path); next: \(TraceCommand([path]).line("timeline"))")
      if !leavesOutTasks, !light { tellOfTasks(reader) }
    }
    if traces.count > Self.mostTold {
      Messages.plain("varve: and \(traces.count - Self.mostTold) more traces beside these")
    }
    if hops, let reader = try? TraceReader(path: first) { tellOfHops(reader.definitions) }
  }

  /// Says why tasks were not recorded, if the recorder says so in the trace.
  private func tellOfTasks(_ reader: TraceReader) {
    guard !TraceTasks.areRecorded(in: reader), let obstacle = (try? TraceTasks(reader))?.obstacle
    else { return }
    Messages.warning(obstacle)
  }

  /// Tells what was gained by following queues.
  private func tellOfHops(_ definitions: TraceDefinitions) {
    let queues = definitions.followedQueues
    guard let first = queues.first else {
      return Messages.plain(
        "varve: --hops followed no queue: the program gave no work to queues of its own, or has "
          + "neither Varve nor tasks that are recorded")
    }
    let others = queues.count > 1 ? ", and of \(queues.count - 1) more" : ""
    Messages.plain("varve: --hops followed the work of \(first)\(others)")
  }
}
