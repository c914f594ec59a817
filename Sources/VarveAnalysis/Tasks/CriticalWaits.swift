internal import VarveFormat
internal import VarveProbe

/// Where the time of the longest wait went: the task that it was for, the one that this waited for in turn,
/// and so on, to the `await` at which most of the time passed.
struct CriticalWaits: TaskGuesser {
  /// The waits of a task at one place.
  struct Waits {
    var stack: UInt32
    var nanoseconds: UInt64 = 0
    var count: UInt64 = 0
    /// The longest, and what it was for.
    var longest: UInt64 = 0
    var awaited: TaskAwait?
    var number: UInt64 = 0
    var event: EventName
  }

  /// The times that a task moved to another executor at one place.
  private struct Moves {
    var stack: UInt32
    var count: UInt64 = 0
    var first: UInt64
    var last: UInt64
    var event: EventName
  }

  private struct Life {
    /// The wait that has not ended.
    var since: UInt64 = 0
    var end = TaskAwaitPayload(awaited: 0)
    /// At different places, the first ones.
    var waits: [Waits] = []
    /// Where it moved to another executor, the first places.
    var moves: [Moves] = []
    /// The child of its group that ended last.
    var lastChild: UInt64 = 0
    /// The task that has resumed its continuation.
    var resumer: UInt64 = 0
  }

  private let time: TraceTime
  private var lives: WalkTable<UInt64, Life>
  /// The task with the longest wait for another one.
  private var longest: (task: UInt64, waits: Waits)?

  /// A wait is long from here on, in nanoseconds.
  private static let long: UInt64 = 100_000_000
  private static let mostPlaces = 8
  private static let mostSteps = 16
  private static let mostTasks = 64
  /// So many waits in a row are a loop.
  private static let several: UInt64 = 3
  /// Moves to another executor, each of which is short, have to be more.
  private static let many: UInt64 = 100

  init(_ time: TraceTime, _ walk: TraceWalk) {
    self.time = time
    lives = WalkTable(walk, bytes: 1_000, of: .work)
  }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .began(let task, _): noteRun(of: task, at: moment.ticks, moment.event)
    case .scheduled(let task):
      if let giver = moment.giver { noteResumption(of: task, by: giver) }
    case .ended(let task, let end):
      if moment.awaited == .nothing {
        noteEnd(of: task, in: moment.parent)
      } else {
        noteWait(of: task, end, at: moment.ticks)
      }
    default: return
    }
  }

  private mutating func noteWait(of task: UInt64, _ end: TaskAwaitPayload, at ticks: UInt64) {
    _ = lives.change(task, orFirst: Life()) { ($0.since, $0.end) = (ticks, end) }
  }

  private mutating func noteRun(of task: UInt64, at ticks: UInt64, _ event: EventName) {
    let time = time
    var waited: Waits?
    lives.change(task) { life in
      guard life.since != 0 else { return }
      defer { life.since = 0 }
      let awaited = TaskAwait(rawValue: life.end.awaited)
      // A wait for an executor is told by what holds that.
      guard awaited != .executor, life.end.stack != 0 else {
        return Self.noteMove(&life, event, at: ticks)
      }
      let lasted = time.duration(from: life.since, to: ticks)
      let known = life.waits.firstIndex { $0.stack == life.end.stack }
      guard known != nil || life.waits.count < Self.mostPlaces else { return }
      let place = known ?? life.waits.count
      if known == nil { life.waits.append(Waits(stack: life.end.stack, event: event)) }
      life.waits[place].nanoseconds += lasted
      life.waits[place].count += 1
      guard lasted > life.waits[place].longest else { return }
      life.waits[place].longest = lasted
      life.waits[place].awaited = awaited
      life.waits[place].event = event
      life.waits[place].number =
        switch awaited {
        case .group: life.lastChild
        case .continuation: life.resumer
        case .task, .executor, .unknown, .nothing, nil: life.end.number
        }
      waited = life.waits[place]
    }
    guard let waited, waited.number != 0, waited.awaited != .continuation,
      waited.longest > longest?.waits.longest ?? 0
    else {
      return
    }
    longest = (task, waited)
  }

  /// A task was given its next run by what another one did.
  private mutating func noteResumption(of task: UInt64, by giver: UInt64) {
    lives.change(task) { $0.resumer = giver == task ? 0 : giver }
  }

  private static func noteMove(_ life: inout Life, _ event: EventName, at ticks: UInt64) {
    let stack = life.end.stack
    guard stack != 0 else { return }
    guard let known = life.moves.firstIndex(where: { $0.stack == stack }) else {
      guard life.moves.count < mostPlaces else { return }
      life.moves.append(
        Moves(stack: stack, count: 1, first: life.since, last: ticks, event: event))
      return
    }
    life.moves[known].count += 1
    life.moves[known].last = ticks
  }

  /// A task has ended; one that never waited for long is forgotten.
  private mutating func noteEnd(of task: UInt64, in parent: UInt64?) {
    if let parent { lives.change(parent) { $0.lastChild = task } }
    guard let life = lives[task] else { return }
    let waited = life.waits.reduce(0) { $0 + $1.nanoseconds }
    let moved = life.moves.contains { $0.count >= Self.many }
    if waited < Self.long, !moved { lives.removeValue(forKey: task) }
  }

  /// Returns a guess, if there is a long wait of one task for another, and other tasks' runs are not what
  /// it was for. A wait that comes again and again is marked in the loop where it does, by its source.
  ///
  /// Where no task waits long for another one, it is about what one of them awaits one by one.
  func guess(_ names: StackNames) -> Finding? {
    guard var way = longest?.waits, way.longest >= Self.long else { return oneByOne(names) }
    for _ in 0..<Self.mostSteps {
      let task = way.number
      guard let life = lives[task] else { return nil }
      if let moves = moves(of: life, in: way.longest) {
        let span = time.duration(from: moves.first, to: moves.last)
        var finding = Finding(
          .backlog, weight: 30, place: .stack(moves.stack),
          "task \(task.description) moved to another executor here \(moves.count, "time", "times") within "
            + "\(nanoseconds: span), each time for a little work, and back",
          evidence: [moves.event])
        finding.nanoseconds = span
        return finding
      }
      let waits = life.waits
      guard
        let most = waits.max(by: { ($0.nanoseconds, $1.stack) < ($1.nanoseconds, $0.stack) })
      else { return nil }
      let all = waits.reduce(0) { $0 + $1.nanoseconds }
      // The rest of the time it ran, or could not.
      guard all * 10 >= way.longest * 7 else { return nil }
      if most.count >= Self.several, most.nanoseconds * 10 >= way.longest * 6 {
        var found = finding(
          "task \(task.description) waited here \(most.count, "time", "times"), one after the other, "
            + "for \(nanoseconds: min(most.nanoseconds, way.longest)) of the \(nanoseconds: way.longest) that were waited for it",
          most)
        if let line = names.lineInLoop(of: most.stack) { found.place = .line(line) }
        return found
      }
      if let group = SuccessiveWaits(waits, names).group,
        group.spare * 10 >= way.longest * 3
      {
        return Self.finding(
          "task \(task.description) waited \(UInt64(group.nanoseconds.count), "time", "times") from here on, one after the "
            + "other, for \(nanoseconds: group.total) of the \(nanoseconds: way.longest) that were waited for it, "
            + "though none of these uses what another one gives",
          group, most)
      }
      guard most.number != 0, most.awaited != .continuation else {
        return serving(most)
          ?? finding(
            "task \(task.description) waited here for \(nanoseconds: min(most.nanoseconds, way.longest)) of the "
              + "\(nanoseconds: way.longest) that were waited for it", most)
      }
      way = most
    }
    return nil
  }

  /// Returns a guess about a task that awaits several calls one after the other, which could run side by side.
  private func oneByOne(_ names: StackNames) -> Finding? {
    func waited(_ life: Life) -> UInt64 { life.waits.reduce(0) { $0 + $1.nanoseconds } }
    let slowest = lives.entries.map { ($0.key, $0.value, waited($0.value)) }
      .filter { $0.2 >= Self.long }.sorted { ($1.2, $0.0) < ($0.2, $1.0) }.prefix(Self.mostTasks)
    let groups = slowest.compactMap { task, life, _ in
      SuccessiveWaits(life.waits, names).group.map { (task, $0, life.waits[0]) }
    }
    guard let (task, group, first) = groups.max(by: { $0.1.spare < $1.1.spare }),
      group.spare >= Self.long
    else { return nil }
    return Self.finding(
      "task \(task.description) waited \(UInt64(group.nanoseconds.count), "time", "times") from here on, one after the "
        + "other, for \(nanoseconds: group.total) in all, though none of these uses what another one gives",
      group, first)
  }

  private static func finding(
    _ sentence: FindingSentence, _ group: IndependentCalls.Group, _ waits: Waits
  ) -> Finding {
    var finding = Finding(
      .backlog, weight: 30, place: .line(group.place), sentence, evidence: [waits.event])
    finding.nanoseconds = group.total
    return finding
  }

  /// Returns a guess about the task that resumed a continuation, if it served others at the same time, one
  /// after the other: it comes back to another wait each time, that for the next one to serve.
  private func serving(_ wait: Waits) -> Finding? {
    guard wait.number != 0, let life = lives[wait.number],
      let most = life.waits.max(by: { ($0.nanoseconds, $1.stack) < ($1.nanoseconds, $0.stack) }),
      most.count >= Self.several, most.nanoseconds * 10 >= wait.longest * 6,
      let next = life.waits.filter({ $0.stack != most.stack && $0.count >= Self.several - 1 })
        .max(by: { ($0.count, $1.stack) < ($1.count, $0.stack) })
    else { return nil }
    var found = finding(
      "task \(wait.number.description), which resumed what was waited for, does one thing after the other here: it "
        + "waited \(most.count, "time", "times") within this call, for \(nanoseconds: most.nanoseconds)",
      most)
    found.place = .parting(most.stack, from: next.stack)
    return found
  }

  /// Returns the moves of a task that make up most of a wait for it.
  private func moves(of life: Life, in nanoseconds: UInt64) -> Moves? {
    life.moves.filter {
      $0.count >= Self.many
        && time.duration(from: $0.first, to: $0.last) * 10 >= nanoseconds * 6
    }.max { ($0.count, $1.stack) < ($1.count, $0.stack) }
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
