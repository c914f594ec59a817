internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Work as the page draws it: how long it waited and ran, in the lane of its scheduler, and when a
/// thread ran it.
struct ViewerSlices {
  /// A moment in the life of a piece of work.
  private struct Moment {
    var name: EventName
    var tick: UInt64
    var lane: Int
  }

  private var scheduled: [UInt64: Moment] = [:]
  private var begun: [UInt64: Moment] = [:]
  private var slices: [(lane: Int, json: String)] = []

  /// Notes an event about work, whose scheduler and thread have these lanes.
  ///
  /// - Parameter tick: when it happened, counted from the first tick of the trace.
  mutating func note(
    _ event: TraceEvent, tick: UInt64, scheduler: Int, thread: @autoclosure () -> Int
  ) {
    let hop = event.subscription
    let now = Moment(name: event.name, tick: tick, lane: scheduler)
    switch event.kind {
    case .hopScheduled:
      scheduled[hop] = now
    case .hopBegan:
      if let given = scheduled.removeValue(forKey: hop) { add(given, to: tick, "queued") }
      begun[hop] = now
    case .hopEnded:
      guard let start = begun.removeValue(forKey: hop) else { return }
      add(start, to: tick, "runs", end: "completed")
      add(Moment(name: start.name, tick: start.tick, lane: thread()), to: tick, "runs")
    case .hopCancelled:
      guard let given = scheduled.removeValue(forKey: hop) else { return }
      add(given, to: tick, "queued", end: "cancelled")
    default:
      return
    }
  }

  private mutating func add(
    _ start: Moment, to tick: UInt64?, _ state: String, end: String? = nil
  ) {
    let json = """
      "from":\(start.tick),"to":\(tick.map { String($0) } ?? "null"),"label":"",\
      "event":"\(start.name)","state":"\(state)","end":\(end.map { "\"\($0)\"" } ?? "null")
      """
    slices.append((start.lane, json))
  }

  /// The number of slices that have ended.
  var count: Int { slices.count }

  /// Returns the slices of some lanes, or all; what has not ended is open.
  mutating func finish(among wanted: Set<Int>?) -> [String] {
    leaveOpen()
    let own = slices.filter { wanted?.contains($0.lane) ?? true }
    return own.map { "{\"lane\":\($0.lane),\($0.json)}" }
  }

  private mutating func leaveOpen() {
    for (_, given) in scheduled { add(given, to: nil, "queued") }
    for (_, start) in begun { add(start, to: nil, "runs") }
  }

  /// Returns all slices, with new numbers of their lanes; what has not ended is open.
  mutating func finish(_ numbers: [Int]) -> [String] {
    leaveOpen()
    return slices.map { "{\"lane\":\(numbers[$0.lane]),\($0.json)}" }
  }
}
