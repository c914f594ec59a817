internal import VarveFormat
internal import VarveProbe

/// Finds children made by `async let` that nobody awaits: at the end of their scope they are cancelled,
/// and it waits for them until they heed that, or they are broken off by it, and have done nothing.
struct UnawaitedChildren: FindingRule {
  /// A child that has not ended.
  private struct Child {
    var stack: UInt32
    var creator: UInt64
    /// When its creator cancelled it.
    var cancelled: EventMoment?
    /// Whether its creator waited for it right after that.
    var isAwaited = false
    /// Whether an error was thrown in it since it was cancelled.
    var hasThrown = false
  }

  /// The longest wait for the children that one piece of code makes.
  private struct Wait {
    var task: UInt64
    var nanoseconds: UInt64
    var cancelled: EventName
    var count: UInt64
  }

  /// The children that one piece of code makes.
  private struct Dropped {
    var made: UInt64 = 0
    /// In how many an error was thrown because they were cancelled at the end of their scope, and the first
    /// of these errors.
    var count: UInt64 = 0
    var first: EventName?
    /// Whether one was awaited, or one beside it had failed, so that its scope ended early.
    var isExpected = false
  }

  private let facts: FindingFacts
  /// The code that makes children by `async let`, by template.
  private let stacks: [UInt32: UInt32]
  private var children: WalkTable<UInt64, Child>
  private var waits: [UInt32: Wait] = [:]
  private var dropped: [UInt32: Dropped] = [:]
  /// The tasks that have cancelled a child so, and those of whose children one has failed.
  private var drops: WalkTable<UInt64, UInt32>
  private var failing: WalkTable<UInt64, Bool>
  /// The child that ended last on each thread: the record of its failure follows.
  private var ended: [UInt32: (task: UInt64, child: Child)] = [:]

  let kinds = TaskRuns.kinds.union([.taskCancelled, .taskFailed, .errorThrown])
  let followsRuns = true

  /// A wait is long from here on, in nanoseconds.
  private static let longWait: UInt64 = 100_000_000
  private static let mostPlaces = 256
  /// A single child may have been left by a way out of its scope that is seldom taken.
  private static let fewestDropped: UInt64 = 2

  init?(_ facts: FindingFacts) {
    stacks = facts.stacks(thatMakeTasks: .asyncLet)
    guard facts.tasks != nil, !stacks.isEmpty else { return nil }
    self.facts = facts
    children = WalkTable(facts.walk, bytes: 72, of: .work)
    drops = WalkTable(facts.walk, bytes: 40, of: .work)
    failing = WalkTable(facts.walk, bytes: 40, of: .work)
  }

  mutating func note(_ event: FindingEvent) {
    switch (event.kind, event.payload) {
    case (.taskCreated, .made):
      let made = TaskCreationPayload(word: event.word)
      if let stack = stacks[made.template] {
        children.set(Child(stack: stack, creator: made.creator), for: event.subscription)
        if dropped[stack] != nil || dropped.count < Self.mostPlaces {
          dropped[stack, default: Dropped()].made += 1
        }
      }
    case (.taskCancelled, _):
      let canceller = facts.runs.run(on: event.name.ring)?.task
      let moment = event.moment
      children.change(event.subscription) { child in
        if child.creator == canceller, child.cancelled == nil { child.cancelled = moment }
      }
      return
    case (.errorThrown, _): return noteError(in: event.subscription, event.name)
    case (.taskFailed, _): return noteFailure(of: event.subscription, event.name)
    default: break
    }
    guard case .ended(let run, let end) = facts.runs.change else { return }
    switch TaskAwait(rawValue: end.awaited) {
    case .task:
      guard let child = children[end.number], child.creator == run.task else { return }
      if child.cancelled != nil {
        children.change(end.number) { $0.isAwaited = true }
      } else {
        dropped[child.stack]?.isExpected = true
      }
    case .nothing:
      guard let child = children.removeValue(forKey: run.task) else { return }
      ended[event.name.ring] = (run.task, child)
      noteEnd(of: run.task, child, event.ticks)
    case .continuation, .group, .executor, .unknown, nil: return
    }
  }

  /// An error was thrown in a task. It may be caught there, and what was still to be done is left undone all
  /// the same.
  private mutating func noteError(in task: UInt64, _ event: EventName) {
    guard let child = children[task], child.cancelled != nil, !child.hasThrown else { return }
    children.change(task) { $0.hasThrown = true }
    noteUndone(child, event)
  }

  private mutating func noteUndone(_ child: Child, _ event: EventName) {
    if failing[child.creator] != nil { dropped[child.stack]?.isExpected = true }
    drops.set(child.stack, for: child.creator)
    dropped[child.stack]?.count += 1
    if dropped[child.stack]?.first == nil { dropped[child.stack]?.first = event }
  }

  private mutating func noteFailure(of task: UInt64, _ event: EventName) {
    // The scope of the children that it made has ended by this error.
    if let stack = drops[task] { dropped[stack]?.isExpected = true }
    guard let last = ended[event.ring], last.task == task else { return }
    let child = last.child
    guard child.cancelled != nil else {
      // What the scope makes of the error may be to leave the others.
      failing.set(true, for: child.creator)
      return
    }
    if !child.hasThrown { noteUndone(child, event) }
  }

  private mutating func noteEnd(of task: UInt64, _ child: Child, _ ticks: UInt64) {
    guard child.isAwaited, let cancelled = child.cancelled else { return }
    let lasted = facts.time.duration(from: cancelled.ticks, to: ticks)
    guard lasted >= Self.longWait,
      waits[child.stack] != nil || waits.count < Self.mostPlaces
    else { return }
    var wait =
      waits[child.stack]
      ?? Wait(task: task, nanoseconds: 0, cancelled: cancelled.name, count: 0)
    wait.count += 1
    if lasted > wait.nanoseconds {
      (wait.task, wait.nanoseconds, wait.cancelled) = (task, lasted, cancelled.name)
    }
    waits[child.stack] = wait
  }

  mutating func findings() -> [Finding] {
    // What has not ended is waited for until the end.
    let moment = facts.tasks?.moment ?? 0
    for (task, child) in children.entries.sorted(by: { $0.key < $1.key }) {
      noteEnd(of: task, child, moment)
    }
    let undone = dropped.filter {
      $0.value.count >= Self.fewestDropped && !$0.value.isExpected && waits[$0.key] == nil
    }
    return waits.sorted { $0.key < $1.key }.map { finding($1, at: $0) }
      + undone.sorted { $0.key < $1.key }.map { finding($1, at: $0) }
  }

  private func finding(_ dropped: Dropped, at stack: UInt32) -> Finding {
    var finding = Finding(
      .partial, weight: 74, place: .stack(stack),
      "nobody awaits the children that async let makes here: \(dropped.count.description) of "
        + "\(dropped.made.description) were cancelled at the end of their scopes, and broken off by that",
      evidence: dropped.first.map { [$0] } ?? [], question: .tasks)
    finding.count = dropped.count
    return finding
  }

  private func finding(_ wait: Wait, at stack: UInt32) -> Finding {
    let times: FindingSentence = wait.count == 1 ? "" : " (\(wait.count, "time", "times"))"
    var finding = Finding(
      .stuck, weight: 69, place: .stack(stack),
      "nobody awaits the child that async let makes here: at the end of its scope task "
        + "\(wait.task.description) was cancelled, did not heed that, and was waited for, for up "
        + "to \(nanoseconds: wait.nanoseconds)" + times,
      evidence: [wait.cancelled], question: .tasks)
    finding.count = wait.count
    finding.nanoseconds = wait.nanoseconds
    return finding
  }
}
