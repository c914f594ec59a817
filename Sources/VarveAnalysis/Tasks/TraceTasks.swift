public import VarveFormat
internal import VarveProbe

/// The tasks of a recorded program at one moment, from the records of its trace.
public struct TraceTasks {
  /// The tasks that were alive, or that had ended, by number.
  public private(set) var tasks: [TaskState] = []
  /// The tick of the moment.
  public private(set) var moment: UInt64 = 0
  /// The stacks of the functions that are suspended, or were suspended last, by task.
  public private(set) var stacks: [UInt64: UInt32] = [:]
  /// The events that ended the last runs, by task.
  public private(set) var lastRuns: [UInt64: EventName] = [:]
  /// Whether the trace has any records of tasks, at any time.
  public private(set) var areRecorded = false
  /// Why the recorder recorded no tasks, in its words, if it could not.
  public private(set) var obstacle: String?
  /// Blocks that could not be read.
  public private(set) var damage: [TraceFileError] = []
  /// What was passed over because it would have taken too much memory.
  public var passedOver: PassedOver { walk.passedOver }

  /// What is known of a task.
  private struct Life {
    var template: UInt32 = 0
    var creator: UInt64 = 0
    var born: UInt64?
    var priority: UInt8?
    var isCancelled = false
    /// When its last run began, or ended.
    var since: UInt64?
    /// The ring of the thread on which it runs.
    var ring: UInt32?
    /// The last sample of its run.
    var sample: SamplePayload?
    /// The type of the error with which it failed.
    var failure: String?
    /// What it awaits since its last run.
    var end: TaskAwaitPayload?
    /// Whether its next run is scheduled.
    var isScheduled = false
    /// How many runs it began, and whether any of them was scheduled.
    var runs: UInt32 = 0
    var wasScheduled = false
    /// The scheduler that stands for the executor of its latest run.
    var executor: UInt32 = 0
  }

  private let walk: TraceWalk
  private var lives: WalkTable<UInt64, Life>
  private var steps: TaskSteps

  private static var lifeBytes: Int { 200 }

  /// Reads a trace up to a moment.
  ///
  /// - Parameters:
  ///   - source: the trace.
  ///   - end: the moment; nil for the end of the trace.
  ///   - includesEnded: whether tasks that have ended are listed, too.
  /// - Throws: a `SelectionError` whenever the moment is an event that is not there.
  public init(
    _ source: some EventSource, at end: TimeExpression? = nil, includesEnded: Bool = false
  ) throws(SelectionError) {
    walk = TraceWalk(source)
    lives = WalkTable(walk, bytes: Self.lifeBytes, of: .work)
    steps = TaskSteps(walk, keepsEnded: includesEnded)
    areRecorded = Self.areRecorded(in: source)
    let span = try TraceSpan(of: source).ticks(since: nil, until: end, in: source)
    moment = span?.upperBound ?? 0
    // A program that only waits records nothing, but the recorder looks at the clock.
    if end == nil { moment = max(moment, source.time.lastTick) }
    guard areRecorded else {
      obstacle = Self.obstacle(source)
      return
    }
    var selection = Selection()
    selection.until = end
    selection.kinds = KindSelection(TaskSteps.kinds)
    var query = try EventQuery(
      selection, in: source,
      columns: [.ticks, .kinds, .streams, .subscriptions, .payloads, .causes])
    query.run { page in
      page.forEach { note($0.columns, $1, includesEnded) }
      return true
    }
    damage = query.damage
    for (id, life) in lives.entries {
      tasks.append(state(id, life, source.definitions))
      if let stack = life.end?.stack ?? life.sample?.stack, stack != 0 { stacks[id] = stack }
      lastRuns[id] = steps.lastRun(of: id)
    }
    tasks.sort { $0.id < $1.id }
    findHolders()
  }

  /// Gives the tasks that have failed the stacks of the code that threw their errors.
  public mutating func addStacks(of thrown: ThrownErrors, _ definitions: TraceDefinitions) {
    for index in tasks.indices where tasks[index].failure != nil {
      let stack = thrown.failures[tasks[index].id].flatMap { definitions.stacks[$0] }
      tasks[index].frames = stack?.frames ?? []
    }
  }

  /// Finds the tasks that run on the threads which hold locks.
  private mutating func findHolders() {
    guard tasks.contains(where: { $0.lockHolder != nil }) else { return }
    let running = Dictionary(
      tasks.lazy.compactMap { task in task.thread.map { ($0, task.id) } }
    ) { $1 }
    for index in tasks.indices {
      tasks[index].awaitedTask =
        tasks[index].lockHolder.map { running[$0] } ?? tasks[index].awaitedTask
    }
  }

  /// Returns whether a trace has any records of tasks, without reading its events.
  public static func areRecorded(in source: some EventSource) -> Bool {
    source.blocks.contains { $0.kinds.mayContain(RecordKind.taskCreated.rawValue) }
  }

  /// Returns the line in which the recorder says so.
  private static func obstacle(_ source: some EventSource) -> String? {
    var selection = Selection()
    selection.kinds = KindSelection([.log])
    guard
      var query = try? EventQuery(selection, in: source, columns: [.kinds, .streams, .payloads])
    else { return nil }
    var found: String?
    query.run { page in
      page.forEach { batch, index in
        let text = String(decoding: batch.columns.text(index), as: UTF8.self)
        if batch.columns.streams[index] == 0, text.hasPrefix("tasks are not recorded: ") {
          found = text
        }
      }
      return found == nil
    }
    return found
  }

  private mutating func note(_ columns: EventColumns, _ index: Int, _ keepsEnded: Bool) {
    let ticks = columns.ticks[index]
    switch steps.note(columns, index) {
    case .made(let task, let made):
      // A recording whose options change may meet a task again.
      _ = lives.change(task, orFirst: Life()) {
        guard $0.born == nil else { return }
        $0.born = ticks
        $0.template = made.template
        $0.creator = made.creator
      }
    case .cancelled(let task):
      lives.change(task) { $0.isCancelled = true }
    case .scheduled(let task):
      let executor = columns.streams[index]
      lives.change(task) {
        $0.isScheduled = true
        $0.wasScheduled = true
        $0.executor = executor
        $0.since = ticks
      }
    case .began(let task, let priority):
      let executor = columns.streams[index]
      _ = lives.change(task, orFirst: Life()) {
        $0.priority = priority
        $0.runs &+= 1
        $0.executor = executor
        $0.since = ticks
        $0.ring = columns.ring
        $0.end = nil
        $0.sample = nil
        $0.isScheduled = false
      }
    case .ended(let task, let end):
      if end.awaited == TaskAwait.nothing.rawValue, !keepsEnded {
        lives.removeValue(forKey: task)
        return
      }
      lives.change(task) {
        $0.since = ticks
        $0.ring = nil
        $0.end = end
      }
    case .failed(let task):
      guard keepsEnded else { return }
      let type = String(decoding: columns.text(index), as: UTF8.self)
      lives.change(task) { $0.failure = type }
    case .sampled(let task):
      let sample = SamplePayload(word: columns.words[index])
      lives.change(task) { $0.sample = sample }
    case .failureRead, nil: return
    }
  }

  // MARK: - States

  private func state(_ id: UInt64, _ life: Life, _ definitions: TraceDefinitions) -> TaskState {
    let template = definitions.taskTemplates[life.template]
    let phase: TaskState.Phase =
      life.ring != nil
      ? .running
      : life.end?.awaited == TaskAwait.nothing.rawValue
        ? .ended : life.isScheduled || life.end == nil ? .enqueued : .suspended
    var state = TaskState(
      id: id, name: template.flatMap { $0.name.isEmpty ? nil : $0.name },
      priority: life.priority ?? template?.priority ?? 0, kind: Self.kind(template),
      phase: phase, isCancelled: life.isCancelled,
      frames: definitions.stacks[life.end?.stack ?? life.sample?.stack ?? 0]?.frames ?? [])
    state.isBlocked = phase == .running && life.sample?.waits == true
    if phase == .suspended, let end = life.end {
      state.awaiting = Self.awaiting(end)
      if end.awaited == TaskAwait.task.rawValue, end.number != 0 { state.awaitedTask = end.number }
    }
    state.failure = life.failure
    state.ranOnce = life.runs == 1 && !life.wasScheduled
    state.maker = life.creator == 0 ? nil : life.creator
    switch state.kind {
    case .groupChild, .asyncLet, .child: state.parent = state.maker
    case .task, .detached: break
    }
    state.made = definitions.stacks[template?.stack ?? 0]?.frames ?? []
    state.born = life.born
    state.since = life.since
    state.executor = definitions.schedulers[life.executor]?.name
    state.thread = life.ring.flatMap { definitions.threads[$0]?.systemID }
    if state.isBlocked, let holder = life.sample?.holder, holder != 0 {
      state.awaiting = .lock
      state.lockHolder = holder
    }
    return state
  }

  private static func kind(_ template: TaskTemplateDefinition?) -> TaskState.Kind {
    switch template.flatMap({ TaskMaking(rawValue: $0.making) }) {
    case .groupChild: .groupChild
    case .asyncLet: .asyncLet
    case .child: .child
    case .task, .before, nil: .task
    }
  }

  private static func awaiting(_ end: TaskAwaitPayload) -> TaskState.Awaiting? {
    switch TaskAwait(rawValue: end.awaited) {
    case .task: .task
    case .continuation: .continuation
    case .group: .group
    case .executor: .actor
    case .unknown, .nothing, nil: nil
    }
  }
}
