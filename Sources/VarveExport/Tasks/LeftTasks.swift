internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The tasks that had not ended when a program did: what each waits for, and where.
struct LeftTasks {
  private let tasks: [TaskWords.Named]
  private let taskWords: TaskWords
  /// The events that ended their last runs.
  private let events: [UInt64: EventName]

  private static let most = 8

  /// Reads the tasks of a trace; nil if there are none, or all have ended.
  ///
  /// - Parameter waiting: whether only those are meant that waited for something.
  init?(_ reader: TraceReader, symbols: Symbolizer, waiting: Bool = false) {
    guard TraceTasks.areRecorded(in: reader), let known = try? TraceTasks(reader) else {
      return nil
    }
    self.init(known, symbols: symbols, waiting: waiting)
  }

  /// Takes the tasks that were read; nil if there are none, or all have ended.
  init?(_ known: TraceTasks, symbols: Symbolizer, waiting: Bool) {
    guard !known.tasks.isEmpty else { return nil }
    symbols.lookUpOwn(known.tasks.flatMap(\.frames))
    taskWords = TaskWords(
      symbols: symbols,
      names: Dictionary(known.tasks.compactMap { task in task.name.map { (task.id, $0) } }) { $1 })
    let words = taskWords
    tasks = known.tasks.map { words.named($0) }.filter {
      !$0.isHelper && !(waiting && $0.task.phase == .running)
    }
    guard !tasks.isEmpty else { return nil }
    events = known.lastRuns
  }

  /// Returns an object for each task: the keys of `varve tasks`, `subject`, and `event`, which ended its
  /// last run.
  func objects(_ words: TraceWords) -> [String] {
    let symbols = taskWords.symbols
    symbols.lookUpOwn(tasks.flatMap(\.task.made))
    let json = TaskJSON(symbols: symbols) { words.nanoseconds($0) }
    return tasks.map { named in
      let event = events[named.task.id]?.json ?? "null"
      return "{\"subject\":\"task\",\"event\":\(event)," + json.line(named.task).dropFirst()
    }
  }

  /// Returns a section of a report.
  func lines(_ words: TraceWords, _ command: TraceCommand) -> [String] {
    let title = words.style.paint("tasks that had not ended", .bold)
    let shown = tasks.prefix(Self.most)
    let rows = shown.map { named -> [String] in
      [
        events[named.task.id].map { "#\($0)" } ?? "",
        named.task.since.map { words.moment($0) } ?? "",
        named.own.first.flatMap(TaskWords.place).map { words.style.escaped($0) } ?? "",
        words.style.escaped("task \(taskWords.title(named.task.id))"),
        words.style.escaped(taskWords.phrase(named)),
      ]
    }
    var table = TextTable(
      [("EVENT", false), ("TIME", true), ("PLACE", false), ("TASK", false), ("STATE", false)],
      style: words.style.indented(by: 2), keeping: ["EVENT", "PLACE"])
    for row in rows { table.add(row.map { TextTable.Cell($0) }) }
    let more = tasks.count - shown.count
    let rest = (more > 0 ? "and \(Counted.grouped(UInt64(more))) more; " : "") + "who made them"
    return [title] + table.lines.dropFirst().map { "  " + $0 }
      + [words.style.paint("  \(rest): " + command.line("tasks"), .dim)]
  }
}
