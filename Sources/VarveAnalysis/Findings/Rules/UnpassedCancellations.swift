internal import VarveFormat
internal import VarveProbe

/// Finds tasks that were cancelled while they waited for a task of their own making, which the
/// cancellation does not reach: it is no child, and nobody cancelled it.
struct UnpassedCancellations: FindingRule {
  /// An unstructured task that has not ended.
  private struct Life {
    var template: UInt32
    var creator: UInt64
    /// Whether another task than its maker waits for it, too.
    var isShared = false
    /// When its maker was cancelled, while it waited.
    var cancelled: EventMoment?
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
  private var cancelled: WalkTable<UInt64, EventMoment>
  private var accounts: [UInt32: Account] = [:]

  let kinds = TaskRuns.kinds.union([.taskCancelled])
  let followsRuns = true

  /// How long a task may go on after the one that waits for it was cancelled, in nanoseconds.
  private static let longest: UInt64 = 200_000_000
  private static let mostPlaces = 256

  init?(_ facts: FindingFacts) {
    stacks = facts.stacks(thatMakeTasks: .task)
    let hasCancellations = facts.reader.blocks.contains {
      $0.kinds.mayContain(RecordKind.taskCancelled.rawValue)
    }
    guard hasCancellations, facts.tasks != nil, !stacks.isEmpty else { return nil }
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
      cancelled.set(event.moment, for: event.subscription)
      if let awaited = waits[event.subscription] {
        notePair(event.subscription, awaited, since: event.moment)
      }
    default: noteRun(event)
    }
  }

  private mutating func noteRun(_ event: FindingEvent) {
    switch facts.runs.change {
    case .began(let run): waits.removeValue(forKey: run.task)
    case .ended(let run, let end):
      switch TaskAwait(rawValue: end.awaited) {
      case .task where end.number != 0:
        waits.set(end.number, for: run.task)
        // It was cancelled before it began to wait.
        if cancelled[run.task] != nil { notePair(run.task, end.number, since: event.moment) }
        let waiter = run.task
        lives.change(end.number) { if $0.creator != waiter { $0.isShared = true } }
      case .nothing:
        cancelled.removeValue(forKey: run.task)
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
    guard let moment = life.cancelled, !life.isShared, let stack = stacks[life.template],
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

  mutating func findings() -> [Finding] {
    let moment = facts.tasks?.moment ?? 0
    for (task, life) in lives.entries.sorted(by: { $0.key < $1.key }) {
      noteEnd(of: task, life, at: moment)
    }
    return accounts.sorted { $0.key < $1.key }.map { stack, account in
      let name = facts.definitions.taskTemplates[account.template]?.name ?? ""
      let title = "task \(account.task)" + (name.isEmpty ? "" : " \"\(name)\"")
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
