internal import VarveFormat
internal import VarveProbe

/// Finds tasks that wait for each other in a circle, and tasks that go on after they were cancelled.
struct HangingTasks: FindingRule {
  private let recorded: TraceTasks
  private let facts: FindingFacts

  /// How long a task may go on after it was cancelled, in nanoseconds, and how many times it may run.
  private static let longestEnding: UInt64 = 1_000_000_000
  private static let mostRuns: UInt64 = 8
  /// A task that runs so often after it was cancelled, and on average so quickly again, in nanoseconds,
  /// does nothing else.
  private static let fewestRestless: UInt64 = 1_000
  private static let restless: UInt64 = 1_000_000

  init?(_ facts: FindingFacts) {
    guard let recorded = facts.tasks, !recorded.tasks.isEmpty else { return nil }
    self.recorded = recorded
    self.facts = facts
  }

  mutating func findings() -> [Finding] {
    let known = Dictionary(recorded.tasks.map { ($0.id, $0) }) { first, _ in first }
    let circles = TaskWaits(recorded.tasks).knots.compactMap { knot -> Finding? in
      guard case .circle(let ids) = knot else { return nil }
      return circle(ids, known)
    }
    return circles + recorded.tasks.compactMap(unheeded)
  }

  /// The maximum number of tasks of a circle that are named.
  private static let mostNamed = 4

  private func circle(_ ids: [UInt64], _ known: [UInt64: TaskState]) -> Finding {
    var way = ids.prefix(Self.mostNamed).map { title(known[$0], $0) }
    if ids.count > way.count { way.append("others") }
    way.append(title(known[ids[0]], ids[0]))
    return Finding(
      .hang, weight: 96, place: recorded.stacks[ids[0]].map { .stack($0) },
      "\(ids.count, "task waits for itself", "tasks wait for each other"), for good: "
        + "\(way.joined(separator: ", which waits for "))",
      evidence: ids.prefix(Self.mostNamed).compactMap { recorded.lastRuns[$0] }, question: .tasks)
  }

  /// Returns a finding if a task has long been cancelled, and goes on.
  private func unheeded(_ task: TaskState) -> Finding? {
    guard let cancelled = recorded.cancellations[task.id], cancelled.runs >= Self.mostRuns else {
      return nil
    }
    let since = facts.time.duration(from: cancelled.ticks, to: recorded.moment)
    if cancelled.runs >= Self.fewestRestless, since / cancelled.runs <= Self.restless {
      return restless(task, cancelled, since)
    }
    guard since >= Self.longestEnding else { return nil }
    return Finding(
      .stuck, weight: 72, place: recorded.stacks[task.id].map { .stack($0) },
      "\(title(task, task.id)) was cancelled \(nanoseconds: since) ago, and has run "
        + "\(cancelled.runs, "time", "times") since: it does not ask whether it was cancelled",
      evidence: [cancelled.event] + (recorded.lastRuns[task.id].map { [$0] } ?? []),
      question: .tasks)
  }

  /// What waits no more once its task was cancelled, such as a sleep, lets a loop spin. The place is where
  /// the task waited when it was cancelled.
  private func restless(
    _ task: TaskState, _ cancelled: TraceTasks.Cancellation, _ since: UInt64
  ) -> Finding {
    let stack = cancelled.stack != 0 ? cancelled.stack : recorded.stacks[task.id]
    return Finding(
      .stuck, weight: 84, place: stack.map { .stack($0) },
      "\(title(task, task.id)) was cancelled while it waited here, and has run "
        + "\(cancelled.runs, "time", "times") in the \(nanoseconds: since) since: the wait ends at once, and "
        + "the task goes on",
      evidence: [cancelled.event] + (recorded.lastRuns[task.id].map { [$0] } ?? []),
      question: .tasks)
  }

  private func title(_ task: TaskState?, _ id: UInt64) -> String {
    task?.title ?? "task \(id)"
  }
}
