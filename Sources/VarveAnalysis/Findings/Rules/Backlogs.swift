internal import VarveFormat
internal import VarveProbe

/// Finds work that waits long behind other work, because more of it comes than is done.
struct Backlogs: FindingRule {
  private let facts: FindingFacts
  private let accounts: [SchedulerAccount]
  /// The schedulers that have a backlog.
  private let schedulers: Set<UInt32>
  /// By the templates of tasks, how those waited that waited long, for each scheduler.
  private var delays: [UInt32: [UInt32: Delays]] = [:]
  private var templates: WalkTable<UInt64, UInt32>

  /// The runs of tasks that one piece of code makes, and that waited long.
  private struct Delays {
    var count: UInt64 = 0
    /// When the first and the last of them were given to the scheduler.
    var first: UInt64
    var last: UInt64
  }

  /// Work makes a backlog when it waited at least this long behind other work, in nanoseconds …
  private static let longestBehind: UInt64 = 100_000_000
  /// … and at least this many times as long as the longest piece of work ran.
  private static let behindFactor: UInt64 = 4
  /// The maximum number of events between the beginning of the work and its first delivery.
  private static let mostSteps = 4

  init?(_ facts: FindingFacts) {
    self.facts = facts
    accounts = facts.history.hops.schedulers.filter {
      $0.behind.longest >= Self.longestBehind
        && $0.behind.longest >= $0.run.longest * Self.behindFactor
    }.sorted { $0.behind.longest > $1.behind.longest }
    if accounts.isEmpty { return nil }
    schedulers = Set(accounts.map(\.id))
    templates = WalkTable(facts.walk, bytes: 40, of: .work)
  }

  var kinds: Set<RecordKind> { facts.tasks == nil ? [] : TaskRuns.kinds }
  var followsRuns: Bool { facts.tasks != nil }

  mutating func note(_ event: FindingEvent) {
    if event.kind == .taskCreated, event.payload == .made {
      templates.set(TaskCreationPayload(word: event.word).template, for: event.subscription)
    }
    guard case .began(let run) = facts.runs.change, schedulers.contains(run.scheduler),
      let template = templates[run.task], let given = run.given?.since.ticks,
      facts.time.duration(from: given, to: run.began.ticks) * 2 >= Self.longestBehind
    else { return }
    var known = delays[run.scheduler]?[template] ?? Delays(first: given, last: given)
    known.count += 1
    known.first = min(known.first, given)
    known.last = max(known.last, given)
    delays[run.scheduler, default: [:]][template] = known
  }

  mutating func findings() -> [Finding] { accounts.compactMap(finding) }

  /// Returns the code that makes most of the tasks that waited long for a scheduler, if there is such.
  private func maker(_ scheduler: UInt32) -> (template: TaskTemplateDefinition, delays: Delays)? {
    guard let delays = delays[scheduler],
      let most = delays.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) }),
      most.value.count > 1, most.value.count * 2 > delays.values.reduce(0, { $0 + $1.count }),
      let template = facts.definitions.taskTemplates[most.key]
    else { return nil }
    return (template, most.value)
  }

  /// Children that a group, or a scope, makes in one go are a list of jobs, and end with it.
  private func isListOfJobs(_ maker: (template: TaskTemplateDefinition, delays: Delays)) -> Bool {
    let making = TaskMaking(rawValue: maker.template.making)
    return (making == .groupChild || making == .asyncLet)
      && facts.time.duration(from: maker.delays.first, to: maker.delays.last)
        < Self.longestBehind / 2
  }

  private func finding(_ account: SchedulerAccount) -> Finding? {
    let maker = maker(account.id)
    if let maker, isListOfJobs(maker) { return nil }
    // Nothing that is outside of all tasks holds back who makes them.
    let made = maker.flatMap { maker in
      TaskMaking(rawValue: maker.template.making) == .task && maker.template.stack != 0
        ? maker.template.stack : nil
    }
    let delayed = account.mostDelayed.first?.event.name
    let queuing = delayed.flatMap(queuingStream)
    let stack = delayed.flatMap(stack)
    let depth = UInt64(account.deepest?.depth ?? 0)
    let waits: FindingSentence = """
      up to \(depth, "piece", "pieces") at a time waited, up to \
      \(nanoseconds: account.behind.longest)
      """
    var sentence: FindingSentence =
      "work for \(scheduler: account.id) comes faster than it is done: \(waits)"
    if let queuing {
      sentence = """
        \(stream: queuing) queues values for \(scheduler: account.id) faster than they are worked \
        off: \(rate(of: queuing))each takes \(nanoseconds: account.run.quantile(0.5)); \(waits)
        """
    }
    let slow = account.slowest.first.flatMap {
      LongestStep(ofWorkBegunBy: $0.event.name, in: facts.lookup, facts.places)
    }
    if let slow { sentence = sentence + step(slow) }
    let wasted = queuing == nil ? nil : slow.flatMap(wasted)
    if let wasted {
      sentence = sentence + "; \(stream: wasted.dropping) then drops most of what this made"
    }
    if made != nil {
      sentence = sentence + "; most of it is of tasks that are made here, one after the other"
    }
    let place = (wasted?.working ?? queuing).map { FindingPlace.stream($0) }
    var finding = Finding(
      .backlog, weight: 75, place: place ?? (made ?? stack).map { .stack($0) }, sentence,
      stream: queuing,
      evidence: [delayed, account.slowest.first?.event.name].compactMap { $0 },
      question: .latency)
    finding.scheduler = account.id
    finding.count = depth
    finding.nanoseconds = account.behind.longest
    return finding
  }

  /// The maximum number of operators between one that takes long and one that drops its values.
  private static let mostBetween = 8

  /// Returns the operator that took longest, and one below it that drops most of its values because they
  /// come too quickly: it stands behind the work that it could spare.
  private func wasted(_ step: LongestStep) -> (working: UInt32, dropping: UInt32)? {
    let working = (step.placed ?? step.after).stream
    guard !step.after.isHop, let made = facts.history.stream(working)?.values else { return nil }
    var stream = working
    for _ in 0..<Self.mostBetween {
      let next = facts.links.made(from: stream).first {
        facts.history.subscriptions.pair(StreamEdge(from: stream, to: $0)) != nil
      }
      guard let next else { return nil }
      if facts.is(next, [.hops, .holds, .replaces]) {
        let kept = facts.history.stream(next)?.values ?? 0
        return kept * 2 <= made ? (working, next) : nil
      }
      stream = next
    }
    return nil
  }

  /// Returns what the longest piece of work spent its time on: "; the longest one took 36.3 ms to
  /// deliver preview (Preview.swift:49)".
  private func step(_ step: LongestStep) -> FindingSentence {
    let time = facts.time.duration(from: step.before.ticks, to: step.after.ticks)
    guard !step.after.isHop else {
      return "; the longest one spent \(nanoseconds: time) after #\(step.before.name.description)"
    }
    let shown = (step.placed ?? step.after).stream
    return """
      ; the longest one spent \(nanoseconds: time) before it delivered \(stream: shown) \
      (\(place: .stream(shown)))
      """
  }

  /// Returns the operator that delivers a value as the work that an event began.
  private func queuingStream(_ began: EventName) -> UInt32? {
    guard var event = facts.lookup[began] else { return nil }
    for _ in 0..<Self.mostSteps {
      guard let next = facts.lookup.next(after: event)?.brief else { return nil }
      event = next
      guard !event.isHop else { return nil }
      if event.causes.contains(began), facts.is(event.stream, .hops) { return event.stream }
    }
    return nil
  }

  /// Returns the stack of the code that scheduled the work that an event began.
  private func stack(_ began: EventName) -> UInt32? {
    guard let cause = facts.lookup[began]?.causes.first, let scheduled = facts.lookup[cause],
      scheduled.kind == .hopScheduled, scheduled.payload.kind == .cause
    else { return nil }
    let stack = HopPayload(word: scheduled.payload.word).stack
    return stack == 0 ? nil : stack
  }

  /// Returns how often a value comes in: "one comes in every 3.00 ms, ".
  private func rate(of stream: UInt32) -> FindingSentence {
    guard let input = facts.definitions.streams[stream]?.parents.first,
      let account = facts.history.stream(input), account.values > 1,
      let first = account.firstValue, let last = account.lastValue
    else { return "" }
    let every = facts.time.duration(from: first.ticks, to: last.ticks) / (account.values - 1)
    return "one comes every \(nanoseconds: every), "
  }
}
