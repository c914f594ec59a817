internal import VarveAnalysis
internal import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// The lanes of tasks below those of streams: when each was made, ran, waited, and ended.
///
/// The memory that they take does not grow with the number of events: a lane has a cell for each
/// column, and of the tasks only those that have not ended are followed.
struct TaskLanes {
  private(set) var lanes: [TaskLane] = []
  private(set) var hidden = 0
  private(set) var damage: [TraceFileError] = []
  private(set) var passedOver = PassedOver()
  /// When something happened to the tasks, in nanoseconds since the trace's start.
  private(set) var busy = BusyStretches()
  private(set) var range: ClosedRange<UInt64>?

  private var tasks = LanedTasks()
  private let selection: Selection
  private let symbols: Symbolizer?
  /// What is waited for in a stack, if that is a continuation.
  private var helpers: Set<UInt64> = []
  private var waits: [UInt32: ContinuationWait] = [:]
  /// The ticks that are drawn.
  private let wanted: ClosedRange<UInt64>

  /// The greatest number of lanes.
  private static let mostLanes = 24
  /// The greatest indentation.
  private static let deepest = 6

  /// Finds the tasks to draw; nil if there are none, or if a selection is about other things than
  /// names and times.
  ///
  /// - Parameter symbols: names the code that waits, by which sleeps and elements of streams are known.
  init?(
    of source: some EventSource, _ selection: Selection, _ symbols: Symbolizer?
  ) throws(SelectionError) {
    guard TraceTasks.areRecorded(in: source), selection.isOfNames,
      let wanted = try EventFilter(selection, in: source).ticks
    else { return nil }
    self.wanted = wanted
    self.symbols = symbols
    var followed = selection.times
    // What a task did before the first column decides what it does there.
    followed.since = nil
    followed.ticks = 0...wanted.upperBound
    followed.kinds = KindSelection(TaskSteps.kinds)
    self.selection = followed
    let known = try TraceTasks(source, at: selection.until, includesEnded: true)
    if let symbols { note(known.tasks, symbols) }
    let helpers = helpers
    tasks.choose(known, most: Self.mostLanes, first: { $0.name != nil }) { task in
      let name = task.name ?? "task \(task.id)"
      let isOver = task.phase == .ended && task.since.map { $0 < wanted.lowerBound } == true
      return !isOver && !helpers.contains(task.id)
        && task.born.map { $0 <= wanted.upperBound } != false
        && (selection.matches(name: name) || selection.matches(name: "task \(task.id)"))
    }
    guard !tasks.all.isEmpty else { return nil }
    (hidden, damage, passedOver) = (tasks.hidden, tasks.damage, tasks.passedOver)
    try scan(source, until: selection.ticks == nil ? known.moment : wanted.upperBound)
  }

  /// Notes the tasks by which the runtime wakes sleeping ones.
  private mutating func note(_ tasks: [TaskState], _ symbols: Symbolizer) {
    let unnamed = tasks.filter { $0.name == nil && $0.maker == nil }
    symbols.lookUp(Set(unnamed.map { $0.made + $0.frames }).flatMap { $0 })
    let words = TaskWords(symbols: symbols, names: [:])
    helpers = Set(unnamed.lazy.filter { words.named($0).isHelper }.map(\.id))
  }

  /// The greatest width of their names, with indentation.
  func labelWidth(ascii: Bool) -> Int {
    tasks.all.map { task in
      DisplayWidth.of(TerminalText.escaped(Self.name(task), ascii: ascii)) + 2 * depth(task)
    }.max() ?? 0
  }

  private func depth(_ task: TaskState) -> Int { min(tasks.depth(of: task.id), Self.deepest) }

  /// `task 3 upload`.
  static func name(_ task: TaskState) -> String {
    task.name.map { "task \(task.id) \(TerminalText.name($0))" } ?? "task \(task.id)"
  }

  /// Notes when something happened.
  private mutating func scan(
    _ source: some EventSource, until moment: UInt64
  ) throws(SelectionError) {
    var clock = TickConverter(source.time)
    try follow(source) { lanes, step, columns, index, _ in
      let tick = columns.ticks[index]
      guard tick >= lanes.wanted.lowerBound, lanes.tasks[step.task] != nil else { return }
      let time = UInt64(max(clock.nanoseconds(sinceStart: tick), 0))
      lanes.busy.add(time)
      let known = lanes.range ?? time...time
      lanes.range = min(known.lowerBound, time)...max(known.upperBound, time)
    }
    guard let range, tasks.all.contains(where: { $0.phase != .ended }) else { return }
    // What they do at the end goes on until then, though nothing more is recorded of it.
    let end = UInt64(max(clock.nanoseconds(sinceStart: moment), 0))
    guard end > range.upperBound else { return }
    busy.add(end)
    self.range = range.lowerBound...end
  }

  /// Draws the tasks.
  mutating func paint(_ source: some EventSource, on axis: TimeAxis, columns: Int)
    throws(SelectionError)
  {
    lanes = tasks.all.map { TaskLane($0, depth: depth($0), columns: columns) }
    let places = Dictionary(uniqueKeysWithValues: tasks.all.enumerated().map { ($1.id, $0) })
    let templates = source.definitions.taskTemplates
    let stacks = source.definitions.stacks
    var clock = TickConverter(source.time)
    try follow(source) { all, step, event, index, steps in
      guard let place = places[step.task] else { return }
      let tick = event.ticks[index]
      let name = event.name(index)
      let time = UInt64(max(clock.nanoseconds(sinceStart: tick), 0))
      let column = tick < all.wanted.lowerBound ? nil : axis.column(time)
      let tag = LaneTag(event: name, time: time)
      switch step {
      case .made(_, let made):
        all.lanes[place].turn(to: .ready, at: column, tag, mark: .made)
        all.lanes[place].note(stack: templates[made.template]?.stack ?? 0)
      case .cancelled: all.lanes[place].cancel(at: column, tag)
      case .scheduled(let task):
        // A new task was given to its executor by the code that made it.
        if all.lanes[place].state.isWait {
          let resumer = steps.task(on: event.ring).flatMap { $0 == task ? nil : $0 }
          let isHelper = resumer.map(all.helpers.contains) == true
          all.lanes[place].note(
            isHelper ? nil : resumer.map { .task($0) } ?? .thread(event.ring))
        }
        all.lanes[place].turn(to: .ready, at: column, tag)
      case .began: all.lanes[place].turn(to: .runs, at: column, tag)
      case .ended(_, let end):
        let state = TaskLane.Sign(end, all.wait(end, stacks))
        all.lanes[place].turn(to: state, at: column, tag, mark: state == .none ? .ended : .none)
        all.lanes[place].note(stack: end.stack)
      case .failed, .failureRead, .sampled: return
      }
    }
    for index in lanes.indices { lanes[index].extend(to: columns - 1) }
  }

  private mutating func wait(
    _ end: TaskAwaitPayload, _ stacks: [UInt32: StackDefinition]
  ) -> ContinuationWait? {
    guard let symbols, end.awaited == TaskAwait.continuation.rawValue,
      let frames = stacks[end.stack]?.frames
    else { return nil }
    if let known = waits[end.stack] { return known }
    let wait = symbols.wait(in: frames)
    waits[end.stack] = wait
    return wait
  }

  /// Reads the records of tasks.
  private mutating func follow(
    _ source: some EventSource,
    _ body: (inout TaskLanes, TaskSteps.Step, EventColumns, Int, TaskSteps) -> Void
  ) throws(SelectionError) {
    let walk = TraceWalk(source)
    var steps = TaskSteps(walk)
    var query = try EventQuery(
      selection, in: source,
      columns: [.ticks, .kinds, .streams, .subscriptions, .payloads, .causes])
    query.run { page in
      page.forEach { batch, index in
        guard let step = steps.note(batch.columns, index) else { return }
        body(&self, step, batch.columns, index, steps)
      }
      return true
    }
    passedOver = passedOver + walk.passedOver
  }
}
