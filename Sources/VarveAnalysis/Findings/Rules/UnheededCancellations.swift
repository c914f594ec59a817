internal import VarveFormat
internal import VarveProbe

/// Finds tasks that go on after they were cancelled.
struct UnheededCancellations: FindingRule {
  /// A task that has not ended.
  private struct Life {
    /// What it has in common with others: its name, too.
    var template: UInt32
    /// Where it is suspended; 0 if it is not, or that is unknown.
    var stack: UInt32 = 0
  }

  /// A task that was cancelled.
  private struct Cancelled {
    var moment: EventMoment
    var template: UInt32
    /// Where it was suspended then; 0 if it was not, or that is unknown.
    var stack: UInt32
    /// Where it has been suspended most since, by the vote of Boyer and Moore, and the last suspension.
    var most: UInt32
    var votes: UInt64 = 0
    var end: EventName?
    /// How many times it has run since.
    var runs: UInt64 = 0
    /// How many errors it has thrown since, and whether its wait ended at once.
    var errors: UInt64 = 0
    var isWoken = false
  }

  /// What is told of tasks that were suspended at the same place.
  private struct Account {
    var task: UInt64
    var cancelled: Cancelled
    var nanoseconds: UInt64
    var isRestless: Bool
    var count: UInt64 = 1
  }

  /// A run of a cancelled task that went on for long.
  private struct Computing {
    var run: TaskRuns.Run
    var cancelled: Cancelled
    var nanoseconds: UInt64
    var count: UInt64 = 1
  }

  private let facts: FindingFacts
  /// Those that were not cancelled.
  private var lives: WalkTable<UInt64, Life>
  private var cancelled: WalkTable<UInt64, Cancelled>
  private var accounts: [UInt32: Account] = [:]
  /// The longest runs of cancelled tasks, by where the work was, and how long those that have ended went on.
  private var computing: [UInt32: Computing] = [:]
  private var ended: [UInt64: UInt64] = [:]
  private var catches = CatchSites()
  /// The number of tasks.
  private var made: UInt64 = 1

  let kinds = TaskRuns.kinds.union([.taskCancelled, .errorThrown])
  let followsRuns = true

  /// How long a task may go on after it was cancelled, in nanoseconds, and how many times it may run. One
  /// that ends all the same is given more runs, for what it has to put in order.
  private static let longestEnding: UInt64 = 1_000_000_000
  private static let mostRuns: UInt64 = 8
  private static let longestEnded: UInt64 = 200_000_000
  private static let mostRunsEnded: UInt64 = 32
  /// A task that runs so often after it was cancelled, and on average so quickly again, in nanoseconds,
  /// does nothing else.
  private static let fewestRestless: UInt64 = 1_000
  private static let restless: UInt64 = 1_000_000
  /// So often one that is never suspended must have been told of it. A sleep throws twice.
  private static let fewestTold: UInt64 = 250
  private static let fewestToldForLong: UInt64 = 40
  /// Errors are counted by where they are thrown: among all tasks, there must be so many for each.
  private static let fewestForEach: UInt64 = 30
  private static let mostPlaces = 256
  /// So soon after it was cancelled a task goes on whose wait is ended by that, in nanoseconds.
  private static let atOnce: UInt64 = 1_000_000

  init?(_ facts: FindingFacts) {
    guard facts.tasks != nil, facts.mayHave(.taskCancelled) else { return nil }
    self.facts = facts
    lives = WalkTable(facts.walk, bytes: 48, of: .work)
    cancelled = WalkTable(facts.walk, bytes: 112, of: .work)
  }

  mutating func note(_ event: FindingEvent) {
    switch event.kind {
    case .taskCreated where event.payload == .made:
      made += 1
      let template = TaskCreationPayload(word: event.word).template
      lives.set(Life(template: template), for: event.subscription)
    case .taskCancelled:
      guard cancelled[event.subscription] == nil else { return }
      let life = lives.removeValue(forKey: event.subscription) ?? Life(template: 0)
      cancelled.set(
        Cancelled(
          moment: event.moment, template: life.template, stack: life.stack, most: life.stack),
        for: event.subscription)
    case .errorThrown: cancelled.change(event.subscription) { $0.errors += 1 }
    default: noteRun(event)
    }
  }

  private mutating func noteRun(_ event: FindingEvent) {
    switch facts.runs.change {
    case .began(let run):
      lives.change(run.task) { $0.stack = 0 }
      let time = facts.time
      cancelled.change(run.task) {
        $0.runs += 1
        guard $0.runs == 1, $0.stack != 0, let given = run.given else { return }
        let pause = time.duration(from: $0.moment.ticks, to: given.since.ticks)
        $0.isWoken = given.since.ticks >= $0.moment.ticks && pause <= Self.atOnce
      }
    case .ended(let run, let end) where end.awaited == TaskAwait.nothing.rawValue:
      noteEnd(of: run, at: event.ticks)
      lives.removeValue(forKey: run.task)
      guard let ended = cancelled.removeValue(forKey: run.task) else { return }
      noteEnd(of: run.task, ended, at: event.ticks, isAlive: false)
    case .ended(let run, let end):
      noteEnd(of: run, at: event.ticks)
      let name = event.name
      lives.change(run.task) { $0.stack = end.stack }
      cancelled.change(run.task) {
        if $0.votes == 0 { $0.most = end.stack }
        if $0.most == end.stack { $0.votes += 1 } else { $0.votes -= 1 }
        $0.end = name
      }
    case .scheduled, nil: return
    }
  }

  /// Notes a run that has ended, or goes on, if its task had been cancelled for long.
  private mutating func noteEnd(of run: TaskRuns.Run, at ticks: UInt64) {
    guard let cancelled = cancelled[run.task] else { return }
    let since = max(cancelled.moment.ticks, run.began.ticks)
    let lasted = facts.time.duration(from: since, to: ticks)
    let place = run.given?.stack ?? 0
    guard lasted >= Self.longestEnding,
      computing[place] != nil || computing.count < Self.mostPlaces
    else { return }
    let count = (computing[place]?.count ?? 0) + 1
    if lasted > computing[place]?.nanoseconds ?? 0 {
      computing[place] = Computing(run: run, cancelled: cancelled, nanoseconds: lasted)
    }
    computing[place]?.count = count
  }

  /// Returns whether a task has learned that it was cancelled, and does something else since: its wait ended at
  /// once, or threw, and it has not come back to that. One that throws errors as often as it runs drops them.
  private func hasHeard(_ cancelled: Cancelled) -> Bool {
    if cancelled.errors > 0 { return cancelled.errors * 3 < cancelled.runs }
    return cancelled.isWoken && cancelled.most != cancelled.stack
  }

  /// Returns whether a task has waited where it did when it was cancelled, three times of four or more: it
  /// goes on as before, and puts nothing in order.
  private func isSteady(_ cancelled: Cancelled) -> Bool {
    cancelled.stack != 0 && cancelled.stack == cancelled.most
      && cancelled.votes * 2 >= cancelled.runs
  }

  private mutating func noteEnd(
    of task: UInt64, _ cancelled: Cancelled, at ticks: UInt64, isAlive: Bool
  ) {
    let lasted = facts.time.duration(from: cancelled.moment.ticks, to: ticks)
    let isRestless =
      cancelled.runs >= Self.fewestRestless && lasted / cancelled.runs <= Self.restless
    let isLong =
      (isAlive || isSteady(cancelled)) && lasted >= Self.longestEnding
      && cancelled.runs >= Self.mostRuns
    let isLate =
      !isAlive && lasted >= Self.longestEnded && cancelled.runs >= Self.mostRunsEnded
    if !isAlive, lasted >= Self.longestEnding, ended.count < Self.mostPlaces {
      ended[task] = lasted
    }
    guard isRestless || (isLong || isLate) && !hasHeard(cancelled) else { return }
    let place = isRestless && cancelled.stack != 0 ? cancelled.stack : cancelled.most
    guard var known = accounts[place] else {
      guard accounts.count < Self.mostPlaces else { return }
      accounts[place] = Account(
        task: task, cancelled: cancelled, nanoseconds: lasted, isRestless: isRestless)
      return
    }
    known.count += 1
    if lasted > known.nanoseconds {
      (known.task, known.cancelled) = (task, cancelled)
      (known.nanoseconds, known.isRestless) = (lasted, isRestless)
    }
    accounts[place] = known
  }

  mutating func findings() -> [Finding] {
    let moment = facts.tasks?.moment ?? 0
    for (task, left) in cancelled.entries.sorted(by: { $0.key < $1.key }) {
      noteEnd(of: task, left, at: moment, isAlive: true)
    }
    for run in facts.runs.running.values { noteEnd(of: run, at: moment) }
    let ordered = accounts.sorted { $0.key < $1.key }
    let told = Set(accounts.values.map(\.task))
    let spinning = spinning(except: told)
    let busy = computing.values.filter { computing in
      !told.contains(computing.run.task)
        && !spinning.contains { $0.task == computing.run.task }
    }
    return ordered.map { finding($1, at: $0) } + spinning.map(\.finding)
      + busy.sorted { $0.run.began.name < $1.run.began.name }.map(finding)
  }

  /// Returns a finding for runs that went on.
  private func finding(_ computing: Computing) -> Finding {
    let (run, cancelled) = (computing.run, computing.cancelled)
    let title = facts.title(ofTask: run.task, template: cancelled.template)
    let begins = run.given.flatMap { $0.stack == 0 ? nil : $0 }
    let stacks = facts.samples[run.hop]?.stacks
    let loop = stacks?.last.flatMap { facts.names.headOfLoop(in: $0) }
    let sample = loop.map { FindingPlace.line($0) } ?? stacks.map { .common($0) }
    let others: FindingSentence =
      computing.count == 1
      ? "" : "; so it was with \(computing.count - 1, "other run", "other runs")"
    var finding = Finding(
      .stuck, weight: 70,
      place: sample ?? begins.map { $0.isFirst ? .stack($0.stack) : .goingOn($0.stack) },
      "\(title) was cancelled, and has run on for \(nanoseconds: computing.nanoseconds) since, without a "
        + "suspension: it does not ask whether it was cancelled" + others,
      evidence: [cancelled.moment.name, run.began.name], question: .tasks)
    finding.count = computing.count
    finding.nanoseconds = computing.nanoseconds
    return finding
  }

  /// Returns how long a task has gone on since it was cancelled, or nil if it was not, or not for long.
  private func time(sinceCancelling task: UInt64) -> UInt64? {
    if let time = ended[task] { return time }
    guard let moment = cancelled[task]?.moment.ticks else { return nil }
    let time = facts.time.duration(from: moment, to: facts.tasks?.moment ?? moment)
    return time >= Self.longestEnding ? time : nil
  }

  /// Returns a finding for each cancelled task that spins without being suspended: no run of it ends, but
  /// each wait of it throws the same error again, which the code drops.
  private mutating func spinning(
    except told: Set<UInt64>
  ) -> [(task: UInt64, finding: Finding)] {
    guard facts.mayHave(.errorThrown) else { return [] }
    let sites = facts.thrown.sites.filter {
      let fewest =
        time(sinceCancelling: $0.task) == nil ? Self.fewestTold : Self.fewestToldForLong
      return $0.error == ThrownErrors.cancellation && $0.count >= fewest && $0.task != 0
        && $0.count / made >= Self.fewestForEach && !told.contains($0.task)
    }
    // A sleep throws at two places of its own.
    var seen: Set<Place> = []
    return sites.compactMap { error in
      let own = facts.names.frames(of: error.stack).filter { !$0.isMachinery && $0.line > 0 }
      guard let site = catches.site(of: error.error, in: own), site.isOptional,
        seen.insert(site.place).inserted
      else { return nil }
      let title = facts.title(
        ofTask: error.task, template: cancelled[error.task]?.template ?? 0)
      var finding = Finding(
        .stuck, weight: 84, place: .line(site.place),
        "\(title) was cancelled, and has been told so \(error.count, "time", "times") since: the wait here "
          + "ends at once, the error that says why is dropped, and the task goes on",
        evidence: [error.first], question: .tasks)
      finding.count = error.count
      return (error.task, finding)
    }
  }

  private mutating func finding(_ account: Account, at place: UInt32) -> Finding {
    let cancelled = account.cancelled
    let title = facts.title(ofTask: account.task, template: cancelled.template)
    let others: FindingSentence =
      account.count == 1 ? "" : "; so it was with \(account.count - 1, "other task", "other tasks")"
    let runs = "\(cancelled.runs, "time", "times")" as FindingSentence
    let hiding = account.isRestless ? hiding(in: account.task) : nil
    let (waiting, wait): (FindingSentence, FindingSentence) =
      hiding == nil ? (" while it waited here", "the wait") : ("", "the wait here")
    let sentence: FindingSentence =
      account.isRestless
      ? "\(title) was cancelled" + waiting + ", and has run \(runs) in the "
        + "\(nanoseconds: account.nanoseconds) since: " + wait
        + " ends at once, and the task goes on"
      : "\(title) was cancelled, and has run \(runs) in the \(nanoseconds: account.nanoseconds) "
        + "since: it does not ask whether it was cancelled"
    // What waits no more once its task was cancelled, such as a sleep, lets a loop spin.
    var finding = Finding(
      .stuck, weight: account.isRestless ? 84 : 72,
      place: hiding.map { .line($0) }
        ?? (account.isRestless && place != 0 ? .stack(place) : asking(at: place)),
      sentence + others,
      evidence: [cancelled.moment.name] + (cancelled.end.map { [$0] } ?? []), question: .tasks)
    finding.count = account.count
    finding.nanoseconds = account.nanoseconds
    return finding
  }

  /// Returns the line in which code drops the error by which a task learns that it was cancelled (`try?`),
  /// where the source is there; the one that has dropped most of them.
  private mutating func hiding(in task: UInt64) -> Place? {
    let names = facts.names
    let errors = facts.thrown.sites.filter {
      $0.error == ThrownErrors.cancellation && $0.task == task
    }
    for error in errors.sorted(by: { $1.count < $0.count }) {
      let own = names.frames(of: error.stack).filter { !$0.isMachinery && $0.line > 0 }
      if let site = catches.site(of: error.error, in: own), site.isOptional { return site.place }
    }
    return nil
  }

  /// Returns where code that waits over and over should ask whether its task was cancelled: at the head of
  /// its loop, where the source shows that it waits for nothing that fails with the task; else where it
  /// waits. Nil if that is not known.
  private func asking(at stack: UInt32) -> FindingPlace? {
    stack == 0 ? nil : head(ofLoopAt: stack).map { .line($0) } ?? .waiter(stack)
  }

  /// Returns the head of the loop in which the program's code waits, where its source is there.
  private func head(ofLoopAt stack: UInt32) -> Place? {
    guard let own = facts.names.own(of: stack), let file = own.file, own.line > 0 else {
      return nil
    }
    var sources = SourceLines()
    guard let source = sources.source(at: own), !source.contains("try", from: Int(own.line)),
      let head = source.headOfLoop
    else {
      return nil
    }
    return Place(path: file, line: UInt32(head))
  }
}
