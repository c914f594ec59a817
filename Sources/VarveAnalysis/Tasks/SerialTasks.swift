internal import VarveFormat
internal import VarveProbe

/// Tasks that one piece of code makes one at a time: each is awaited by the task that made it before that
/// makes the next one, so that they take as long as they would without tasks.
struct SerialTasks: TaskGuesser {
  private struct Making: WalkKey {
    var creator: UInt64
    var maker: UInt32

    var word: UInt64 { creator }
    var otherWord: UInt64 { UInt64(maker) }
  }

  private struct Life {
    var making: Making
    /// Since when it waits for its executor, and how long it has done so in all.
    var ready: UInt64
    var queued: UInt64 = 0
  }

  /// A wait that has not ended.
  private struct Wait {
    var stack: UInt32
    var since: UInt64
    /// How long the task that is awaited had to wait for its executor.
    var queued: UInt64 = 0
  }

  /// The waits of one task at one place, one after the other.
  private struct Waits {
    var task: UInt64
    var event: EventName
    var count: UInt64 = 0
    var nanoseconds: UInt64 = 0
    /// When the first one began, and the last one ended.
    var first: UInt64
    var last: UInt64 = 0
  }

  private let time: TraceTime
  private var lives: WalkTable<UInt64, Life>
  /// How many tasks are alive, of those that a task has made with one piece of code.
  private var alive: WalkTable<Making, UInt64>
  private var waiting: WalkTable<UInt64, Wait>
  /// The waits of each task that has not ended, by where it awaits the others.
  private var waits: WalkTable<UInt64, [UInt32: Waits]>
  /// The longest waits of a task that has ended, by the same.
  private var found: [UInt32: Waits] = [:]

  private static let fewest: UInt64 = 3
  /// In nanoseconds.
  private static let long: UInt64 = 100_000_000
  private static let mostPlaces = 64
  private static let mostOfOne = 8

  init(_ time: TraceTime, _ walk: TraceWalk) {
    self.time = time
    lives = WalkTable(walk, bytes: 64, of: .work)
    alive = WalkTable(walk, bytes: 48, of: .work)
    waiting = WalkTable(walk, bytes: 56, of: .work)
    waits = WalkTable(walk, bytes: 400, of: .work)
  }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .made(let task, let made)
    where moment.maker != 0 && made.creator != 0
      && (moment.making == .task || moment.making == .asyncLet):
      let making = Making(creator: made.creator, maker: moment.maker)
      lives.set(Life(making: making, ready: moment.ticks), for: task)
      _ = alive.change(making, orFirst: 0) { $0 += 1 }
    case .scheduled(let task): lives.change(task) { $0.ready = moment.ticks }
    case .began(let task, _): noteRun(of: task, at: moment.ticks, moment.event)
    case .ended(let task, let end):
      if moment.awaited == .nothing { return noteEnd(of: task) }
      guard moment.awaited == .task, end.stack != 0, let awaited = lives[end.number]?.making,
        awaited.creator == task, alive[awaited] == 1
      else { return }
      waiting.set(Wait(stack: end.stack, since: moment.ticks), for: task)
    default: return
    }
  }

  private mutating func noteRun(of task: UInt64, at ticks: UInt64, _ event: EventName) {
    let time = time
    lives.change(task) { $0.queued += time.duration(from: $0.ready, to: ticks) }
    guard let wait = waiting.removeValue(forKey: task) else { return }
    _ = waits.change(task, orFirst: [:]) {
      guard $0[wait.stack] != nil || $0.count < Self.mostOfOne else { return }
      var waits = $0[wait.stack] ?? Waits(task: task, event: event, first: wait.since)
      waits.count += 1
      // What holds the executor is to blame for that.
      let lasted = time.duration(from: wait.since, to: ticks)
      waits.nanoseconds += lasted - min(lasted, wait.queued)
      waits.last = ticks
      $0[wait.stack] = waits
    }
  }

  private mutating func noteEnd(of task: UInt64) {
    if let ended = waits.removeValue(forKey: task) { add(ended, to: &found) }
    guard let life = lives.removeValue(forKey: task) else { return }
    let making = life.making
    waiting.change(making.creator) { $0.queued = life.queued }
    alive.change(making) { $0 -= 1 }
    if alive[making] == 0 { alive.removeValue(forKey: making) }
  }

  /// Adds the waits of one task to those of others: several that wait at one place do so side by side.
  private func add(_ waits: [UInt32: Waits], to found: inout [UInt32: Waits]) {
    for (stack, waits) in waits where isLong(waits) {
      guard
        found[stack].map({ $0.nanoseconds < waits.nanoseconds })
          ?? (found.count < Self.mostPlaces)
      else { continue }
      found[stack] = waits
    }
  }

  /// Whether the waits are many, and follow each other closely: those that somebody else sets off, again and
  /// again, do not.
  private func isLong(_ waits: Waits) -> Bool {
    waits.count >= Self.fewest && waits.nanoseconds >= Self.long
      && waits.nanoseconds * 3 >= time.duration(from: waits.first, to: waits.last) * 2
  }

  /// Returns a guess for each place at which such tasks are awaited, that with the longest waits first.
  var guesses: [Finding] {
    var found = self.found
    for waits in waits.values { add(waits, to: &found) }
    return
      found.sorted { ($1.value.nanoseconds, $0.key) < ($0.value.nanoseconds, $1.key) }
      .map { stack, waits in
        var finding = Finding(
          .backlog, weight: 40, place: .stack(stack),
          "\(waits.count, "task", "tasks") of one making were awaited here, for \(nanoseconds: waits.nanoseconds) in all, each "
            + "before task \(waits.task.description) made the next one: nothing runs side by side",
          evidence: [waits.event])
        finding.count = waits.count
        finding.nanoseconds = waits.nanoseconds
        return finding
      }
  }
}
