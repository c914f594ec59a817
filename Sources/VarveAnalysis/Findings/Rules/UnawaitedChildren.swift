internal import VarveFormat
internal import VarveProbe

/// Finds children made by `async let` that nobody awaits: at the end of their scope they are cancelled,
/// and it waits for them until they heed that.
struct UnawaitedChildren: FindingRule {
  /// A child that has not ended.
  private struct Child {
    var stack: UInt32
    var creator: UInt64
    /// When its creator cancelled it.
    var cancelled: EventMoment?
    /// Whether its creator waited for it right after that.
    var isAwaited = false
  }

  /// The longest wait for the children that one piece of code makes.
  private struct Wait {
    var task: UInt64
    var nanoseconds: UInt64
    var cancelled: EventName
    var count: UInt64
  }

  private let facts: FindingFacts
  /// The code that makes children by `async let`, by template.
  private let stacks: [UInt32: UInt32]
  private var children: WalkTable<UInt64, Child>
  private var waits: [UInt32: Wait] = [:]

  let kinds = TaskRuns.kinds.union([.taskCancelled])
  let followsRuns = true

  /// A wait is long from here on, in nanoseconds.
  private static let longWait: UInt64 = 100_000_000
  private static let mostPlaces = 256

  init?(_ facts: FindingFacts) {
    stacks = facts.stacks(thatMakeTasks: .asyncLet)
    guard facts.tasks != nil, !stacks.isEmpty else { return nil }
    self.facts = facts
    children = WalkTable(facts.walk, bytes: 72, of: .work)
  }

  mutating func note(_ event: FindingEvent) {
    switch (event.kind, event.payload) {
    case (.taskCreated, .made):
      let made = TaskCreationPayload(word: event.word)
      if let stack = stacks[made.template] {
        children.set(Child(stack: stack, creator: made.creator), for: event.subscription)
      }
    case (.taskCancelled, _):
      let canceller = facts.runs.run(on: event.name.ring)?.task
      let moment = event.moment
      children.change(event.subscription) { child in
        if child.creator == canceller, child.cancelled == nil { child.cancelled = moment }
      }
      return
    default: break
    }
    guard case .ended(let run, let end) = facts.runs.change else { return }
    switch TaskAwait(rawValue: end.awaited) {
    case .task:
      children.change(end.number) { child in
        if child.creator == run.task, child.cancelled != nil { child.isAwaited = true }
      }
    case .nothing:
      guard let child = children.removeValue(forKey: run.task) else { return }
      noteEnd(of: run.task, child, event.ticks)
    case .continuation, .group, .executor, .unknown, nil: return
    }
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
    return waits.sorted { $0.key < $1.key }.map { finding($1, at: $0) }
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
