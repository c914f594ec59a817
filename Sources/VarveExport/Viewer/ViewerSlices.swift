internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Work as the page draws it: how long it waited and ran, in the lane of its scheduler, and when a
/// thread ran it; and the lives of tasks, which run, wait, and are resumed.
struct ViewerSlices {
  /// A moment in the life of a piece of work.
  private struct Moment {
    var name: EventName
    var tick: UInt64
    var lane: Int
    /// The lane of the task that ran on the thread that scheduled the work.
    var by: Int?
  }

  /// The lanes that an event about work concerns.
  struct Places {
    var scheduler: Int
    var thread: Int
    var threadName: String
    /// Finds the lanes of tasks.
    var task: (UInt64) -> Int?
  }

  private var scheduled: [UInt64: Moment] = [:]
  private var begun: [UInt64: Moment] = [:]
  /// The lane of the task that each hop runs, and of the one that each thread runs.
  private var tasks: [UInt64: Int] = [:]
  private var running: [UInt32: Int] = [:]
  /// What tasks have waited for since their last run, by lane.
  private var waits: [Int: (since: Moment, label: String)] = [:]
  private var slices: [(lane: Int, json: String, by: Int?)] = []

  /// Notes an event about work.
  ///
  /// - Parameter tick: when it happened, counted from the first tick of the trace.
  mutating func note(_ event: TraceEvent, tick: UInt64, _ places: @autoclosure () -> Places) {
    let hop = event.subscription
    func moment(_ lane: Int) -> Moment {
      Moment(name: event.name, tick: tick, lane: lane, by: running[event.ring])
    }
    switch event.kind {
    case .taskCreated:
      guard let lane = places().task(hop) else { return }
      waits[lane] = (moment(lane), "")
    case .hopScheduled:
      scheduled[hop] = moment(places().scheduler)
    case .hopBegan:
      let places = places()
      let given = scheduled.removeValue(forKey: hop)
      if let given { add(given, to: tick, "queued") }
      begun[hop] = moment(places.scheduler)
      guard event.payload.kind == .task,
        let lane = places.task(TaskRunPayload(word: event.payload.word).task)
      else { return }
      tasks[hop] = lane
      running[event.ring] = lane
      resume(lane, given, at: moment(lane))
    case .hopEnded:
      guard let start = begun.removeValue(forKey: hop) else { return }
      let places = places()
      add(start, to: tick, "runs", end: "completed")
      var own = start
      own.lane = places.thread
      add(own, to: tick, "runs")
      running[event.ring] = nil
      guard let lane = tasks.removeValue(forKey: hop) else { return }
      own.lane = lane
      add(own, to: tick, "runs", label: places.threadName)
      guard event.payload.kind == .awaited else { return }
      let payload = TaskAwaitPayload(word: event.payload.word)
      if payload.awaited == TaskAwait.nothing.rawValue { return }
      waits[lane] = (moment(lane), Self.words(payload))
    case .hopCancelled:
      guard let given = scheduled.removeValue(forKey: hop) else { return }
      add(given, to: tick, "queued", end: "cancelled")
    default:
      return
    }
  }

  /// A task runs again: it has waited until it was scheduled, and from then on in a queue.
  private mutating func resume(_ lane: Int, _ given: Moment?, at now: Moment) {
    if let wait = waits.removeValue(forKey: lane) {
      let end = given.map { max($0.tick, wait.since.tick) } ?? now.tick
      if !wait.label.isEmpty { add(wait.since, to: end, "waits", label: wait.label) }
    }
    guard var given else { return }
    given.lane = lane
    add(given, to: now.tick, "queued", by: given.by == lane ? nil : given.by)
  }

  private static func words(_ payload: TaskAwaitPayload) -> String {
    switch TaskAwait(rawValue: payload.awaited) {
    case .task: payload.number == 0 ? "awaits a task" : "awaits task \(payload.number)"
    case .continuation: "awaits a continuation"
    case .group: "awaits a child of its group"
    case .executor: "awaits an actor"
    case .unknown, .nothing, nil: "waits"
    }
  }

  private mutating func add(
    _ start: Moment, to tick: UInt64?, _ state: String, end: String? = nil, label: String = "",
    by: Int? = nil
  ) {
    slices.append(
      (
        start.lane,
        """
        "from":\(start.tick),"to":\(tick.map { String($0) } ?? "null"),\
        "label":\(JSONText.quoted(label)),"event":"\(start.name)","state":"\(state)",\
        "end":\(end.map { "\"\($0)\"" } ?? "null")
        """,
        by
      ))
  }

  private static func object(_ lane: Int, _ json: String, by: Int?) -> String {
    "{\"lane\":\(lane),\(json)\(by.map { ",\"by\":\($0)" } ?? "")}"
  }

  /// The number of slices that have ended.
  var count: Int { slices.count }

  /// Notes tasks that wait at the end of the trace, unless their waits were seen to begin.
  mutating func noteWaiting(
    _ all: LanedTasks, from first: UInt64, among lanes: TileLanes
  ) {
    for task in all.all where task.phase == .suspended {
      guard let lane = lanes[.task(task.id)], waits[lane] == nil, let since = task.since,
        let name = all.lastRuns[task.id]
      else { continue }
      let label = task.awaiting.map { "awaits " + LanedTasks.words($0, task.awaitedTask) }
      waits[lane] = (
        Moment(name: name, tick: since - min(since, first), lane: lane), label ?? "waits"
      )
    }
  }

  /// Returns the slices of some lanes, or all; what has not ended is open.
  mutating func finish(among wanted: Set<Int>?) -> [String] {
    leaveOpen()
    let own = slices.filter { wanted?.contains($0.lane) ?? true }
    return own.map { Self.object($0.lane, $0.json, by: $0.by) }
  }

  private mutating func leaveOpen() {
    for (_, given) in scheduled { add(given, to: nil, "queued") }
    for (hop, start) in begun {
      add(start, to: nil, "runs")
      guard let lane = tasks[hop] else { continue }
      var own = start
      own.lane = lane
      add(own, to: nil, "runs")
    }
    for (_, wait) in waits {
      add(wait.since, to: nil, wait.label.isEmpty ? "queued" : "waits", label: wait.label)
    }
  }

  /// Returns all slices, with new numbers of their lanes; what has not ended is open.
  mutating func finish(_ numbers: [Int]) -> [String] {
    leaveOpen()
    return slices.map { Self.object(numbers[$0.lane], $0.json, by: $0.by.map { numbers[$0] }) }
  }
}
