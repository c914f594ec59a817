internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The tasks that have lanes of their own.
struct LanedTasks: Sendable {
  /// The tasks, each behind the one that made it.
  private(set) var all: [TaskState] = []
  /// The events that ended the last runs, by task.
  private(set) var lastRuns: [UInt64: EventName] = [:]
  private var places: [UInt64: Int] = [:]
  private var depths: [UInt64: Int] = [:]
  private var recordings: [UInt64: UInt32] = [:]

  /// The number of tasks that have no lane because of the limit.
  private(set) var hidden = 0
  /// Blocks that could not be read, and what was passed over for lack of memory.
  private(set) var damage: [TraceFileError] = []
  private(set) var passedOver = PassedOver()

  /// The number of tasks that have lanes in the viewer.
  private static let most = 2_000
  /// The greatest depth that is shown.
  private static let deepest = 8

  /// No tasks.
  init() {}

  /// Reads the tasks of a trace. One without records of tasks is not read.
  init(_ source: some EventSource) {
    guard let known = try? TraceTasks(source, includesEnded: true) else { return }
    choose(known, most: Self.most) { _ in true }
  }

  /// Chooses tasks: those that have not ended first, then the oldest.
  ///
  /// - Parameters:
  ///   - known: the tasks of a trace.
  ///   - most: the greatest number that have lanes.
  ///   - isFirst: whether a task comes before all others for which this is not so.
  ///   - isShown: whether a task may have a lane.
  mutating func choose(
    _ known: TraceTasks, most: Int, first isFirst: (TaskState) -> Bool = { _ in false },
    _ isShown: (TaskState) -> Bool
  ) {
    lastRuns = known.lastRuns
    for (task, run) in lastRuns {
      recordings[TaskNumber.process(task)] = EventName.recording(run.ring)
    }
    (damage, passedOver) = (known.damage, known.passedOver)
    func rank(_ task: TaskState) -> (Int, Int, UInt64) {
      (isFirst(task) ? 0 : 1, task.phase == .ended ? 1 : 0, task.id)
    }
    let ranked = known.tasks.filter(isShown).sorted { rank($0) < rank($1) }
    let shown = ranked.prefix(most).sorted { $0.id < $1.id }
    hidden = ranked.count - shown.count
    let ids = Set(shown.map(\.id))
    var below: [UInt64: [TaskState]] = [:]
    var roots: [TaskState] = []
    for task in shown {
      // A task is younger than its maker, so there is no circle.
      if let maker = task.maker, maker < task.id, ids.contains(maker) {
        below[maker, default: []].append(task)
      } else {
        roots.append(task)
      }
    }
    var open = Array(roots.reversed())
    while let task = open.popLast() {
      depths[task.id] = min(task.maker.flatMap { depths[$0] }.map { $0 + 1 } ?? 0, Self.deepest)
      places[task.id] = all.count
      all.append(task)
      open += (below[task.id] ?? []).reversed()
    }
  }

  subscript(id: UInt64) -> TaskState? { places[id].map { all[$0] } }

  /// Of several recordings in a trace, the number of the one that a task is of; 0 if it is not known.
  /// Tasks of a process have the same upper bits, and the events of some say whose they are.
  func recording(of id: UInt64) -> UInt32 { recordings[TaskNumber.process(id)] ?? 0 }

  func depth(of id: UInt64) -> Int { depths[id] ?? 0 }

  /// What a task does at the end of the trace: `suspended: awaits task 3`.
  func phase(of task: TaskState) -> String {
    var text = task.phase.rawValue
    if task.phase == .suspended, let awaiting = task.awaiting {
      text += ": awaits " + Self.words(awaiting, task.awaitedTask)
    }
    return task.isCancelled ? text + ", cancelled" : text
  }

  static func words(_ awaiting: TaskState.Awaiting, _ task: UInt64?) -> String {
    switch awaiting {
    case .continuation: "a continuation"
    case .task: task.map { "task \(TaskNumber.own($0))" } ?? "a task"
    case .group: "a child of its group"
    case .actor: "an actor"
    case .sleep: "the end of a sleep"
    case .lock: "a lock"
    }
  }
}
