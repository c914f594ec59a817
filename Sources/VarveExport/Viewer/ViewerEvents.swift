internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// Collects events as the page reads them: one JSON object each.
final class ViewerEvents {
  private(set) var lanes: ViewerLanes
  private let text: ViewerEventText
  /// The first tick of the trace.
  let first: UInt64
  private let most: Int
  private var objects: [(lane: Int, json: String)] = []
  private var slices = ViewerSlices()
  private var bytes = 0

  init(_ lanes: ViewerLanes, _ words: TraceWords, first: UInt64, most: Int) {
    self.lanes = lanes
    text = ViewerEventText(words, first: first)
    self.first = first
    self.most = most
  }

  /// The stacks at which work that takes long stood.
  var stacks: [UInt32] { slices.stacks.sorted() }

  /// The number of events.
  var count: Int { objects.count }

  /// Whether there is no room for more.
  var isFull: Bool { bytes >= most }

  func add(_ event: TraceEvent) {
    guard !isFull, let lane = lanes.lane(of: event) else { return }
    lanes.note(lane, of: event.ring)
    if event.isHop || event.kind == .taskCreated || event.kind == .hopSampled {
      slices.note(
        WorkEvent(event), tick: event.ticks - min(event.ticks, first), places(event, lane))
    }
    let json = text.members(event)
    bytes += json.utf8.count + 24
    objects.append((lane, json))
  }

  private func places(_ event: TraceEvent, _ lane: Int) -> ViewerSlices.Places {
    // A thread that only gave work away has nothing to show.
    let thread = event.kind == .hopBegan ? lanes.lane(ofThread: event.ring) : lane
    return ViewerSlices.Places(
      scheduler: lane, thread: thread, threadName: text.thread(event.ring),
      task: { [lanes] in lanes.lane(ofTask: $0) })
  }

  /// Numbers the lanes, and returns all events, and the work that they tell of.
  func finish() -> (events: [String], slices: [String]) {
    let numbers = lanes.sort()
    let events = objects.map { "{\"lane\":\(numbers[$0.lane]),\($0.json)}" }
    return (events, slices.finish(numbers))
  }
}
