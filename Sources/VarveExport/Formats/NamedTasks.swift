internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// A task, after which spans and slices are called.
struct NamedTask {
  var number: UInt64
  /// The name that the program gave it, safe to print.
  var name: String?

  /// `task 3 "upload"`.
  var title: String { name.map { "task \(number) \"\($0)\"" } ?? "task \(number)" }
}

/// The tasks that events are about, with their names. Only tasks that have not ended are remembered.
struct NamedTasks {
  private var words: TraceWords
  /// The templates of tasks, which have their names, by task.
  private var templates: WalkTable<UInt64, UInt32>
  /// The task of the run that a thread began last.
  private var running: [UInt32: UInt64] = [:]

  /// The memory for an entry of the table, in bytes.
  private static var entryBytes: Int { 48 }

  init(_ words: TraceWords) {
    self.words = words
    templates = WalkTable(words.walk, bytes: Self.entryBytes, of: .work)
  }

  /// Goes on with a later part of a trace, which may define more.
  mutating func goOn(with words: TraceWords) { self.words = words }

  /// Returns the task that an event is about, or that it lets run; nil if that is none, or not told by the
  /// event itself.
  mutating func note(_ kind: RecordKind, _ index: Int, _ block: ColumnPointers) -> NamedTask? {
    let (number, word) = (block.subscriptions[index], block.words[index])
    let payload = PayloadKind(rawValue: block.payloadKinds[index])
    switch kind {
    case .taskCreated:
      if payload == .made {
        templates.set(TaskCreationPayload(word: word).template, for: number)
      }
      return task(number)
    case .taskCancelled, .taskFailed, .taskFailureRead: return task(number)
    case .errorThrown: return number == 0 ? nil : task(number)
    case .hopBegan:
      guard payload == .task else { return nil }
      let task = TaskRunPayload(word: word).task
      running[block.ring] = task
      return self.task(task)
    default: return nil
    }
  }

  /// Returns what a task does after a run that has ended: `waits for a continuation`; nil if the work was no
  /// task's.
  mutating func noteEnd(_ index: Int, _ block: ColumnPointers) -> String? {
    guard block.payloadKinds[index] == PayloadKind.awaited.rawValue else { return nil }
    let end = TaskAwaitPayload(word: block.words[index])
    if let task = running.removeValue(forKey: block.ring), end.awaited == TaskAwait.nothing.rawValue
    {
      templates.removeValue(forKey: task)
    }
    return words.phrase(end)
  }

  private func task(_ number: UInt64) -> NamedTask {
    let name = templates[number].flatMap { words.definitions.taskTemplates[$0]?.name }
    return NamedTask(
      number: number,
      name: name.flatMap { $0.isEmpty ? nil : TerminalText.escaped($0) })
  }
}
