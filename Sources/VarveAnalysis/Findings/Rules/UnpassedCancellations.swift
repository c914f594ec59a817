internal import VarveFormat
internal import VarveProbe

/// Finds tasks that were cancelled while they waited for a task of their own making, which the
/// cancellation does not reach: it is no child, and nobody cancelled it. So it is with tasks that were
/// made by one that was cancelled, and that run on and on, the more the more of these are made.
struct UnpassedCancellations: FindingRule {
  /// An unstructured task that has not ended.
  private struct Life {
    var template: UInt32
    var creator: UInt64
    /// Whether another task than its maker waits for it, too.
    var isShared = false
    /// When its maker was cancelled, while it waited.
    var cancelled: EventMoment?
    /// How many times it ran after its maker was cancelled, and when for the last time.
    var runs: UInt64 = 0
    var lastRun: UInt64 = 0
  }

  /// The tasks that ran on after their makers were cancelled, by the code that makes them.
  private struct Orphans {
    var count: UInt64 = 0
    var first: EventName
    var nanoseconds: UInt64 = 0
  }

  /// The longest of the tasks that one piece of code makes.
  private struct Account {
    var task: UInt64
    var creator: UInt64
    var template: UInt32
    var nanoseconds: UInt64
    var cancelled: EventName
    var count: UInt64
  }

  private let facts: FindingFacts
  private let stacks: [UInt32: UInt32]
  private var lives: WalkTable<UInt64, Life>
  /// The tasks that other tasks wait for.
  private var waits: WalkTable<UInt64, UInt64>
  /// When tasks were cancelled, also of those that have ended: what they made may still run.
  private var cancelled: WalkTable<UInt64, EventMoment>
  private var accounts: [UInt32: Account] = [:]
  private var orphans: [UInt32: Orphans] = [:]

  let kinds = TaskRuns.kinds.union([.taskCancelled])
  let followsRuns = true

  /// How long a task may go on after the one that waits for it was cancelled, in nanoseconds.
  private static let longest: UInt64 = 200_000_000
  private static let mostPlaces = 256
  /// How long, and how often, a task runs on after its maker was cancelled, and how many there have to be.
  private static let longestOrphan: UInt64 = 100_000_000
  private static let mostRuns: UInt64 = 3
  private static let fewestOrphans: UInt64 = 3

  init?(_ facts: FindingFacts) {
    stacks = facts.stacks(thatMakeTasks: .task)
    guard facts.mayHave(.taskCancelled), facts.tasks != nil, !stacks.isEmpty else { return nil }
    self.facts = facts
    lives = WalkTable(facts.walk, bytes: 72, of: .work)
    waits = WalkTable(facts.walk, bytes: 40, of: .work)
    cancelled = WalkTable(facts.walk, bytes: 48, of: .work)
  }

  mutating func note(_ event: FindingEvent) {
    switch (event.kind, event.payload) {
    case (.taskCreated, .made):
      let made = TaskCreationPayload(word: event.word)
      guard stacks[made.template] != nil, made.creator != 0 else { return }
      lives.set(Life(template: made.template, creator: made.creator), for: event.subscription)
    case (.taskCancelled, _):
      // Its maker has seen to it.
      lives.removeValue(forKey: event.subscription)
      if cancelled[event.subscription] == nil {
        cancelled.set(event.moment, for: event.subscription)
      }
      if let awaited = waits[event.subscription] {
        notePair(event.subscription, awaited, since: event.moment)
      }
    default: noteRun(event)
    }
  }

  private mutating func noteRun(_ event: FindingEvent) {
    switch facts.runs.change {
    case .began(let run):
      waits.removeValue(forKey: run.task)
      guard let life = lives[run.task], cancelled[life.creator] != nil else { return }
      lives.change(run.task) {
        $0.runs += 1
        $0.lastRun = run.began.ticks
      }
    case .ended(let run, let end):
      switch TaskAwait(rawValue: end.awaited) {
      case .task where end.number != 0:
        waits.set(end.number, for: run.task)
        // It was cancelled before it began to wait.
        if cancelled[run.task] != nil { notePair(run.task, end.number, since: event.moment) }
        let waiter = run.task
        lives.change(end.number) { if $0.creator != waiter { $0.isShared = true } }
      case .nothing:
        guard let life = lives.removeValue(forKey: run.task) else { return }
        noteEnd(of: run.task, life, at: event.ticks)
      case .task, .continuation, .group, .executor, .unknown, nil: return
      }
    case .scheduled, nil: return
    }
  }

  private mutating func notePair(_ waiter: UInt64, _ awaited: UInt64, since moment: EventMoment) {
    lives.change(awaited) {
      if $0.creator == waiter, $0.cancelled == nil { $0.cancelled = moment }
    }
  }

  private mutating func noteEnd(of task: UInt64, _ life: Life, at ticks: UInt64) {
    guard !life.isShared else { return }
    guard let moment = life.cancelled else { return noteOrphan(life) }
    guard let stack = stacks[life.template],
      accounts[stack] != nil || accounts.count < Self.mostPlaces
    else { return }
    let lasted = facts.time.duration(from: moment.ticks, to: ticks)
    guard lasted >= Self.longest else { return }
    var account =
      accounts[stack]
      ?? Account(
        task: task, creator: life.creator, template: life.template, nanoseconds: 0,
        cancelled: moment.name, count: 0)
    account.count += 1
    if lasted > account.nanoseconds {
      (account.task, account.creator, account.template) = (task, life.creator, life.template)
      (account.nanoseconds, account.cancelled) = (lasted, moment.name)
    }
    accounts[stack] = account
  }

  private mutating func noteOrphan(_ life: Life) {
    guard life.runs >= Self.mostRuns, let moment = cancelled[life.creator],
      let stack = stacks[life.template],
      orphans[stack] != nil || orphans.count < Self.mostPlaces
    else { return }
    let lasted = facts.time.duration(from: moment.ticks, to: max(moment.ticks, life.lastRun))
    guard lasted >= Self.longestOrphan else { return }
    var known = orphans[stack] ?? Orphans(first: moment.name)
    known.count += 1
    known.nanoseconds = max(known.nanoseconds, lasted)
    orphans[stack] = known
  }

  /// Returns a finding for each piece of code whose tasks have lost their makers.
  private func lost() -> [Finding] {
    orphans.filter { $0.value.count >= Self.fewestOrphans }.sorted { $0.key < $1.key }
      .map { stack, all in
        var finding = Finding(
          .leak, weight: 70, place: .stack(stack),
          "\(all.count, "task", "tasks") that were made here have run on after the tasks that made them were "
            + "cancelled, for up to \(nanoseconds: all.nanoseconds): nobody awaits them, and nobody "
            + "cancelled them",
          evidence: [all.first], question: .tasks)
        finding.count = all.count
        return finding
      }
  }

  mutating func findings() -> [Finding] {
    let moment = facts.tasks?.moment ?? 0
    for (task, life) in lives.entries.sorted(by: { $0.key < $1.key }) {
      noteEnd(of: task, life, at: moment)
    }
    return lost()
      + accounts.sorted { $0.key < $1.key }.map { stack, account in
        let title = facts.title(ofTask: account.task, template: account.template)
        var finding = Finding(
          .stuck, weight: 71, place: .stack(stack),
          "task \(account.creator.description) was cancelled, and waited for \(title), which it had made here "
            + "and which went on for \(nanoseconds: account.nanoseconds): it is no child, and nobody cancelled it",
          evidence: [account.cancelled], question: .tasks)
        finding.count = account.count
        finding.nanoseconds = account.nanoseconds
        return finding
      }
  }
}
