internal import VarveFormat
internal import VarveProbe

/// Finds tasks that wait for each other in a circle: for results, or for locks.
struct HangingTasks: FindingRule {
  private let facts: FindingFacts
  private let recorded: TraceTasks
  private var locks = LockUses()

  static let isOfEnding = true

  init?(_ facts: FindingFacts) {
    guard let recorded = facts.tasks, !recorded.tasks.isEmpty else { return nil }
    self.recorded = recorded
    self.facts = facts
  }

  mutating func findings() -> [Finding] {
    let known = Dictionary(recorded.tasks.map { ($0.id, $0) }) { first, _ in first }
    return facts.taskWaits.circles.map { finding(circle: $0, known) }
  }

  /// The maximum number of tasks of a circle that are named.
  private static let mostNamed = 4

  private mutating func finding(circle ids: [UInt64], _ known: [UInt64: TaskState]) -> Finding {
    let evidence = ids.prefix(Self.mostNamed).compactMap { recorded.lastRuns[$0] }
    let place = place(of: ids)
    if ids.count == 1, let only = known[ids[0]], only.awaiting == .lock {
      guard let exit = locks.exit(whileWaitingAt: recorded.stacks[only.id], facts) else {
        return Finding(
          .hang, weight: 96, place: place,
          "\(only.title) waits here, for good, for a lock that its own thread holds already",
          evidence: evidence, question: .tasks)
      }
      return Finding(
        .hang, weight: 96, place: .line(exit),
        "\(only.title) waits" + (place.map { " at \(place: $0)" } ?? "")
          + ", for good, for a lock that its own thread holds "
          + "already: this way out of the function leaves it locked",
        evidence: evidence, question: .tasks)
    }
    var way = title(known[ids[0]], ids[0])
    for index in 1...ids.count {
      let waits = known[ids[index - 1]]?.awaiting == .lock ? "wants a lock of" : "waits for"
      if index == Self.mostNamed, index < ids.count {
        way += ", which \(waits) others"
        break
      }
      let next = ids[index % ids.count]
      way += ", which \(waits) \(title(known[next], next))"
    }
    return Finding(
      .hang, weight: 96, place: place,
      "\(ids.count, "task waits for itself", "tasks wait for each other"), for good: \(way)",
      evidence: evidence, question: .tasks)
  }

  /// Returns the line to look at of a circle.
  private func place(of ids: [UInt64]) -> FindingPlace? {
    guard let stack = recorded.stacks[ids[0]] else { return nil }
    let names = facts.names
    let others = ids.dropFirst().compactMap { recorded.stacks[$0] }.map { names.frames(of: $0) }
    let frames = names.frames(of: stack)
    let outside = TaskWaits.outside(ids, among: recorded.tasks)
      .compactMap { recorded.stacks[$0] }.map { names.frames(of: $0) }
    guard let frame = TaskWaits.tellingFrame(frames, among: others, outside: outside),
      frame != frames.mostOwn, let file = frame.file
    else { return .stack(stack) }
    return .line(Place(path: file, line: frame.line))
  }

  private func title(_ task: TaskState?, _ id: UInt64) -> String {
    task?.title ?? "task \(id)"
  }
}
