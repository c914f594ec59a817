internal import VarveFormat
internal import VarveProbe

/// Finds tasks that yield over and over and do next to nothing between: they wait for something by asking
/// for it again and again.
struct PollingTasks: FindingRule {
  /// The yields of a task at one place.
  private struct Yields {
    var task: UInt64
    var count: UInt64 = 0
    var first: EventMoment
    var last: UInt64
  }

  private let facts: FindingFacts
  /// By the stack of the functions that yield.
  private var yields: WalkTable<UInt32, Yields>
  /// The end of the last run of each thread, if the task may have yielded by it.
  private var ends: [UInt32: (sequence: UInt64, task: UInt64, stack: UInt32)] = [:]

  let kinds: Set<RecordKind> = [.hopScheduled, .hopBegan, .hopEnded]
  let followsRuns = true

  private static let fewest: UInt64 = 2_000
  /// The shortest time that they take together, and the longest from one to the next, in nanoseconds.
  private static let shortest: UInt64 = 100_000_000
  private static let longestBetween: UInt64 = 200_000

  init?(_ facts: FindingFacts) {
    guard facts.mayHave(.taskCreated) else { return nil }
    self.facts = facts
    yields = WalkTable(facts.walk, bytes: 72, of: .work)
  }

  mutating func note(_ event: FindingEvent) {
    let (ring, sequence) = (event.name.ring, event.name.sequence)
    switch facts.runs.change {
    case .ended(let run, let end)
    where TaskAwait(rawValue: end.awaited) == .continuation && end.stack != 0:
      ends[ring] = (sequence, run.task, end.stack)
    case .scheduled:
      // Who yields is enqueued at once, by nobody else.
      guard let end = ends.removeValue(forKey: ring), end.sequence + 1 == sequence else { return }
      _ = yields.change(
        end.stack, orFirst: Yields(task: end.task, first: event.moment, last: event.ticks)
      ) {
        $0.count += 1
        $0.last = event.ticks
      }
    case .began, .ended, nil: ends[ring] = nil
    }
  }

  mutating func findings() -> [Finding] {
    yields.entries.filter { $0.value.count >= Self.fewest }
      .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
      .compactMap { stack, yields in
        let span = facts.time.duration(from: yields.first.ticks, to: yields.last)
        guard span >= Self.shortest, span / yields.count <= Self.longestBetween else { return nil }
        var finding = Finding(
          .storm, weight: 58, place: .stack(stack),
          "task \(yields.task.description) yielded here \(yields.count, "time", "times") in \(nanoseconds: span), and did "
            + "next to nothing between: it waits by asking again and again",
          evidence: [yields.first.name], question: .tasks)
        finding.count = yields.count
        return finding
      }
  }
}
