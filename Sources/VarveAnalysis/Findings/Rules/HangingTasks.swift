internal import VarveFormat
internal import VarveProbe

/// Finds tasks that wait for each other in a circle.
struct HangingTasks: FindingRule {
  private let recorded: TraceTasks

  init?(_ facts: FindingFacts) {
    guard let recorded = facts.tasks, !recorded.tasks.isEmpty else { return nil }
    self.recorded = recorded
  }

  mutating func findings() -> [Finding] {
    let known = Dictionary(recorded.tasks.map { ($0.id, $0) }) { first, _ in first }
    return TaskWaits(recorded.tasks).knots.compactMap { knot -> Finding? in
      guard case .circle(let ids) = knot else { return nil }
      return circle(ids, known)
    }
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

  private func title(_ task: TaskState?, _ id: UInt64) -> String {
    task?.title ?? "task \(id)"
  }
}
