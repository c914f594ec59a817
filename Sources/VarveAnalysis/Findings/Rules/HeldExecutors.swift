internal import VarveFormat
internal import VarveProbe

/// Finds executors that tasks hold for long, while others wait for them: the main actor, blocked by
/// synchronous work, and those on which a task that could go on waits for long.
struct HeldExecutors: FindingRule {
  /// Long runs on the main actor that began with the same code.
  private struct Account {
    var count: UInt64 = 0
    var longest: UInt64 = 0
    var evidence: EventName
    var hop: UInt64
    /// Whether they were the first runs of their tasks.
    var isFirst = false
    /// The most runs that waited for one of them to end.
    var waited = 0
  }

  /// A long wait, and the runs that lasted for most of it.
  private struct Wait {
    var began: EventName
    var nanoseconds: UInt64
    var holders: [TaskRuns.Run]
    /// Whether they have a low priority, and the one that waited a high one.
    var isInverted: Bool
  }

  private let facts: FindingFacts
  private let main: Set<UInt32>
  /// The executors that are not the program's own.
  private let shared: Set<UInt32>
  /// By the stack of the code that went on.
  private var accounts: [UInt32: Account] = [:]
  /// The longest wait for each executor.
  private var waits: [UInt32: Wait] = [:]
  /// The runs that ended last on each executor, and when.
  private var ended: [UInt32: [(run: TaskRuns.Run, ticks: UInt64)]] = [:]
  /// How many runs an executor has, and how many it had at most.
  private var now: [UInt32: (count: Int, most: Int)] = [:]

  let kinds = TaskRuns.kinds
  let followsRuns = true

  /// A run on the main actor is long from here on, in nanoseconds. One of them is enough if it is very
  /// long; otherwise there have to be several.
  private static let long: UInt64 = 50_000_000
  private static let veryLong: UInt64 = 500_000_000
  private static let several: UInt64 = 3
  /// A wait for another executor is long from here on.
  private static let longWait: UInt64 = 250_000_000
  /// How long a run holds its executor in a program that hangs.
  private static let endless: UInt64 = 1_000_000_000
  /// How soon after a run that had entered an actor another one begins there, in nanoseconds.
  private static let handover: UInt64 = 2_000_000
  private static let (high, low): (UInt8, UInt8) = (25, 17)
  /// The maximum numbers of places, and of runs that are remembered for each executor.
  private static let mostPlaces = 1_024
  private static let mostEnded = 8
  private static let mostNamed = 3

  init?(_ facts: FindingFacts) {
    guard facts.tasks != nil else { return nil }
    self.facts = facts
    main = Set(
      facts.definitions.schedulers.values.lazy.filter { $0.name == "main actor" }.map(\.id))
    shared = main.union(
      facts.definitions.schedulers.values.lazy.filter { $0.name == "global executor" }.map(\.id))
  }

  mutating func note(_ event: FindingEvent) {
    switch facts.runs.change {
    case .began(let run):
      var count = now[run.scheduler] ?? (0, 0)
      count.count += 1
      count.most = max(count.most, count.count)
      now[run.scheduler] = count
      noteWait(of: run)
    case .ended(let run, _):
      now[run.scheduler]?.count -= 1
      ended[run.scheduler, default: []].append((run, event.ticks))
      if ended[run.scheduler, default: []].count > Self.mostEnded {
        ended[run.scheduler]?.removeFirst()
      }
      if main.contains(run.scheduler) { noteEnd(of: run, event.ticks) }
    case .scheduled, nil: return
    }
  }

  /// Of runs that wait for the main actor, notes that another one has held it for long.
  private mutating func noteEnd(of run: TaskRuns.Run, _ ticks: UInt64) {
    let lasted = facts.time.duration(from: run.began.ticks, to: ticks)
    guard lasted >= Self.long, let stack = run.given?.stack, stack != 0 else { return }
    // Those that came at the end have not waited.
    let waited = facts.runs.waiting.values.count {
      $0.scheduler == run.scheduler
        && facts.time.duration(from: max($0.since.ticks, run.began.ticks), to: ticks) * 2 >= lasted
    }
    guard waited > 0, accounts[stack] != nil || accounts.count < Self.mostPlaces else { return }
    var account =
      accounts[stack]
      ?? Account(
        evidence: run.began.name, hop: run.hop, isFirst: run.given?.isFirst ?? false)
    account.count += 1
    account.waited = max(account.waited, waited)
    if lasted > account.longest {
      account.longest = lasted
      account.evidence = run.began.name
      account.hop = run.hop
    }
    accounts[stack] = account
  }

  /// Notes a run that waited for its executor for long, with those that ran there meanwhile.
  private mutating func noteWait(of run: TaskRuns.Run) {
    guard let since = run.given?.since.ticks, !main.contains(run.scheduler) else { return }
    let wait = facts.time.duration(from: since, to: run.began.ticks)
    guard wait >= max(Self.longWait, waits[run.scheduler]?.nanoseconds ?? 0) else { return }
    let others = facts.runs.running.values.filter { $0.began.name != run.began.name }.map {
      (run: $0, ticks: run.began.ticks)
    }
    let holders = (others + (ended[run.scheduler] ?? [])).filter { other in
      let first = max(other.run.began.ticks, since)
      return other.run.scheduler == run.scheduler && first < other.ticks
        && facts.time.duration(from: first, to: other.ticks) * 2 >= wait
    }
    // An executor that had room for more was not held: the machine was busy.
    guard holders.isEmpty || holders.count >= now[run.scheduler]?.most ?? 1 else { return }
    let all = holders.isEmpty ? occupant(before: run, since: since) : holders.map(\.run)
    guard !all.isEmpty else { return }
    waits[run.scheduler] = Wait(
      began: run.began.name, nanoseconds: wait, holders: all,
      isInverted: run.priority >= Self.high
        && all.allSatisfy { $0.priority > 0 && $0.priority <= Self.low })
  }

  /// Returns the run that had entered an actor which was free, so that it was not suspended and nothing was
  /// recorded: it lasted from before a wait for that actor until its end. Empty if there are several.
  private func occupant(before run: TaskRuns.Run, since: UInt64) -> [TaskRuns.Run] {
    guard isActor(run.scheduler) else { return [] }
    let occupants = ended.values.joined().filter { other in
      other.run.began.ticks <= since && other.run.scheduler != run.scheduler
        && other.ticks <= run.began.ticks
        && facts.time.duration(from: other.ticks, to: run.began.ticks) <= Self.handover
    }
    return occupants.count == 1 ? occupants.map(\.run) : []
  }

  mutating func findings() -> [Finding] {
    let blocked = accounts.filter {
      $0.value.count >= Self.several || $0.value.longest >= Self.veryLong
    }
    let worst = blocked.sorted { ($1.value.longest, $0.key) < ($0.value.longest, $1.key) }
    return worst.map { finding($1, at: $0) }
      + waits.sorted { $0.key < $1.key }.map { finding($1, for: $0) } + endless()
  }

  private func finding(_ account: Account, at stack: UInt32) -> Finding {
    let sample = facts.samples[account.hop]
    let subject: FindingSentence =
      sample.map { "what runs here holds the main actor, at \(place: .common($0.stacks)): " }
      ?? "the code that goes on here holds the main actor: "
    var finding = Finding(
      .backlog, weight: 80,
      place: sample?.place(scheduled: account.isFirst ? nil : stack)
        ?? (account.isFirst ? .stack(stack) : .goingOn(stack)),
      subject
        + "\(account.count, "run", "runs") took up to \(nanoseconds: account.longest) without a "
        + "suspension, while up to \(UInt64(account.waited), "other run", "other runs") waited",
      evidence: [account.evidence], question: .latency)
    finding.scheduler = main.first
    finding.nanoseconds = account.longest
    return finding
  }

  private func finding(_ wait: Wait, for scheduler: UInt32) -> Finding {
    let stack = wait.holders.lazy.compactMap { $0.given?.stack }.first { $0 != 0 }
    let sample = wait.holders.lazy.compactMap { placeOfSamples($0, on: scheduler) }.first
    var finding = Finding(
      .backlog, weight: 71, place: sample ?? stack.map { .stack($0) },
      "a task that could go on waited \(nanoseconds: wait.nanoseconds) for \(scheduler: scheduler), "
        + "which was held by \(names(wait.holders))" + (wait.isInverted ? ", of low priority" : ""),
      evidence: [wait.began] + wait.holders.prefix(Self.mostNamed).map(\.began.name),
      question: .latency)
    finding.scheduler = scheduler
    finding.nanoseconds = wait.nanoseconds
    return finding
  }

  private func placeOfSamples(_ run: TaskRuns.Run, on scheduler: UInt32) -> FindingPlace? {
    // The actor's own code holds it.
    if let stack = stack(of: run, in: scheduler) { return .of(scheduler, stack) }
    let goesOn = run.given.flatMap { $0.isFirst ? nil : $0.stack }
    return facts.samples[run.hop]?.place(scheduled: goesOn)
  }

  private func names(_ runs: [TaskRuns.Run]) -> String {
    let named = runs.prefix(Self.mostNamed).map {
      facts.title(ofTask: $0.task, template: $0.template)
    }
    let left = runs.count - named.count
    return named.joined(separator: ", ") + (left > 0 ? " and \(left) more" : "")
  }

  // MARK: - Programs that hang

  /// Returns a finding for each executor that tasks hold at the end, and for which others wait.
  private func endless() -> [Finding] {
    guard facts.reader.ending == .running || facts.reader.ending.isKill,
      let moment = facts.tasks?.moment
    else { return [] }
    func lasts(_ ticks: UInt64) -> UInt64 { facts.time.duration(from: ticks, to: moment) }
    var holding = Dictionary(grouping: facts.runs.running.values, by: \.scheduler)
    for (scheduler, occupant) in occupants(until: moment) where holding[scheduler] == nil {
      holding[scheduler] = [occupant]
    }
    return holding.sorted { $0.key < $1.key }.compactMap { scheduler, all in
      let holders = all.filter { lasts($0.began.ticks) >= Self.endless }
        .sorted { $0.began.ticks < $1.began.ticks }
      let waiting = facts.runs.waiting.values.filter {
        $0.scheduler == scheduler && lasts($0.since.ticks) >= Self.endless
      }
      guard let first = holders.first, let oldest = waiting.map(\.since.ticks).min(),
        holders.count >= now[scheduler]?.most ?? 1
      else { return nil }
      let sample = holders.lazy.compactMap { placeOfSamples($0, on: scheduler) }.first
      let last: FindingSentence =
        first.last == 0 || sample != nil
        ? ""
        : "; the last that is known of it is that it made a task (\(place: .stack(first.last)))"
      var finding = Finding(
        .hang, weight: 82, place: sample,
        "\(names(holders)) \(holders.count == 1 ? "holds" : "hold") \(scheduler: scheduler) and "
          + "\(holders.count == 1 ? "does" : "do") not return: "
          + "\(UInt64(waiting.count), "run has", "runs have") waited for it for up to "
          + "\(nanoseconds: lasts(oldest))\(last)",
        evidence: holders.prefix(Self.mostNamed).map(\.began.name), question: .tasks)
      finding.scheduler = scheduler
      return finding
    }
  }

  /// Returns the runs that are likely to have entered actors for which others wait at the end: the only one that
  /// has lasted for as long, or of several, the only one that was seen in the actor's code.
  private func occupants(until moment: UInt64) -> [UInt32: TaskRuns.Run] {
    let waits = Dictionary(grouping: facts.runs.waiting.values, by: \.scheduler)
    return waits.reduce(into: [:]) { found, waiting in
      guard isActor(waiting.key), let first = waiting.value.map(\.since.ticks).min()
      else { return }
      let long = facts.runs.running.values.filter {
        $0.began.ticks <= first && !main.contains($0.scheduler)
          && facts.time.duration(from: $0.began.ticks, to: moment) >= Self.endless
      }
      let seen = long.filter { stack(of: $0, in: waiting.key) != nil }
      found[waiting.key] = seen.count == 1 ? seen[0] : long.count == 1 ? long[0] : nil
    }
  }

  private func isActor(_ scheduler: UInt32) -> Bool {
    scheduler & SchedulerDefinition.executors != 0 && !shared.contains(scheduler)
  }

  /// Returns whether a function is one of a type, or is inside of one: `Store.put(_:)` is not of `Tore`.
  private static func isCode(_ function: String, of type: String) -> Bool {
    function.ranges(of: type + ".").contains { range in
      guard let before = function[..<range.lowerBound].last else { return true }
      return !before.isLetter && !before.isNumber && before != "_"
    }
  }

  /// Returns the first sample of a run in which it was in the code of an actor.
  private func stack(of run: TaskRuns.Run, in actor: UInt32) -> UInt32? {
    guard isActor(actor), let type = facts.definitions.schedulers[actor]?.name else {
      return nil
    }
    return facts.samples[run.hop]?.stacks.first { stack in
      facts.names.frames(of: stack).contains {
        $0.function.map { Self.isCode($0, of: type) } == true
      }
    }
  }
}
