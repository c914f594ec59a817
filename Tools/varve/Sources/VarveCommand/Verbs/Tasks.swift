internal import ArgumentParser
internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat
internal import VarveProbe

/// `varve tasks FILE|PID|CORE`
struct Tasks: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows a program's tasks: what each one waits for, and where.",
    discussion: """
      Of a recording, at its end or at another moment; of a living process, by its number; or of a \
      core file: for these two, nothing needs to have been recorded. \
      Each task stands below the one whose child it is, with the functions that wait, the innermost \
      first; the runtime's frames and helper tasks are left out. A process is neither stopped nor changed, and \
      its tasks may change while they are read.

      Names are those of tasks. The other flags that select events are about recordings: they choose a \
      task by the event that ended its last run.
      """)

  static let examples = [
    (command: "varve tasks app.varve", meaning: "what did a recorded program wait for at last?"),
    (command: "varve tasks app.varve --at 2s", meaning: "and two seconds after its start?"),
    (command: "varve tasks 4711", meaning: "what does process 4711 wait for?"),
    (
      command: "varve tasks core --program ./app",
      meaning: "what did a program wait for when it died?"
    ),
    (command: "varve tasks 4711 --still 2s", meaning: "what does not move?"),
    (
      command: "varve tasks 4711 --awaiting continuation",
      meaning: "who waits for a continuation?"
    ),
  ]

  enum AwaitedKind: String, ExpressibleByArgument, CaseIterable {
    case continuation, task, group, actor, sleep, lock
  }

  @Argument(
    help: ArgumentHelp("A trace, a process's number, or a core file.", valueName: "source"),
    completion: .file())
  var source: String
  @Option(
    help: ArgumentHelp("The executable, if it is not where it was.", valueName: "file"),
    completion: .file())
  var program: String?
  @Option(
    help: ArgumentHelp(
      "Only tasks that wait for this: continuation, task, group, actor, sleep, lock.",
      valueName: "kind"))
  var awaiting: [AwaitedKind] = []
  @Option(
    help: ArgumentHelp(
      "Only tasks of a process that wait, or run, at the same place for so long: 2s.",
      valueName: "duration"))
  var still: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The moment of a recording that is shown; by default its end.", valueName: "time"))
  var at: String?
  @Flag(help: "Of a recording, show also tasks that have ended.") var ended = false
  @OptionGroup var symbols: SymbolOptions
  @OptionGroup var selection: SelectionOptions
  @Flag(name: .customLong("all-frames"), help: "Include the runtime's frames and helper tasks.")
  var allFrames = false
  @Option(help: ListFormat.help) var format = ListFormat.text
  @OptionGroup var output: OutputOptions

  func run() throws {
    output.page()
    let wanted = try selection.selection()
    if isTrace { return try showRecorded(wanted) }
    if let flag = selection.flagAboutEvents {
      throw CommandEnd(.wrongUsage, "\(flag) is about the events of a recording")
    }
    var snapshot = try snapshot()
    guard at == nil, !ended else {
      throw CommandEnd(.wrongUsage, "--at and --ended are about recordings")
    }
    if let still {
      guard !FileSystem.exists(source) else {
        throw CommandEnd(
          .wrongUsage, "--still is about a living process: a core file is one moment")
      }
      let nanoseconds = try DurationText.nanoseconds(still)
      let before = Set(snapshot.tasks)
      Sleep.sleep(.nanoseconds(Int64(clamping: nanoseconds)))
      snapshot = try self.snapshot().filtered(before.contains)
    }
    let hasFound = show(
      snapshot.tasks, snapshot.definitions, wanted, warnings: snapshot.warnings)
    if !hasFound { throw CommandEnd(.nothingMatched, nothing(of: snapshot.tasks)) }
  }

  /// Shows the tasks that were asked for; returns whether there are any.
  ///
  /// - Parameters:
  ///   - wanted: the names of the tasks.
  ///   - isChosen: whether a task is among those that were asked for, besides its name.
  ///   - marksAdvice: whether the place to look at is marked below the tasks.
  ///   - time: the time of a tick since the start, if times are known.
  ///   - moment: the tick of the moment shown.
  func show(
    _ tasks: [TaskState], _ definitions: TraceDefinitions, _ wanted: Selection,
    warnings: [String] = [], isChosen: (TaskState) -> Bool = { _ in true },
    marksAdvice: Bool = true, time: ((UInt64) -> Int64)? = nil, moment: UInt64 = 0
  ) -> Bool {
    let symbolizer = Symbolizer(
      definitions, folders: symbols.symbols, looksUp: !symbols.staysInside)
    symbolizer.lookUp(tasks.flatMap { $0.frames + $0.made })
    let answer = TaskAnswer(
      tasks: tasks, symbols: symbolizer, names: wanted.names, excluded: wanted.excluded,
      awaiting: awaiting.compactMap { TaskState.Awaiting(rawValue: $0.rawValue) },
      showsHelpers: allFrames)
    let chosen = selection.listed(answer.chosen.filter(isChosen))
    var notes: [String] = []
    switch format {
    case .text:
      let text = TaskText(tasks, symbols: symbolizer, showsAll: allFrames, style: output.style) {
        tick in
        time.map { UInt64(max($0(moment) - $0(tick), 0)) }
      }
      if !chosen.isEmpty {
        StandardOutput.write(
          text.summary(chosen) + "\n\n" + text.text(TaskTree(chosen, symbols: symbolizer)))
        let advice = text.advice(chosen, marks: marksAdvice)
        if !advice.isEmpty { StandardOutput.write("\n" + advice) }
      }
    case .ndjson, .json, .csv:
      let json =
        time.map { time in TaskJSON(symbols: symbolizer) { time($0) } }
        ?? TaskJSON(symbols: symbolizer)
      notes = format.write(chosen.map(json.line).joined())
    }
    if !output.isQuiet {
      for warning in notes + warnings + symbolizer.warnings { Messages.warning(warning) }
    }
    return !chosen.isEmpty
  }

  /// What to say if nothing is shown; nil if nothing is to be said.
  func nothing(of tasks: [TaskState]) -> String? {
    output.isQuiet
      ? nil
      : tasks.isEmpty
        ? "\(source) has no task that is alive"
        : "none of the \(tasks.count) tasks matches; without flags, all are shown"
  }

  /// Whether the source is neither a process nor a core file.
  private var isTrace: Bool { FileSystem.exists(source) && !TaskSnapshot.isCore(source) }

  private func snapshot() throws -> TaskSnapshot {
    do {
      if FileSystem.exists(source) {
        guard TaskSnapshot.isCore(source) else {
          throw CommandEnd(
            .unreadable, "\(source) is neither a core file nor the number of a process")
        }
        return try TaskSnapshot(core: source, program: program)
      }
      guard let pid = Int32(source), pid > 0 else {
        throw CommandEnd(
          .unreadable, "there is no file \(source), and it is not the number of a process")
      }
      return try TaskSnapshot(pid: pid, program: program)
    } catch let error as TraceFileError {
      throw CommandEnd(.unreadable, error.description)
    }
  }
}

/// The tasks that an answer shows.
struct TaskAnswer {
  let tasks: [TaskState]
  let symbols: Symbolizer
  let names: [NamePattern]
  let excluded: [NamePattern]
  let awaiting: [TaskState.Awaiting]
  /// Whether the runtime's helpers are shown, too.
  let showsHelpers: Bool

  var chosen: [TaskState] {
    let words = TaskText.FrameWords(symbols)
    return tasks.filter { task in
      (showsHelpers || !words.isHelper(task))
        && (names.isEmpty || names.contains { $0.matches(task.name ?? "") })
        && !(task.name.map { name in excluded.contains { $0.matches(name) } } ?? false)
        && (awaiting.isEmpty || words.awaited(by: task).map(awaiting.contains) == true)
    }
  }
}
