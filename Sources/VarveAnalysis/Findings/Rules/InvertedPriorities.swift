internal import VarveFormat
internal import VarveProbe

/// Finds tasks of high priority that wait long for one of low priority: one that could go on and does
/// not get to run, or one that holds a lock.
struct InvertedPriorities: FindingRule {
  /// A suspension of a task of high priority.
  private struct Wait {
    var task: UInt64
    var template: UInt32
    var since: EventMoment
    var stack: UInt32
  }

  /// A wait for a lock that a task of low priority holds, as samples of the one that waits tell.
  private struct LockWait {
    var holder: TaskRuns.Run
    var first: EventMoment
    var last: UInt64
    var stack: UInt32
  }

  private let facts: FindingFacts
  private var waits: WalkTable<EventName, Wait>
  /// The last suspension of each task of high priority.
  private var last: WalkTable<UInt64, EventName>
  /// By the run of the task of high priority.
  private var lockWaits: [UInt64: LockWait] = [:]
  /// The threads by the system's numbers, by which samples name the holders of locks.
  private let rings: [UInt64: UInt32]
  /// The longest inversion of each place.
  private var found: [UInt32: (nanoseconds: UInt64, finding: Finding)] = [:]

  let readsCauses = true
  let kinds = TaskRuns.kinds.union([.hopSampled])
  let followsRuns = true

  private static let high: UInt8 = 25
  private static let low: UInt8 = 17
  /// A wait is long from here on, in nanoseconds.
  private static let longWait: UInt64 = 100_000_000
  private static let mostPlaces = 256

  init?(_ facts: FindingFacts) {
    guard facts.tasks != nil else { return nil }
    self.facts = facts
    waits = WalkTable(facts.walk, bytes: 72, of: .work)
    last = WalkTable(facts.walk, bytes: 48, of: .work)
    rings = Dictionary(
      facts.definitions.threads.values.map { ($0.systemID, $0.ring) }
    ) { max($0, $1) }
  }

  mutating func note(_ event: FindingEvent) {
    guard event.kind != .hopSampled else { return noteSample(event) }
    let resumer = event.kind == .hopScheduled ? facts.runs.run(on: event.name.ring) : nil
    switch facts.runs.change {
    case .ended(let run, let end):
      if let old = last.removeValue(forKey: run.task) { waits.removeValue(forKey: old) }
      if let wait = lockWaits.removeValue(forKey: run.hop) { noteEnd(of: wait, run) }
      switch TaskAwait(rawValue: end.awaited) {
      case .continuation, .task, .group:
        guard run.priority >= Self.high else { return }
        let wait = Wait(
          task: run.task, template: run.template, since: event.moment, stack: end.stack)
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

  private mutating func noteSample(_ event: FindingEvent) {
    let sample = SamplePayload(word: event.word)
    let hop = event.subscription
    guard sample.holder != 0, sample.stack != 0, let run = facts.runs.running[hop],
      run.priority >= Self.high, let ring = rings[sample.holder],
      let holder = facts.runs.run(on: ring), holder.priority > 0, holder.priority <= Self.low
    else { return }
    if let known = lockWaits[hop], known.holder.hop == holder.hop, known.stack == sample.stack {
      lockWaits[hop]?.last = event.ticks
    } else {
      lockWaits[hop] = LockWait(
        holder: holder, first: event.moment, last: event.ticks, stack: sample.stack)
    }
  }

  private mutating func noteEnd(of wait: LockWait, _ run: TaskRuns.Run) {
    let lasted = facts.time.duration(from: wait.first.ticks, to: wait.last)
    guard lasted >= Self.longWait,
      found[wait.stack].map({ $0.nanoseconds < lasted }) ?? (found.count < Self.mostPlaces)
    else { return }
    let finding = Finding(
      .backlog, weight: 68, place: .common([wait.stack]),
      "\(title(of: run)), of high priority, waited more than \(nanoseconds: lasted) here for a lock that "
        + "\(title(of: wait.holder)), of low priority, held",
      evidence: [wait.first.name, wait.holder.began.name], question: .latency)
    found[wait.stack] = (lasted, finding)
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
      "\(facts.title(ofTask: wait.task, template: wait.template)), of high priority, waited "
        + "\(nanoseconds: lasted) here for \(title(of: low)), of low priority, which could have gone on and waited "
        + "\(nanoseconds: held) for \(scheduler: low.scheduler)",
      evidence: [wait.since.name, low.began.name], question: .latency)
    found[wait.stack] = (lasted, finding)
  }

  private func title(of run: TaskRuns.Run) -> String {
    facts.title(ofTask: run.task, template: run.template)
  }

  mutating func findings() -> [Finding] { found.sorted { $0.key < $1.key }.map(\.value.finding) }
}
