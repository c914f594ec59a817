internal import VarveFormat
internal import VarveProbe

/// Where the time of the longest wait went: the task that it was for, the one that this waited for in turn,
/// and so on, to the `await` at which most of the time passed.
struct CriticalWaits {
  /// The waits of a task at one place.
  private struct Waits {
    var stack: UInt32
    var nanoseconds: UInt64 = 0
    var count: UInt64 = 0
    /// The longest, and what it was for.
    var longest: UInt64 = 0
    var awaited: TaskAwait?
    var number: UInt64 = 0
    var event: EventName
  }

  private struct Life {
    /// The wait that has not ended.
    var since: UInt64 = 0
    var end = TaskAwaitPayload(awaited: 0)
    /// At different places, the first ones.
    var waits: [Waits] = []
    /// The child of its group that ended last.
    var lastChild: UInt64 = 0
  }

  private let time: TraceTime
  private var lives: WalkTable<UInt64, Life>
  /// The task with the longest wait for another one.
  private var longest: (task: UInt64, waits: Waits)?

  /// A wait is long from here on, in nanoseconds.
  private static let long: UInt64 = 100_000_000
  private static let mostPlaces = 8
  private static let mostSteps = 16
  /// So many waits in a row are a loop.
  private static let several: UInt64 = 3

  init(_ time: TraceTime, _ walk: TraceWalk) {
    self.time = time
    lives = WalkTable(walk, bytes: 640, of: .work)
  }

  mutating func noteWait(of task: UInt64, _ end: TaskAwaitPayload, at ticks: UInt64) {
    _ = lives.change(task, orFirst: Life()) { ($0.since, $0.end) = (ticks, end) }
  }

  mutating func noteRun(of task: UInt64, at ticks: UInt64, _ event: EventName) {
    guard let life = lives[task], life.since != 0 else { return }
    let lasted = time.duration(from: life.since, to: ticks)
    let awaited = TaskAwait(rawValue: life.end.awaited)
    // A wait for an executor is told by what holds that.
    guard awaited != .executor, life.end.stack != 0 else {
      lives.change(task) { $0.since = 0 }
      return
    }
    var place =
      life.waits.first { $0.stack == life.end.stack } ?? Waits(stack: life.end.stack, event: event)
    place.nanoseconds += lasted
    place.count += 1
    if lasted > place.longest {
      (place.longest, place.awaited, place.event) = (lasted, awaited, event)
      place.number = awaited == .group ? life.lastChild : life.end.number
    }
    lives.change(task) {
      $0.since = 0
      if let known = $0.waits.firstIndex(where: { $0.stack == place.stack }) {
        $0.waits[known] = place
      } else if $0.waits.count < Self.mostPlaces {
        $0.waits.append(place)
      }
    }
    if place.number != 0, place.longest == lasted, lasted > longest?.waits.longest ?? 0 {
      longest = (task, place)
    }
  }

  /// A task has ended; one that never waited for long is forgotten.
  mutating func noteEnd(of task: UInt64, in parent: UInt64?) {
    if let parent { lives.change(parent) { $0.lastChild = task } }
    let waited = lives[task]?.waits.reduce(0) { $0 + $1.nanoseconds } ?? 0
    if waited < Self.long { lives.removeValue(forKey: task) }
  }

  /// Returns a guess, if there is a long wait of one task for another, and other tasks' runs are not what
  /// it was for.
  var guess: Finding? {
    guard var way = longest?.waits, way.longest >= Self.long else { return nil }
    for _ in 0..<Self.mostSteps {
      let task = way.number
      guard let waits = lives[task]?.waits,
        let most = waits.max(by: { ($0.nanoseconds, $1.stack) < ($1.nanoseconds, $0.stack) })
      else { return nil }
      let all = waits.reduce(0) { $0 + $1.nanoseconds }
      // The rest of the time it ran, or could not.
      guard all * 10 >= way.longest * 7 else { return nil }
      if most.count >= Self.several, most.nanoseconds * 10 >= way.longest * 6 {
        return finding(
          "task \(task.description) waited here \(most.count, "time", "times"), one after the other, "
            + "for \(nanoseconds: most.nanoseconds) of the \(nanoseconds: way.longest) that were waited for it",
          most)
      }
      guard most.number != 0 else {
        return finding(
          "task \(task.description) waited here for \(nanoseconds: most.nanoseconds) of the "
            + "\(nanoseconds: way.longest) that were waited for it", most)
      }
      way = most
    }
    return nil
  }

  private func finding(_ sentence: FindingSentence, _ waits: Waits) -> Finding {
    let isForCode = waits.awaited == .continuation || waits.awaited == .unknown
    var finding = Finding(
      .backlog, weight: 30, place: isForCode ? .waiter(waits.stack) : .stack(waits.stack), sentence,
      evidence: [waits.event])
    finding.nanoseconds = waits.nanoseconds
    return finding
  }
}
