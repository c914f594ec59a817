internal import VarveFormat
internal import VarveProbe

/// Finds tasks that are made at one place, that nobody awaits, and of which there are more and more.
struct GrowingTasks: FindingRule {
  /// What is known of the tasks that one piece of code makes.
  private struct Account {
    var made: UInt64 = 0
    var first: UInt64
    var last: UInt64
    /// Whether any of them was awaited.
    var isAwaited = false
  }

  /// A task that has not ended.
  private struct Life {
    var stack: UInt32
    var born: EventMoment
  }

  private let facts: FindingFacts
  /// The code that makes unstructured tasks, by template.
  private let stacks: [UInt32: UInt32]
  /// By the stack of the code that makes them.
  private var accounts: WalkTable<UInt32, Account>
  private var lives: WalkTable<UInt64, Life>
  /// The tasks that run, by hop.
  private var runs: WalkTable<UInt64, UInt64>

  let kinds: Set<RecordKind> = [.taskCreated, .hopBegan, .hopEnded]

  /// The fewest tasks that are many: fewer if none of those made has ended. The shortest time in which
  /// they are made, in nanoseconds.
  private static let fewest = 16
  private static let fewestOfAll = 10
  private static let shortestTime: UInt64 = 100_000_000
  /// Of the parts of that time, so many must have left tasks, and one of the first ones among them.
  private static let parts: UInt64 = 8
  private static let fewestParts = 6
  /// At least one of so many tasks that were made is left.
  private static let share: UInt64 = 4

  init?(_ facts: FindingFacts) {
    stacks = facts.stacks(thatMakeTasks: .task)
    guard facts.tasks != nil, !stacks.isEmpty else { return nil }
    self.facts = facts
    accounts = WalkTable(facts.walk, bytes: 64, of: .work)
    lives = WalkTable(facts.walk, bytes: 64, of: .work)
    runs = WalkTable(facts.walk, bytes: 48, of: .work)
  }

  mutating func note(_ event: FindingEvent) {
    switch (event.kind, event.payload) {
    case (.taskCreated, .made):
      let made = TaskCreationPayload(word: event.word)
      // What the runtime makes for itself, to wake those that sleep, has no creator.
      guard made.creator != 0, let stack = stacks[made.template] else { return }
      guard lives.set(Life(stack: stack, born: event.moment), for: event.subscription) else {
        return
      }
      let ticks = event.ticks
      _ = accounts.change(stack, orFirst: Account(first: ticks, last: ticks)) {
        $0.made += 1
        $0.last = max($0.last, ticks)
      }
    case (.hopBegan, .task):
      let task = TaskRunPayload(word: event.word).task
      if lives[task] != nil { runs.set(task, for: event.subscription) }
    case (.hopEnded, .awaited):
      let task = runs.removeValue(forKey: event.subscription)
      let end = TaskAwaitPayload(word: event.word)
      if end.awaited == TaskAwait.nothing.rawValue, let task { lives.removeValue(forKey: task) }
      if end.awaited == TaskAwait.task.rawValue, let awaited = lives[end.number] {
        accounts.change(awaited.stack) { $0.isAwaited = true }
      }
    default: return
    }
  }

  mutating func findings() -> [Finding] {
    guard lives.keys.count >= Self.fewestOfAll else { return [] }
    let (first, accounts) = merged()
    return Dictionary(grouping: lives.entries) { first[$0.value.stack] ?? $0.value.stack }
      .sorted { $0.key < $1.key }
      .compactMap { stack, left in
        accounts[stack].flatMap { finding(left.map { ($0.key, $0.value) }, of: stack, $0) }
      }
  }

  /// Returns the first of the stacks that have the same lines as each, and the accounts by these: a loop may
  /// make its first task by other instructions than the others.
  private func merged() -> (first: [UInt32: UInt32], accounts: [UInt32: Account]) {
    facts.names.lookUp(accounts.keys)
    var known: [[OwnFrame]: UInt32] = [:]
    var first: [UInt32: UInt32] = [:]
    var merged: [UInt32: Account] = [:]
    for (stack, account) in accounts.entries.sorted(by: { $0.key < $1.key }) {
      let lines = facts.symbols.ownLines(of: facts.definitions.stacks[stack]?.frames ?? [])
      let place = lines.isEmpty ? stack : known[lines] ?? stack
      if !lines.isEmpty { known[lines] = place }
      first[stack] = place
      guard let other = merged[place] else {
        merged[place] = account
        continue
      }
      merged[place] = Account(
        made: other.made + account.made, first: min(other.first, account.first),
        last: max(other.last, account.last), isAwaited: other.isAwaited || account.isAwaited)
    }
    return (first, merged)
  }

  private func finding(
    _ left: [(task: UInt64, life: Life)], of stack: UInt32, _ account: Account
  ) -> Finding? {
    guard !account.isAwaited else { return nil }
    let fewest = UInt64(left.count) == account.made ? Self.fewestOfAll : Self.fewest
    guard left.count >= fewest, UInt64(left.count) * Self.share >= account.made else {
      return nil
    }
    let time = facts.time.duration(from: account.first, to: account.last)
    guard time >= Self.shortestTime else { return nil }
    let span = account.last - account.first
    let parts = Set(
      left.map { min(($0.life.born.ticks - account.first) * 8 / span, Self.parts - 1) })
    guard parts.count >= Self.fewestParts, parts.contains(0) || parts.contains(1) else {
      return nil
    }
    let ordered = left.map(\.life.born).sorted { ($0.ticks, $0.name) < ($1.ticks, $1.name) }
    let hold = left.max { $0.task < $1.task }.flatMap { ownerHeld(by: $0.task, madeAt: stack) }
    let made: FindingSentence = hold == nil ? "here" : "at \(place: .stack(stack))"
    let kept: FindingSentence =
      hold.map { ": each keeps \($0.name), which it was to hold weakly, from this line on" } ?? ""
    let place: FindingPlace = hold.map { .line($0.place) } ?? .stack(stack)
    var finding = Finding(
      .leak, weight: 74, place: place,
      "\(UInt64(left.count), "task", "tasks") of \(account.made.description) made " + made
        + " over \(nanoseconds: time) have not ended, and nobody awaits any of them: more and more are "
        + "alive at once" + kept,
      evidence: [
        ordered[0].name, ordered[ordered.count / 2].name, ordered[ordered.count - 1].name,
      ],
      question: .tasks)
    finding.count = UInt64(left.count)
    return finding
  }

  /// Returns the line in which a task takes hold of what would end it, and which it was to hold weakly.
  private func ownerHeld(by task: UInt64, madeAt stack: UInt32) -> (name: String, place: Place)? {
    let names = facts.names
    guard let maker = names.own(of: stack), let wait = facts.tasks?.stacks[task] else { return nil }
    var owners = WeakOwners()
    return owners.hold(takenBy: maker, waitingIn: names.frames(of: wait))
  }
}
