internal import VarveFormat
internal import VarveProbe

/// Finds tasks that fail while nobody awaits them, and of whose failure nobody learns.
struct UnreadFailures: FindingRule {
  /// A task that has not ended, or has just ended.
  private struct Life {
    var stack: UInt32
    /// Whether its failure is expected: it was cancelled, or somebody awaits it.
    var isExpected = false
    /// Where it was suspended last, and how many times in a row.
    var loop: (stack: UInt32, rounds: UInt64) = (0, 0)
    /// What its last run went on with: it may have moved to its executor since.
    var wentOn: UInt32 = 0
  }

  /// The failures of the tasks that one piece of code makes.
  private struct Account {
    var made: UInt64 = 0
    /// Whether somebody has awaited one of them.
    var isAwaited = false
    var failed: UInt64 = 0
    var first: EventName?
    /// The loop that the first one was in.
    var loop: (stack: UInt32, rounds: UInt64) = (0, 0)
    var wentOn: UInt32 = 0
  }

  private let facts: FindingFacts
  /// The code that makes unstructured tasks, by template.
  private let stacks: [UInt32: UInt32]
  private var lives: WalkTable<UInt64, Life>
  /// The task that ended last on each thread: the record of its failure follows.
  private var ended: [UInt32: (task: UInt64, life: Life)] = [:]
  /// The tasks of whose failure nobody has learned yet.
  private var unread: WalkTable<UInt64, UInt32>
  /// By the stack of the code that makes them.
  private var accounts: WalkTable<UInt32, Account>

  let kinds = TaskRuns.kinds.union([.taskCancelled, .taskFailed, .taskFailureRead])
  let followsRuns = true

  init?(_ facts: FindingFacts) {
    stacks = facts.stacks(thatMakeTasks: .task)
    guard facts.mayHave(.taskFailed), facts.tasks != nil, !stacks.isEmpty else { return nil }
    self.facts = facts
    lives = WalkTable(facts.walk, bytes: 48, of: .work)
    unread = WalkTable(facts.walk, bytes: 40, of: .work)
    accounts = WalkTable(facts.walk, bytes: 72, of: .work)
  }

  mutating func note(_ event: FindingEvent) {
    let task = event.subscription
    switch (event.kind, event.payload) {
    case (.taskCreated, .made):
      guard let stack = stacks[TaskCreationPayload(word: event.word).template] else { return }
      lives.set(Life(stack: stack), for: task)
      _ = accounts.change(stack, orFirst: Account()) { $0.made += 1 }
    case (.taskCancelled, _): lives.change(task) { $0.isExpected = true }
    case (.taskFailed, _): noteFailure(of: task, event.name)
    case (.taskFailureRead, _):
      if let stack = unread.removeValue(forKey: task) { noteAwait(of: stack) }
    default: noteEndOfRun(event)
    }
  }

  private mutating func noteEndOfRun(_ event: FindingEvent) {
    guard case .ended(let run, let end) = facts.runs.change else { return }
    // Between the rounds it may move to its executor.
    let isMove = TaskAwait(rawValue: end.awaited) == .executor
    lives.change(run.task) {
      if isMove || end.stack == 0 { return }
      if $0.loop.stack == end.stack {
        $0.loop.rounds += 1
      } else {
        $0.loop = (end.stack, 1)
      }
    }
    switch TaskAwait(rawValue: end.awaited) {
    case .nothing:
      lives.change(run.task) { $0.wentOn = run.given?.stack ?? 0 }
      ended[event.name.ring] = lives.removeValue(forKey: run.task).map { (run.task, $0) }
    case .task:
      lives.change(end.number) { $0.isExpected = true }
      if let stack = lives[end.number]?.stack { noteAwait(of: stack) }
    case .continuation, .group, .executor, .unknown, nil: return
    }
  }

  private mutating func noteAwait(of stack: UInt32) {
    accounts.change(stack) { $0.isAwaited = true }
  }

  private mutating func noteFailure(of task: UInt64, _ event: EventName) {
    guard let last = ended[event.ring], last.task == task, !last.life.isExpected,
      unread.set(last.life.stack, for: task)
    else { return }
    accounts.change(last.life.stack) {
      $0.failed += 1
      if $0.first == nil {
        ($0.first, $0.loop, $0.wentOn) = (event, last.life.loop, last.life.wentOn)
      }
    }
  }

  mutating func findings() -> [Finding] {
    accounts.entries.sorted { $0.key < $1.key }.compactMap { finding($0.value, of: $0.key) }
  }

  /// Where somebody awaits some of the tasks that are made at one place, the others' errors may be left
  /// on purpose: those of a loop that ends with the first error.
  private func finding(_ account: Account, of stack: UInt32) -> Finding? {
    guard !account.isAwaited, let event = account.first,
      let payload = facts.lookup[event]?.payload
    else { return nil }
    let error = payload.text
    guard error != ThrownErrors.cancellation else { return nil }
    let all = account.made == 1
    guard !all || account.loop.rounds < Self.fewestRounds else {
      return finding(left: account, of: stack, error, event)
    }
    let subject: FindingSentence =
      all
      ? "the task made here"
      : "\(account.failed.description) of \(account.made, "task", "tasks") made here"
    var finding = Finding(
      .failure, weight: 79, place: .stack(stack),
      subject
        + " failed with \(error)\(thrown(event)), and nobody awaits \(all ? "it" : "them"): the error is lost",
      evidence: [event], question: .tasks)
    finding.count = account.failed
    return finding
  }

  /// Tells where the error of a task that has failed was thrown, if that is known.
  private func thrown(_ failure: EventName) -> FindingSentence {
    guard let task = facts.lookup[failure]?.subscription, let stack = facts.thrown.failures[task]
    else { return "" }
    return ", thrown at \(place: .stack(stack)),"
  }

  /// So many suspensions in a row at one place are a loop.
  private static let fewestRounds: UInt64 = 3

  /// What a loop did last is likelier to have failed than what made the task.
  private func finding(
    left account: Account, of stack: UInt32, _ error: String, _ event: EventName
  ) -> Finding {
    Finding(
      .failure, weight: 79,
      place: .goingOn(account.wentOn != 0 ? account.wentOn : account.loop.stack),
      "the task that was made at \(place: .stack(stack)) failed with \(error)\(thrown(event)) when it went on here, after "
        + "\(account.loop.rounds, "round", "rounds"); nobody awaits it: the error is lost, and the loop is over",
      evidence: [event], question: .tasks)
  }
}
