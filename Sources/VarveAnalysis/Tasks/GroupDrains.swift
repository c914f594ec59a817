internal import VarveFormat
internal import VarveProbe

/// Groups that were left with results still to come: the task that had got what it wanted waited for the
/// other children, which nobody had cancelled, or which did not heed that.
struct GroupDrains: TaskGuesser {
  /// The waits of a task for its group.
  private struct Waits {
    /// Where it got a result first.
    var first: UInt32
    /// When it began to wait elsewhere, for what is left; nil if it does not.
    var since: UInt64?
    /// Whether one of the children had failed before: the error ends the group, and cancels the others.
    var hasFailed = false
    /// The child that ended last, and where it had waited longest; 0 if it had not.
    var last: (task: UInt64, stack: UInt32) = (0, 0)
    /// How many children have ended by themselves since the task waits for what is left.
    var unread: UInt64 = 0
  }

  /// The results that nobody took, of the groups of one place.
  private struct Unread {
    var task: UInt64
    var children: UInt64
    var count: UInt64 = 0
    var event: EventName
  }

  /// A wait of a task that does not run.
  private struct Pause {
    var stack: UInt32 = 0
    var since: UInt64 = 0
    var longest: (stack: UInt32, nanoseconds: UInt64) = (0, 0)
  }

  /// The longest wait for what was left of the groups of one place.
  private struct Drain {
    var task: UInt64
    var nanoseconds: UInt64 = 0
    var count: UInt64 = 0
    var event: EventName
    /// Whether the group was cancelled, and the child that did not heed it.
    var isCancelled = false
    var last: (task: UInt64, stack: UInt32) = (0, 0)
  }

  private let time: TraceTime
  private var waits: WalkTable<UInt64, Waits>
  /// By where the result was taken.
  private var found: [UInt32: Drain] = [:]
  private var unread: [UInt32: Unread] = [:]
  /// The children of groups that do not run, and where they waited longest.
  private var pauses: WalkTable<UInt64, Pause>

  /// A wait is long from here on, in nanoseconds.
  private static let long: UInt64 = 100_000_000
  private static let mostPlaces = 64

  init(_ time: TraceTime, _ walk: TraceWalk) {
    self.time = time
    waits = WalkTable(walk, bytes: 80, of: .work)
    pauses = WalkTable(walk, bytes: 72, of: .work)
  }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .began(let task, _): noteRun(of: task, at: moment.ticks, moment.event)
    case .ended(let task, let end):
      if moment.awaited == .nothing {
        if let parent = moment.parent {
          noteEnd(of: task, in: parent, byItself: !moment.isCancelled)
        }
        return noteEnd(of: task)
      }
      if moment.awaited == .group { noteWait(of: task, at: end.stack, moment.ticks) }
      if moment.parent != nil { notePause(of: task, at: end.stack, moment.ticks) }
    case .failed:
      guard moment.error != ThrownErrors.cancellation, !moment.isCancelled,
        let parent = moment.parent
      else { return }
      waits.change(parent) { $0.hasFailed = true }
    default: return
    }
  }

  private mutating func noteWait(of task: UInt64, at stack: UInt32, _ ticks: UInt64) {
    guard stack != 0 else { return }
    _ = waits.change(task, orFirst: Waits(first: stack)) {
      if $0.first != stack { $0.since = ticks }
    }
  }

  /// A child of a group is suspended.
  private mutating func notePause(of child: UInt64, at stack: UInt32, _ ticks: UInt64) {
    _ = pauses.change(child, orFirst: Pause()) { ($0.stack, $0.since) = (stack, ticks) }
  }

  /// A child of a group has ended, and may have failed.
  private mutating func noteEnd(of child: UInt64, in parent: UInt64, byItself: Bool) {
    let longest = pauses.removeValue(forKey: child)?.longest.stack ?? 0
    waits.change(parent) {
      $0.last = (child, longest)
      if byItself, $0.since != nil { $0.unread += 1 }
    }
  }

  private mutating func notePauseEnd(of child: UInt64, at ticks: UInt64) {
    guard let pause = pauses[child], pause.stack != 0 else { return }
    let lasted = time.duration(from: pause.since, to: ticks)
    pauses.change(child) {
      if lasted > $0.longest.nanoseconds { $0.longest = (pause.stack, lasted) }
    }
  }

  private mutating func noteRun(of task: UInt64, at ticks: UInt64, _ event: EventName) {
    notePauseEnd(of: task, at: ticks)
    guard let known = waits[task], let since = known.since else { return }
    // Another group may follow.
    waits.removeValue(forKey: task)
    if known.unread > 0, !known.hasFailed,
      unread[known.first] != nil || unread.count < Self.mostPlaces
    {
      unread[
        known.first, default: Unread(task: task, children: known.unread, event: event)
      ].count += 1
    }
    let lasted = time.duration(from: since, to: ticks)
    guard lasted >= Self.long, found[known.first] != nil || found.count < Self.mostPlaces else {
      return
    }
    var place = found[known.first] ?? Drain(task: task, event: event)
    place.count += 1
    if lasted > place.nanoseconds {
      (place.task, place.nanoseconds, place.event) = (task, lasted, event)
      (place.isCancelled, place.last) = (known.hasFailed, known.last)
    }
    found[known.first] = place
  }

  private mutating func noteEnd(of task: UInt64) { waits.removeValue(forKey: task) }

  /// Returns a guess for each place at which a result was taken, the longest first.
  var guesses: [Finding] {
    found.sorted { ($1.value.nanoseconds, $0.key) < ($0.value.nanoseconds, $1.key) }
      .map { stack, drain in
        let didNotHeed = drain.isCancelled && drain.last.stack != 0
        var finding = Finding(
          .backlog, weight: 45, place: .stack(didNotHeed ? drain.last.stack : stack),
          didNotHeed
            ? "task \(drain.last.task.description) waited here while its group waited for it, "
              + "\(nanoseconds: drain.nanoseconds) after an error had ended that and so cancelled it: "
              + "what it waits for does not heed that"
            : "task \(drain.task.description) had a result of its group here, and then waited "
              + "\(nanoseconds: drain.nanoseconds) more, for the group's "
              + "other children, which nobody cancelled",
          evidence: [drain.event])
        finding.count = drain.count
        finding.nanoseconds = drain.nanoseconds
        return finding
      }
  }

  /// Returns a guess for each place at which one result of a group was taken, outside a loop, and none of
  /// those that came after it, although nobody cancelled the children that they were of.
  func unreadResults(_ names: StackNames) -> [Finding] {
    var sources = SourceLines()
    return unread.sorted { $0.key < $1.key }.compactMap { stack, unread in
      guard let own = names.own(of: stack), let file = own.file,
        let source = sources.source(at: own), source.takesOneResult
      else { return nil }
      var finding = Finding(
        .partial, weight: 43, place: .line(Place(path: file, line: own.line)),
        "task \(unread.task.description) took one result of its group here, and none of the "
          + "\(unread.children, "other", "others") that came after it",
        evidence: [unread.event])
      finding.count = unread.count
      return finding
    }
  }
}

extension PlainSource {
  /// Whether the line asked for takes one result of a group, and stands in no loop.
  fileprivate var takesOneResult: Bool {
    !isInLoop && headOfLoop == nil
      && statements(in: asked).contains { statement in
        statement.texts.contains("next") && !Self.loops.contains(statement.texts[0])
      }
  }
}
