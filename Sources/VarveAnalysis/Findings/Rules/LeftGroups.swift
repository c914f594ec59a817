internal import VarveFormat
internal import VarveProbe

/// Finds tasks that took a result of their group, left it with other children still at work, and wait for
/// these for good, since nobody has cancelled them.
struct LeftGroups: FindingRule {
  private let facts: FindingFacts
  private let recorded: TraceTasks
  /// The tasks that wait for their groups.
  private let waiting: [UInt64: TaskState]
  /// Where these first waited for the group that they have not left yet.
  private var first: [UInt64: UInt32] = [:]
  /// Those that went on to wait for it elsewhere.
  private var drains: Set<UInt64> = []

  let kinds = TaskRuns.kinds
  let followsRuns = true

  /// How long a task waits for what is left of its group, in nanoseconds.
  private static let shortestWait: UInt64 = 1_000_000_000
  private static let mostTasks = 1_000

  static let isOfEnding = true

  init?(_ facts: FindingFacts) {
    guard facts.reader.ending == .running || facts.reader.ending.isKill, let recorded = facts.tasks
    else { return nil }
    let found = recorded.tasks.filter {
      $0.phase == .suspended && $0.awaiting == .group && recorded.stacks[$0.id] != nil
    }
    if found.isEmpty { return nil }
    waiting = Dictionary(found.prefix(Self.mostTasks).map { ($0.id, $0) }) { $1 }
    self.facts = facts
    self.recorded = recorded
  }

  mutating func note(_ event: FindingEvent) {
    switch facts.runs.change {
    case .began(let run) where drains.contains(run.task):
      // That group is done.
      drains.remove(run.task)
      first[run.task] = nil
    case .ended(let run, let end)
    where waiting[run.task] != nil && TaskAwait(rawValue: end.awaited) == .group && end.stack != 0:
      guard let known = first[run.task] else {
        first[run.task] = end.stack
        return
      }
      if known != end.stack { drains.insert(run.task) }
    default: return
    }
  }

  /// Returns whether a stack is that of the program's code, and not that of a library without lines: one that
  /// runs tests, say, has groups of its own, and waits in them for what the program's code waits for.
  private func isOfProgram(_ stack: UInt32) -> Bool {
    guard let own = facts.names.own(of: stack) else {
      return facts.names.frames(of: stack).isEmpty
    }
    guard own.line == 0, let module = own.module else { return true }
    return facts.reader.header.process.program.hasSuffix(module)
  }

  mutating func findings() -> [Finding] {
    drains.sorted().compactMap { id -> Finding? in
      guard let task = waiting[id], let stack = first[id], let since = task.since else {
        return nil
      }
      let time = facts.time.duration(from: since, to: recorded.moment)
      let children = recorded.tasks.filter { $0.parent == id && $0.kind == .groupChild }
      guard time >= Self.shortestWait, let child = children.first, isOfProgram(stack),
        !children.contains(where: \.isCancelled)
      else { return nil }
      let others: FindingSentence =
        children.count == 1
        ? "" : " and \(UInt64(children.count - 1), "other", "others")"
      return Finding(
        .hang, weight: 82, place: .stack(stack),
        "\(task.title) had a result of its group here, and waits since then, for \(nanoseconds: time), for the "
          + "group's other children, \(child.title)" + others + ", which nobody has cancelled",
        evidence: [recorded.lastRuns[id]].compactMap { $0 }, question: .tasks)
    }
  }
}
