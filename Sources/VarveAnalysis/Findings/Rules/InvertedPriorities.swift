internal import VarveFormat
internal import VarveProbe

/// Finds tasks of high priority that wait long for one of low priority, which could go on and does not
/// get to run.
struct InvertedPriorities: FindingRule {
  /// A suspension of a task of high priority.
  private struct Wait {
    var task: UInt64
    var since: EventMoment
    var stack: UInt32
  }

  private let facts: FindingFacts
  private var waits: WalkTable<EventName, Wait>
  /// The last suspension of each task of high priority.
  private var last: WalkTable<UInt64, EventName>
  /// The longest inversion of each place.
  private var found: [UInt32: (nanoseconds: UInt64, finding: Finding)] = [:]

  let kinds = TaskRuns.kinds
  let followsRuns = true

  private static let high: UInt8 = 25
  private static let low: UInt8 = 17
  /// A wait is long from here on, in nanoseconds.
  private static let longWait: UInt64 = 100_000_000
  private static let mostPlaces = 256

  init?(_ facts: FindingFacts) {
    guard facts.tasks != nil else { return nil }
    self.facts = facts
    waits = WalkTable(facts.walk, bytes: 64, of: .work)
    last = WalkTable(facts.walk, bytes: 48, of: .work)
  }

  mutating func note(_ event: FindingEvent) {
    let resumer = event.kind == .hopScheduled ? facts.runs.run(on: event.name.ring) : nil
    switch facts.runs.change {
    case .ended(let run, let end):
      if let old = last.removeValue(forKey: run.task) { waits.removeValue(forKey: old) }
      switch TaskAwait(rawValue: end.awaited) {
      case .continuation, .task, .group:
        guard run.priority >= Self.high else { return }
        let wait = Wait(task: run.task, since: event.moment, stack: end.stack)
        if waits.set(wait, for: event.name) { last.set(event.name, for: run.task) }
      case .executor, .unknown, .nothing, nil: return
      }
    case .scheduled:
      guard let resumer, resumer.priority > 0, resumer.priority <= Self.low,
        let wait = event.causes.compactMap({ waits[$0] }).first
      else { return }
      noteResumption(of: wait, by: resumer, event.ticks)
    case .began, nil: return
    }
  }

  private mutating func noteResumption(of wait: Wait, by low: TaskRuns.Run, _ ticks: UInt64) {
    let lasted = facts.time.duration(from: wait.since.ticks, to: ticks)
    guard lasted >= Self.longWait, let ready = low.given?.since.ticks, wait.stack != 0,
      found[wait.stack].map({ $0.nanoseconds < lasted }) ?? (found.count < Self.mostPlaces)
    else { return }
    let from = max(ready, wait.since.ticks)
    guard from < low.began.ticks else { return }
    let held = facts.time.duration(from: from, to: low.began.ticks)
    guard held * 2 >= lasted else { return }
    let finding = Finding(
      .backlog, weight: 68, place: .stack(wait.stack),
      "task \(wait.task.description), of high priority, waited \(nanoseconds: lasted) here for task "
        + "\(low.task.description), of low priority, which could have gone on and waited "
        + "\(nanoseconds: held) for \(scheduler: low.scheduler)",
      evidence: [wait.since.name, low.began.name], question: .latency)
    found[wait.stack] = (lasted, finding)
  }

  mutating func findings() -> [Finding] { found.sorted { $0.key < $1.key }.map(\.value.finding) }
}
