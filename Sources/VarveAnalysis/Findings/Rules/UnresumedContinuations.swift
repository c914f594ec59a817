internal import VarveFormat
internal import VarveProbe

/// Finds continuations that nobody resumes, in a program that hangs and for whose tasks others wait.
struct UnresumedContinuations: FindingRule {
  /// What a waiting task did in its last run.
  private struct Run {
    /// The work that it scheduled last, which may have got the continuation.
    var gave: (hop: UInt64, scheduler: UInt32)?
    var hasItEnded = false
  }

  private let facts: FindingFacts
  private let recorded: TraceTasks
  /// The tasks that wait for a continuation, by the stack of the code that waits.
  private let waiting: [UInt32: [TaskState]]
  /// The tasks that wait for these, directly or through others.
  private let waiters: [UInt64: Int]
  /// How many times they have waited there.
  private var waits: [UInt64: Int] = [:]
  /// The running tasks, by hop, and the last runs of those that wait, by task.
  private var running: [UInt64: UInt64] = [:]
  private var runs: [UInt64: Run] = [:]
  private var onRing: [UInt32: UInt64] = [:]
  private var givenBy: [UInt64: UInt64] = [:]
  private var releases: SkippedReleases

  let kinds: Set<RecordKind> = [.hopScheduled, .hopBegan, .hopEnded]

  /// How long nothing happens in a program that hangs, in nanoseconds.
  private static let shortestSilence: UInt64 = 1_000_000_000
  /// The maximum number of tasks that are looked at.
  private static let mostTasks = 1_000
  private static let mostNamed = 3

  init?(_ facts: FindingFacts) {
    guard facts.reader.ending == .running || facts.reader.ending.isKill, let recorded = facts.tasks
    else { return nil }
    let last = facts.reader.blocks.map(\.ticks.upperBound).max() ?? 0
    guard facts.time.duration(from: last, to: recorded.moment) >= Self.shortestSilence else {
      return nil
    }
    self.facts = facts
    self.recorded = recorded
    waiters = TaskWaits(recorded.tasks).knots.reduce(into: [:]) {
      if case .end(let id, let waiting) = $1 { $0[id] = waiting.count }
    }
    let symbols = Symbolizer(facts.definitions)
    releases = SkippedReleases(facts.thrown, facts.definitions, symbols)
    let found = recorded.tasks.filter {
      $0.phase == .suspended && $0.awaiting == .continuation && recorded.stacks[$0.id] != nil
        && !Self.isOfRuntime($0, facts.definitions, symbols)
    }
    waiting = Dictionary(grouping: found.prefix(Self.mostTasks)) { recorded.stacks[$0.id] ?? 0 }
    if !found.contains(where: { waiters[$0.id] != nil }) { return nil }
    for task in waiting.values.joined() { waits[task.id] = 0 }
  }

  /// Returns whether the runtime itself made the continuation: for a sleep, for example, or for the
  /// next element of an `AsyncStream`. If the program made it, nothing of the runtime but the function
  /// that gives it the continuation lies between.
  private static func isOfRuntime(
    _ task: TaskState, _ definitions: TraceDefinitions, _ symbols: Symbolizer
  ) -> Bool {
    let inner = task.frames.prefix {
      let module = definitions.module(at: $0.address)
      return module?.path.split(separator: "/").last?.hasPrefix("libswift") == true
    }
    guard let function = inner.first else { return false }
    guard inner.count == 1 else { return true }
    symbols.lookUp([function])
    return symbols.functions(at: function).first?.function.contains("Continuation") != true
  }

  mutating func note(_ event: FindingEvent) {
    let ring = event.name.ring
    switch (event.kind, event.payload) {
    case (.hopBegan, .task):
      let task = TaskRunPayload(word: event.word).task
      guard waits[task] != nil else { return }
      running[event.subscription] = task
      onRing[ring] = task
      if let given = runs[task]?.gave { givenBy[given.hop] = nil }
      runs[task] = Run()
    case (.hopScheduled, _):
      guard let task = onRing[ring], event.stream & SchedulerDefinition.executors == 0 else {
        return
      }
      if let given = runs[task]?.gave { givenBy[given.hop] = nil }
      runs[task]?.gave = (event.subscription, event.stream)
      givenBy[event.subscription] = task
    case (.hopEnded, .awaited):
      guard let task = running.removeValue(forKey: event.subscription) else { return }
      onRing[ring] = nil
      let end = TaskAwaitPayload(word: event.word)
      if end.stack == recorded.stacks[task] { waits[task, default: 0] += 1 }
    case (.hopEnded, _):
      if let task = givenBy[event.subscription] { runs[task]?.hasItEnded = true }
    default: return
    }
  }

  mutating func findings() -> [Finding] {
    var found: [Finding] = []
    for (stack, tasks) in waiting.sorted(by: { $0.key < $1.key }) {
      if let finding = finding(tasks, at: stack) { found.append(finding) }
    }
    return found
  }

  private mutating func finding(_ all: [TaskState], at stack: UInt32) -> Finding? {
    // A task that comes here again and again may serve, and wait for what to do next.
    let tasks = all.filter { waits[$0.id] == 1 }
    let most = tasks.compactMap { waiters[$0.id] }.max()
    guard let first = tasks.first, let most, let since = tasks.compactMap(\.since).max() else {
      return nil
    }
    let names =
      tasks.prefix(Self.mostNamed).map(\.title)
      + (tasks.count > Self.mostNamed ? ["others"] : [])
    let time = facts.time.duration(from: since, to: recorded.moment)
    let sentence: FindingSentence = """
      nobody has resumed the continuation that \(names.joined(separator: ", ")) \
      \(tasks.count == 1 ? "waits" : "wait") for here, for \(nanoseconds: time); \
      \(UInt64(most), "task waits for it", "tasks wait for it"), directly or through others\
      \(holder(first.id))
      """
    let evidence = tasks.prefix(Self.mostNamed).compactMap { recorded.lastRuns[$0.id] }
    if let exit = releases.exit(whileWaitingAt: stack) {
      return Finding(
        .hang, weight: 85, place: .line(exit.place),
        sentence
          + "; that is at \(place: .stack(stack)), and \(exit.count, "error", "errors") left the function at the "
          + "line marked here, the first of the type \(exit.error.error): what it gives back further down, it did not",
        evidence: [exit.error.first] + evidence, question: .tasks)
    }
    return Finding(
      .hang, weight: 84, place: .stack(stack), sentence, evidence: evidence, question: .tasks)
  }

  /// Returns which work got the continuation, if the task scheduled some before it waited.
  private func holder(_ task: UInt64) -> FindingSentence {
    guard let run = runs[task], let gave = run.gave else { return "" }
    let end = run.hasItEnded ? "has ended without resuming it" : "has not ended"
    return "; the work for \(scheduler: gave.scheduler) that it had scheduled before \(end)"
  }
}
