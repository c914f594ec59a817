internal import VarveFormat
internal import VarveProbe

/// Finds continuations that nobody resumes, in a program that hangs: those for whose tasks others wait, and
/// those that the source shows how to lose.
struct UnresumedContinuations: FindingRule {
  /// What a waiting task did in its last run.
  private struct Run {
    /// The work that it scheduled last, which may have got the continuation.
    var gave: (hop: UInt64, scheduler: UInt32)?
    /// The stream that it began to observe last, and the property whose changes alone it asked for, with
    /// the stack of the code that did.
    var observed: UInt32?
    var changes: (property: UInt32, stack: UInt32)?
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
  private let symbols: Symbolizer
  private var uses = ContinuationUses()
  private var calls = RepeatedCalls()
  /// The functions that wait, by the stack, and when another task has last gone on from one.
  private let functions: [UInt32: UInt64]
  private var passed: [UInt64: UInt64] = [:]

  let kinds: Set<RecordKind> = [.hopScheduled, .hopBegan, .hopEnded, .subscribed, .read]

  /// How long nothing happens in a program that hangs, in nanoseconds.
  private static let shortestSilence: UInt64 = 1_000_000_000
  /// The maximum number of tasks that are looked at.
  private static let mostTasks = 1_000
  private static let mostNamed = 3
  /// The maximum number of tasks, each the parent of the one before, that may have what one waits for.
  private static let mostAncestors = 16

  static let isOfEnding = true

  init?(_ facts: FindingFacts) {
    guard facts.reader.ending == .running || facts.reader.ending.isKill, let recorded = facts.tasks
    else { return nil }
    let last = facts.reader.blocks.map(\.ticks.upperBound).max() ?? 0
    guard facts.time.duration(from: last, to: recorded.moment) >= Self.shortestSilence else {
      return nil
    }
    self.facts = facts
    self.recorded = recorded
    waiters = facts.taskWaits.waiters
    let symbols = facts.symbols
    self.symbols = symbols
    releases = SkippedReleases(facts.thrown, facts.definitions, symbols)
    let found = recorded.tasks.filter {
      $0.phase == .suspended && $0.awaiting == .continuation && recorded.stacks[$0.id] != nil
        && !Self.isOfRuntime($0, facts.definitions, symbols)
    }
    waiting = Dictionary(grouping: found.prefix(Self.mostTasks)) { recorded.stacks[$0.id] ?? 0 }
    if found.isEmpty { return nil }
    let stacks = Set(found.compactMap { recorded.stacks[$0.id] })
    let functions = stacks.reduce(into: [UInt32: UInt64]()) {
      $0[$1] = Self.function(at: $1, facts.definitions)
    }
    self.functions = functions
    passed = Dictionary(functions.values.map { ($0, 0) }) { $1 }
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

  /// Returns the address of the function that waits for a continuation: the one that called the
  /// runtime's.
  private static func function(at stack: UInt32, _ definitions: TraceDefinitions) -> UInt64? {
    let frames = definitions.stacks[stack]?.frames ?? []
    return frames.count > 1 ? frames[1].address : nil
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
    case (.subscribed, _):
      guard let task = onRing[ring], SubscriptionPayload(word: event.word).stream == 0 else {
        return
      }
      runs[task]?.observed = event.stream
    case (.read, .stream):
      guard let task = onRing[ring] else { return }
      let stack = SubscriptionPayload(word: event.word).stack
      if stack != 0 { runs[task]?.changes = (event.stream, stack) }
    case (.hopEnded, .awaited):
      let end = TaskAwaitPayload(word: event.word)
      guard let task = running.removeValue(forKey: event.subscription) else {
        if let function = Self.function(at: end.stack, facts.definitions),
          passed[function] != nil
        {
          passed[function] = event.ticks
        }
        return
      }
      onRing[ring] = nil
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
    let last = functions[stack].flatMap { passed[$0] } ?? 0
    let isReplaced = all.contains { $0.since.map { $0 < last } == true }
    let functions = functionNames(at: stack)
    let use = uses.use(
      in: functions, isReplaced: isReplaced, isCancelled: all.allSatisfy(\.isCancelled))
    let tasks = all.filter { waits[$0.id] == 1 || use?.isForgotten == true }
    let most = tasks.compactMap { waiters[$0.id] }.max()
    // A task for which none waits may wait for a signal, or the end of a server, by intention.
    guard let first = tasks.first, most != nil || use != nil,
      let since = tasks.compactMap(\.since).max()
    else { return nil }
    let names =
      tasks.prefix(Self.mostNamed).map(\.title)
      + (tasks.count > Self.mostNamed ? ["others"] : [])
    let time = facts.time.duration(from: since, to: recorded.moment)
    let verb = tasks.count == 1 ? "waits" : "wait"
    let evidence = tasks.prefix(Self.mostNamed).compactMap { recorded.lastRuns[$0.id] }
    let subject = names.joined(separator: ", ")
    if let changes = changes(before: first.id) {
      return Finding(
        .hang, weight: 85, place: .stack(changes.stack),
        "\(subject) \(verb) at \(place: .stack(stack)) for a value of \(stream: changes.observed), for "
          + "\(nanoseconds: time): \(stream: changes.property) has a value, but its signal, taken here, tells changes "
          + "alone, and none has come",
        stream: changes.observed, evidence: evidence, question: .tasks)
    }
    if let repeated = calls.call(in: functions) {
      let wait: FindingSentence =
        "\(subject) \(verb) at \(place: .stack(stack)) for \(nanoseconds: time), called from here; "
      let reason: FindingSentence =
        "the same call was made at \(place: .line(repeated.outer)) before, by the function that waits for "
        + "this one, and goes on only when this one has returned"
      return Finding(
        .hang, weight: 87, place: .line(repeated.inner), wait + reason, evidence: evidence,
        question: .tasks)
    }
    if let nested = turn(for: first, functions) {
      return Finding(
        .hang, weight: 88, place: .line(nested.call),
        "\(subject) \(verb) for a turn at \(place: .stack(stack)), called from here, for \(nanoseconds: time): "
          + "\(nested.holder), which waits for \(first.title), has such a turn (\(place: .line(nested.held))), "
          + "and gives it back only when that has ended",
        evidence: evidence, question: .tasks)
    }
    let loss = loss(at: stack, use)
    let here: FindingSentence = loss.place == nil ? "here" : "at \(place: .stack(stack))"
    return Finding(
      .hang, weight: loss.weight, place: loss.place.map { .line($0) } ?? .stack(stack),
      "nobody has resumed the continuation that \(subject) \(verb) for " + here
        + ", for \(nanoseconds: time)" + loss.sentence + others(most) + holder(first.id),
      evidence: loss.evidence + evidence, question: .tasks)
  }

  private func others(_ waiters: Int?) -> FindingSentence {
    guard let waiters else { return "" }
    return "; \(UInt64(waiters), "task waits for it", "tasks wait for it"), "
      + "directly or through others"
  }

  /// Returns the line at which a task asks for a turn that one of its ancestors has already, which waits for it.
  private mutating func turn(
    for task: TaskState, _ functions: [NamedFrame]
  ) -> (call: Place, held: Place, holder: String)? {
    var child = task
    for _ in 0..<Self.mostAncestors {
      guard let parent = recorded.tasks.first(where: { $0.id == child.parent }),
        parent.awaiting == .group || parent.awaitedTask == child.id
      else { return nil }
      if let stack = recorded.stacks[parent.id],
        let turn = calls.turn(for: functions, of: functionNames(at: stack))
      {
        return (turn.call, turn.held, parent.title)
      }
      child = parent
    }
    return nil
  }

  /// How a continuation was lost, and where.
  private struct Loss {
    var place: Place?
    var weight = 84
    var sentence: FindingSentence = ""
    var evidence: [EventName] = []
  }

  private mutating func loss(at stack: UInt32, _ use: ContinuationUses.Use?) -> Loss {
    if let exit = releases.exit(whileWaitingAt: stack) {
      return Loss(
        place: exit.place, weight: 85,
        sentence:
          ": \(exit.count, "error", "errors") left the function at the line marked here, the first of the "
          + "type \(exit.error.error), and what it gives back further down, it did not",
        evidence: [exit.error.first])
    }
    switch use {
    case .forgotten(let place):
      return Loss(place: place, weight: 86, sentence: ": on one way from here, nothing resumes it")
    case .replaced(let place):
      return Loss(
        place: place, weight: 86,
        sentence: ": this line keeps one at a time, and another task has come, and gone on, since")
    case .removed(let place):
      return Loss(
        place: place, weight: 86,
        sentence:
          ": it was kept among others, and this line takes some of them out without resuming them")
    case .uncancelled(let place):
      return Loss(
        place: place, weight: 85,
        sentence: ": it is kept here, and nobody resumes it when the task is cancelled, as it was")
    case .unheeded(let place):
      return Loss(
        place: place, weight: 86,
        sentence: ": the task was cancelled, and what runs here then does not resume it")
    case .handedOver(let place):
      return Loss(
        place: place, weight: 85,
        sentence: ": what is made here gets it, and nothing else keeps that")
    case nil: return Loss()
    }
  }

  /// Returns the stream that a task began to observe before it waited, and the property whose changes
  /// alone it asked for, if the stream was made from that.
  private func changes(
    before task: UInt64
  ) -> (observed: UInt32, property: UInt32, stack: UInt32)? {
    guard let run = runs[task], let observed = run.observed, let changes = run.changes,
      facts.silence.above([observed]).contains(changes.property)
    else { return nil }
    return (observed, changes.property, changes.stack)
  }

  private func functionNames(at stack: UInt32) -> [NamedFrame] {
    guard let frames = facts.definitions.stacks[stack]?.frames else { return [] }
    symbols.lookUp(frames)
    return symbols.named(frames)
  }

  /// Returns which work got the continuation, if the task scheduled some before it waited.
  private func holder(_ task: UInt64) -> FindingSentence {
    guard let run = runs[task], let gave = run.gave else { return "" }
    let end = run.hasItEnded ? "has ended without resuming it" : "has not ended"
    return "; the work for \(scheduler: gave.scheduler) that it had scheduled before \(end)"
  }
}
