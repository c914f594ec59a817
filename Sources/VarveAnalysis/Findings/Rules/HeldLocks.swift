internal import VarveFormat
internal import VarveProbe

/// Finds locks that are not released in a program that hangs, while a task waits for them: because the
/// thread that holds one does not go on, or because it has left the code that took it.
struct HeldLocks: FindingRule {
  private let facts: FindingFacts
  private let recorded: TraceTasks
  private var locks = LockUses()

  /// How long a task waits for a lock in a program that hangs, in nanoseconds.
  private static let endless: UInt64 = 1_000_000_000

  static let isOfEnding = true

  init?(_ facts: FindingFacts) {
    guard facts.reader.ending == .running || facts.reader.ending.isKill,
      let recorded = facts.tasks, recorded.tasks.contains(where: { $0.lockHolder != nil })
    else { return nil }
    self.facts = facts
    self.recorded = recorded
  }

  mutating func findings() -> [Finding] {
    let circles = facts.taskWaits.inCircles
    let waiting = recorded.tasks.filter { task in
      task.lockHolder != nil && !circles.contains(task.id)
        && facts.time.duration(from: task.since ?? recorded.moment, to: recorded.moment)
          >= Self.endless
    }
    let known = Dictionary(recorded.tasks.map { ($0.id, $0) }) { first, _ in first }
    // A holder that waits for a lock itself is not where to look.
    let byHolder = Dictionary(grouping: waiting) { $0.lockHolder ?? 0 }.filter { _, waiting in
      waiting[0].awaitedTask.flatMap { known[$0] }?.lockHolder == nil
    }
    return byHolder.sorted { $0.key < $1.key }.map { finding($0.value, known) }
  }

  /// - Parameters:
  ///   - waiting: the tasks that wait for locks of one thread.
  ///   - known: all tasks, by number.
  private mutating func finding(_ waiting: [TaskState], _ known: [UInt64: TaskState]) -> Finding {
    let first = waiting.min { ($0.since ?? 0, $0.id) < ($1.since ?? 0, $1.id) } ?? waiting[0]
    let lasted = facts.time.duration(from: first.since ?? 0, to: recorded.moment)
    let holder = first.awaitedTask.flatMap { known[$0] }
    let left = holder == nil ? lastSuspended(on: first.lockHolder ?? 0) : nil
    let others = UInt64(waiting.count - 1)
    let subject: FindingSentence =
      others == 0 ? "\(first.title)" : "\(first.title) and \(others, "other", "others")"
    let reason: FindingSentence =
      holder.map { "\($0.title) holds, which has not gone on from here" }
      ?? left.map { "its thread seems to hold since \($0.title) was suspended here" }
      ?? "thread \(String(first.lockHolder ?? 0)) holds, which runs no task any more"
    let waits = recorded.stacks[first.id]
    if holder == nil, let waits, let exit = locks.exit(whileWaitingAt: waits, facts) {
      return Finding(
        .hang, weight: 84, place: .line(exit),
        subject
          + " \(waiting.count == 1 ? "has" : "have") waited \(nanoseconds: lasted) at \(place: .stack(waits)) for "
          + "a lock that nobody gives back: this way out of the function leaves it locked",
        evidence: [recorded.lastRuns[first.id]].compactMap { $0 }, question: .tasks)
    }
    let stack = (holder ?? left).flatMap { recorded.stacks[$0.id] } ?? waits
    return Finding(
      .hang, weight: 84, place: stack.map { .stack($0) },
      subject
        + " \(waiting.count == 1 ? "has" : "have") waited \(nanoseconds: lasted) for a lock that "
        + reason,
      evidence: [first, holder ?? left].compactMap { $0.flatMap { recorded.lastRuns[$0.id] } },
      question: .tasks)
  }

  /// Returns the suspended task that ran last on a thread: it may have kept the lock.
  private func lastSuspended(on thread: UInt64) -> TaskState? {
    let rings = facts.definitions.threads.values.filter { $0.systemID == thread }.map(\.ring)
    return recorded.tasks
      .filter { task in
        task.phase == .suspended
          && recorded.lastRuns[task.id].map { rings.contains($0.ring) } == true
      }
      .max { ($0.since ?? 0, $0.id) < ($1.since ?? 0, $1.id) }
  }
}

extension LockUses {
  /// Returns the line that leaves a function with the lock held for which code waits at a stack.
  mutating func exit(whileWaitingAt stack: UInt32?, _ facts: FindingFacts) -> Place? {
    stack.flatMap { exitWithLock(in: facts.names.frames(of: $0)) }
  }
}
