internal import VarveAnalysis
internal import VarveProbe

/// What is said of tasks, in text and for machines.
struct TaskWords {
  let symbols: Symbolizer
  /// The names of tasks, by number.
  let names: [UInt64: String]
  /// Whether the output is limited to ASCII.
  var ascii = false

  /// A task with its suspended functions by name.
  struct Named {
    var task: TaskState
    var frames: [NamedFrame]
    /// Whether all that is known of its creation is the runtime's code.
    var isMadeByRuntime = false

    /// The frames in the program's own code, innermost first. Generic functions of the standard
    /// library are compiled into the program, without a place.
    var own: [NamedFrame] {
      let own = frames.filter { !$0.isMachinery }
      let placed = own.filter { $0.line > 0 }
      return placed.isEmpty ? own : placed
    }

    /// Whether it waits for an executor for the first time: only what will call its function is there.
    var isNew: Bool { task.phase == .enqueued && own.isEmpty }

    /// Whether it is one of the tasks by which the runtime wakes sleeping ones: all of its code is
    /// the runtime's, and it waits for nothing that the runtime would name.
    var isHelper: Bool { isWaitingHelper || isEndedHelper || isRunningHelper }

    /// It lives for microseconds, and has no code of the program's, nor has what made it.
    private var isRunningHelper: Bool {
      task.name == nil && (task.phase == .running || task.phase == .enqueued) && task.maker == nil
        && isMadeByRuntime && frames.allSatisfy(\.isMachinery)
    }

    /// Of one that has ended, it is only known that nobody made it: no task, and no code; or, without stacks,
    /// that nobody gave it to an executor either.
    private var isEndedHelper: Bool {
      task.name == nil && task.phase == .ended && task.maker == nil
        && (isMadeByRuntime || task.made.isEmpty && task.ranOnce)
    }

    private var isWaitingHelper: Bool {
      task.name == nil && task.phase == .suspended && task.awaiting == nil && !frames.isEmpty
        && frames.allSatisfy(\.isMachinery)
    }
  }

  func named(_ task: TaskState) -> Named {
    let made = task.maker == nil ? symbols.named(task.made) : []
    return Named(
      task: task, frames: symbols.named(task.frames),
      isMadeByRuntime: !made.isEmpty && made.allSatisfy(\.isMachinery))
  }

  /// `3 "waiter"`.
  func title(_ id: UInt64) -> String {
    names[id].map { "\(id) \"\(TerminalText.escaped($0, ascii: ascii))\"" } ?? "\(id)"
  }

  /// The name of the task that runs the program's top-level code.
  static func isMain(_ named: Named) -> Bool {
    named.frames.contains { $0.function?.hasPrefix("async_Main") == true }
  }

  static func priority(_ priority: UInt8) -> String {
    switch priority {
    case 0: "unspecified"
    case 9: "background"
    case 17: "low"
    case 21: "medium"
    case 25: "high"
    case 33: "user interactive"
    default: "priority \(priority)"
    }
  }

  /// What the runtime's functions between the program's own and the suspension tell: a sleep and
  /// the element of a stream are continuations, too.
  func awaited(_ named: Named) -> TaskState.Awaiting? {
    if named.task.phase == .enqueued { return .actor }
    guard named.task.phase == .suspended else { return named.task.awaiting }
    if within(named, "sleep") { return .sleep }
    return within(named, "Task.yield()") ? .actor : named.task.awaiting
  }

  /// `waits for a continuation that nobody has resumed`.
  func phrase(_ named: Named) -> String {
    let task = named.task
    switch task.phase {
    case .running: return task.isBlocked ? blocked(task) : "runs"
    case .enqueued: return "waits for its executor"
    case .ended:
      return task.failure.map { "has failed with \(TerminalText.escaped($0, ascii: ascii))" }
        ?? "has ended"
    case .suspended: break
    }
    switch awaited(named) {
    case .sleep: return "sleeps"
    case .actor where within(named, "Task.yield()"): return "yields to others, and could run"
    case .continuation where within(named, "AsyncStream") || within(named, "AsyncThrowingStream"):
      return "waits for an element of a stream"
    case .continuation where task.frames.isEmpty: return "waits for a continuation or sleeps"
    case .continuation: return "waits for a continuation"
    case .task: return task.awaitedTask.map { "waits for task \(title($0))" } ?? "waits for a task"
    case .group: return "waits for its group"
    case .actor: return "waits for an actor or executor"
    case .lock: return blocked(task)
    case nil: return "is suspended"
    }
  }

  /// `runs, and blocks its thread: wants a lock that task 4 "backup" holds`.
  private func blocked(_ task: TaskState) -> String {
    guard let thread = task.lockHolder else { return "runs, and blocks its thread" }
    let holder =
      thread == task.thread
      ? "its own thread holds already"
      : task.awaitedTask.map { "task \(title($0)) holds" } ?? "thread \(thread) holds"
    return "runs, and blocks its thread: wants a lock that \(holder)"
  }

  private func within(_ named: Named, _ text: String) -> Bool {
    named.frames.prefix { $0.isMachinery || $0.function == nil }
      .contains { $0.function?.contains(text) == true }
  }

  /// `demo.swift:39`.
  static func place(_ frame: NamedFrame) -> String? {
    guard let file = frame.file, frame.line > 0 else { return nil }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return "\(name):\(frame.line)"
  }
}
