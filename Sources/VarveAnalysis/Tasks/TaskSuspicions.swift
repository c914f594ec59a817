public import VarveFormat
internal import VarveProbe

/// What may lie behind a wrong result of a program of tasks: guesses, for somebody who has seen one, and
/// not findings, since programs that are as they should be do these things, too.
public struct TaskSuspicions {
  /// The guesses about a result that is wrong or missing, the likeliest first.
  public private(set) var all: [Finding] = []
  /// The guesses about a result that comes late, the likeliest first.
  public private(set) var slow: [Finding] = []
  /// Blocks that could not be read.
  public private(set) var damage: [TraceFileError] = []
  /// What was passed over because it would have taken too much memory.
  public var passedOver: PassedOver { walk.passedOver }

  /// A task that does not run.
  private struct Wait {
    var awaited: TaskAwait?
    var stack: UInt32
  }

  /// A child of a group has failed while its parent waited for the group.
  private struct Failure {
    var task: UInt64
    var parent: UInt64
    var error: String
    var event: EventName
    var stack: UInt32
    /// How many of the other children the parent has cancelled then.
    var cancelled: UInt64 = 0
    /// Whether the parent waited for its group again, at the same place.
    var goesOn = false
  }

  /// Where tasks leave an executor: the executor, and the functions that are suspended.
  private struct Exit: Hashable {
    var executor: UInt32
    var stack: UInt32
  }

  private let walk: TraceWalk
  private let definitions: TraceDefinitions
  private let thrown: ThrownErrors?
  private var steps: TaskSteps
  /// The tasks that have made the children of groups.
  private var parents: WalkTable<UInt64, UInt64>
  private var cancelled: WalkTable<UInt64, Bool>
  private var waits: WalkTable<UInt64, Wait>
  /// The tasks that wait for each task's result.
  private var waiting: WalkTable<UInt64, UInt64>
  private var failures: [Failure] = []
  /// The last one of each parent.
  private var lastFailure: [UInt64: Int] = [:]
  private var read: [Finding] = []
  /// The tasks that have left an executor of the program's and will return, by where.
  private var left: WalkTable<UInt64, Exit>
  private var now: [Exit: UInt64] = [:]
  private var most: [Exit: (count: UInt64, event: EventName)] = [:]
  private var overtakings: TaskOvertakings
  private var drains: GroupDrains
  private var twins: TaskTwins
  private var ends: SharedEnds
  private var critical: CriticalWaits
  private var orders: GroupOrders
  private var replaced: ReplacedTasks
  private var streams: EndedStreams
  private var lost: LostWays?
  private var elements: StreamElements
  private var unfinished: UnfinishedTasks
  private var loops: ParallelLoops
  private var polls: SleepingPolls
  /// For the stack of the code that makes tasks, the first one that ends at the same line.
  private let makers: [UInt32: UInt32]
  /// The executors of the program's own actors.
  private let actors: Set<UInt32>

  private static let mostPlaces = 1_024
  private static let mostFailures = 256
  private static let shown = 4

  /// Reads a trace.
  ///
  /// - Parameters:
  ///   - source: The trace.
  ///   - symbols: The names of code; without it, what needs them is left out.
  ///   - caught: Where the program's code catches errors, if that was looked for.
  ///   - hasEnded: Whether the program ended by itself.
  public init(
    _ source: some EventSource, _ symbols: Symbolizer? = nil, caught: CaughtErrors? = nil,
    hasEnded: Bool = true
  ) {
    walk = TraceWalk(source)
    definitions = source.definitions
    thrown = caught?.thrown
    steps = TaskSteps(walk)
    parents = WalkTable(walk, bytes: 40, of: .work)
    cancelled = WalkTable(walk, bytes: 40, of: .work)
    waits = WalkTable(walk, bytes: 48, of: .work)
    waiting = WalkTable(walk, bytes: 40, of: .work)
    left = WalkTable(walk, bytes: 48, of: .work)
    overtakings = TaskOvertakings(source.time, walk)
    drains = GroupDrains(source.time, walk)
    twins = TaskTwins(source.time, walk)
    ends = SharedEnds(walk)
    critical = CriticalWaits(source.time, walk)
    orders = GroupOrders(walk)
    elements = StreamElements(source.definitions)
    unfinished = UnfinishedTasks(walk)
    loops = ParallelLoops(source.time, walk)
    polls = SleepingPolls(source.time, walk)
    replaced = ReplacedTasks(walk)
    let stacks = source.definitions.stacks
    streams = EndedStreams(walk) { stack in
      guard let symbols, let stack = stacks[stack] else { return false }
      return symbols.isWaitingForElement(in: stack.frames)
    }
    if let symbols, let caught { lost = LostWays(caught, source.definitions, symbols) }
    var first: [Place: UInt32] = [:]
    var makers: [UInt32: UInt32] = [:]
    for stack in Set(definitions.taskTemplates.values.lazy.map(\.stack)).sorted() where stack != 0 {
      guard let symbols, let frames = stacks[stack]?.frames else { continue }
      symbols.lookUpOwn(frames)
      guard let line = symbols.ownFrame(of: frames)?.place else { continue }
      makers[stack] = first[line] ?? stack
      if first[line] == nil { first[line] = stack }
    }
    self.makers = makers
    let shared: Set<String> = ["main actor", "global executor", "other executors"]
    actors = Set(
      definitions.schedulers.values.lazy.filter {
        $0.id >= SchedulerDefinition.executors && !shared.contains($0.name)
      }.map(\.id))
    var selection = Selection()
    selection.kinds = KindSelection(
      TaskSteps.kinds + (elements.isEmpty ? [] : StreamElements.kinds))
    guard TraceTasks.areRecorded(in: source),
      var query = try? EventQuery(
        selection, in: source,
        columns: [.ticks, .kinds, .streams, .subscriptions, .payloads, .causes])
    else { return }
    query.run { page in
      page.forEach { note($0.columns, $1) }
      return true
    }
    damage = query.damage
    all = Array(
      [
        lost?.guesses ?? [], caught?.leftLoops ?? [], elements.finishedEarly, swallowed(),
        cutShort(),
        streams.guesses, replaced.guesses, elements.selfFed, caught?.ignored ?? [],
        caught?.cancelled ?? [], elements.shared,
        elements.dropped { Self.policy($0, in: stacks, symbols) }, ends.guesses, read,
        overtakings.guesses, twins.guesses(definitions), loops.guesses, interleaved(),
        orders.guesses, overtakings.guessesTogether, hasEnded ? unfinished.guesses : [],
        caught?.handled ?? [], symbols.map { polls.guesses(definitions, $0) } ?? [],
      ].map { $0.prefix(Self.shown) }.joined())
    slow = drains.guesses.prefix(Self.shown) + (critical.guess.map { [$0] } ?? [])
  }

  /// Returns the line in which a stream's buffering policy is chosen, by the source of the call that made
  /// the stream, where that is there.
  private static func policy(
    _ id: UInt32, in stacks: [UInt32: StackDefinition], _ symbols: Symbolizer?
  ) -> FindingPlace {
    guard let symbols, let frames = stacks[id]?.frames else { return .stack(id) }
    symbols.lookUpOwn(frames)
    guard let frame = symbols.named(frames).mostOwn, let file = frame.file, frame.line > 0 else {
      return .stack(id)
    }
    var sources = SourceLines()
    let lines = sources.lines(of: file)?.dropFirst(Int(frame.line) - 1).prefix(mostLines) ?? []
    guard let line = lines.firstIndex(where: { $0.contains("uffering") }) else { return .stack(id) }
    return .line(Place(path: file, line: UInt32(line) + 1))
  }

  /// The maximum number of lines of a call.
  private static let mostLines = 8

  private mutating func note(_ columns: EventColumns, _ index: Int) {
    guard let step = steps.note(columns, index) else {
      if !elements.isEmpty {
        elements.note(columns, index, by: steps.task(on: columns.ring))
      }
      return
    }
    let (moment, maker) = moment(step, columns, index)
    orders.note(moment)
    replaced.note(moment, by: maker)
    streams.note(moment, by: maker)
    unfinished.note(moment, by: maker)
    loops.note(moment, by: maker)
    polls.note(moment)
    lost?.note(moment)
    switch step {
    case .made(let task, let made):
      let making = definitions.taskTemplates[made.template].flatMap {
        TaskMaking(rawValue: $0.making)
      }
      if making == .groupChild { parents.set(made.creator, for: task) }
      if making == .task {
        let stack = definitions.taskTemplates[made.template]?.stack ?? 0
        overtakings.noteMade(task, by: makers[stack] ?? stack, at: columns.ticks[index])
        twins.noteMade(task, made, at: columns.ticks[index], columns.name(index))
      }
    case .began(let task, _): noteRun(of: task, columns, index)
    case .ended(let task, let end):
      let awaited = TaskAwait(rawValue: end.awaited)
      if awaited == .nothing {
        return noteEnd(of: task, columns.name(index))
      }
      let ticks = columns.ticks[index]
      critical.noteWait(of: task, end, at: ticks)
      ends.noteWait(of: task, awaited, at: end.stack, columns.name(index))
      if awaited == .group, let last = lastFailure[task], failures[last].stack == end.stack {
        failures[last].goesOn = true
      }
      if awaited == .group { drains.noteWait(of: task, at: end.stack, ticks) }
      if parents[task] != nil { drains.notePause(of: task, at: end.stack, ticks) }
      waits.set(Wait(awaited: awaited, stack: end.stack), for: task)
      if awaited == .task, end.number != 0 {
        waiting.set(task, for: end.number)
        overtakings.noteExpected(end.number)
        twins.noteExpected(end.number)
      }
      let executor = columns.streams[index]
      if actors.contains(executor), end.stack != 0 {
        leave(task, Exit(executor: executor, stack: end.stack), columns.name(index))
      }
    case .cancelled(let task):
      cancelled.set(true, for: task)
      overtakings.noteExpected(task)
      twins.noteExpected(task)
      ends.noteCancellation(of: task)
    case .failed(let task):
      noteFailure(
        of: task, String(decoding: columns.text(index), as: UTF8.self), columns.name(index))
    case .failureRead(let task):
      let stack = HopPayload(word: columns.words[index]).stack
      noteRead("task \(task)", columns.name(index), stack: stack)
    case .scheduled(let task):
      if !elements.isEmpty, let wait = waits[task] {
        elements.noteResumption(
          of: task, from: wait.stack, by: columns.causes(of: index), on: columns.ring)
      }
      guard let giver = steps.task(on: columns.ring) else { return }
      critical.noteResumption(of: task, by: giver)
      ends.noteResumption(
        of: task, by: giver, HopPayload(word: columns.words[index]).stack)
    case .sampled: return
    }
  }

  /// Returns a step as the guesses see it, and the code that made the task, of one that was just made.
  private func moment(
    _ step: TaskSteps.Step, _ columns: EventColumns, _ index: Int
  ) -> (TaskMoment, maker: UInt32) {
    var template: TaskTemplateDefinition?
    var stack: UInt32 = 0
    switch step {
    case .made(_, let made):
      template = definitions.taskTemplates[made.template]
      stack = template?.stack ?? 0
    case .ended(_, let end): stack = end.stack
    case .cancelled, .scheduled, .failureRead: stack = HopPayload(word: columns.words[index]).stack
    case .began, .failed, .sampled: break
    }
    let moment = TaskMoment(
      step: step, event: columns.name(index), ticks: columns.ticks[index], stack: stack,
      making: template.flatMap { TaskMaking(rawValue: $0.making) }, name: template?.name ?? "")
    return (moment, template == nil ? 0 : makers[stack] ?? stack)
  }

  private mutating func noteRun(of task: UInt64, _ columns: EventColumns, _ index: Int) {
    let (ticks, event) = (columns.ticks[index], columns.name(index))
    drains.noteRun(of: task, at: ticks, event)
    critical.noteRun(of: task, at: ticks, event)
    twins.noteRun(of: task, at: ticks)
    ends.noteRun(of: task)
    if left[task]?.executor == columns.streams[index] { comeBack(task) }
    waits.removeValue(forKey: task)
  }

  private mutating func noteEnd(of task: UInt64, _ event: EventName) {
    let parent = parents[task]
    overtakings.noteEnd(of: task, event)
    twins.noteEnd(of: task)
    ends.noteEnd(of: task, event)
    critical.noteEnd(of: task, in: parent)
    if let parent { drains.noteEnd(of: task, in: parent) }
    drains.noteEnd(of: task)
    comeBack(task)
  }

  private mutating func noteFailure(of task: UInt64, _ error: String, _ event: EventName) {
    let parent = parents.removeValue(forKey: task)
    guard error != ThrownErrors.cancellation, cancelled[task] == nil else {
      // A group cancels its children without a word.
      if let parent, error == ThrownErrors.cancellation, let last = lastFailure[parent] {
        failures[last].cancelled += 1
      }
      return
    }
    if let parent {
      drains.noteFailure(in: parent)
      guard let wait = waits[parent], wait.awaited == .group, failures.count < Self.mostFailures
      else { return }
      // Of a group that goes on, the first one tells all; what was cancelled is over.
      if let last = lastFailure[parent], failures[last].cancelled == 0 { return }
      lastFailure[parent] = failures.count
      failures.append(
        Failure(task: task, parent: parent, error: error, event: event, stack: wait.stack))
    } else if let waiter = waiting.removeValue(forKey: task), let wait = waits[waiter] {
      noteRead("task \(task), which failed with \(error),", event, stack: wait.stack)
    }
  }

  private mutating func noteRead(_ task: String, _ event: EventName, stack: UInt32) {
    guard read.count < Self.shown, stack != 0 else { return }
    read.append(
      Finding(
        .handled, weight: 40, place: .stack(stack),
        "the error of \(task) arrives here: what does this code make of it?", evidence: [event]))
  }

  /// A task has returned to the executor that it had left, or has ended.
  private mutating func comeBack(_ task: UInt64) {
    if let exit = left.removeValue(forKey: task) { now[exit, default: 1] -= 1 }
  }

  private mutating func leave(_ task: UInt64, _ exit: Exit, _ event: EventName) {
    guard left[task] == nil, now[exit] != nil || now.count < Self.mostPlaces,
      left.set(exit, for: task)
    else { return }
    now[exit, default: 0] += 1
    if now[exit, default: 0] > most[exit]?.count ?? 0 {
      most[exit] = (now[exit, default: 0], event)
    }
  }

  // MARK: - Guesses

  /// Children of a group that failed, while the others went on as if nothing had happened.
  private func swallowed() -> [Finding] {
    failures.filter { $0.cancelled == 0 && $0.goesOn }.prefix(Self.shown)
      .map { failure in
        Finding(
          .handled, weight: 62, place: .stack(failure.stack),
          "the error of task \(failure.task.description), \(failure.error)\(thrown(failure.task)), arrives here, where task "
            + "\(failure.parent.description) waits for the children of its group, and the others go on: what does "
            + "this code make of it?",
          evidence: [failure.event])
      }
  }

  /// Tells where the error of a task was thrown, if that is known.
  private func thrown(_ task: UInt64) -> FindingSentence {
    thrown?.failures[task].map { ", thrown at \(place: .stack($0))" } ?? ""
  }

  /// Children of a group that were cancelled because another one had failed.
  private func cutShort() -> [Finding] {
    failures.filter { $0.cancelled > 0 }.prefix(Self.shown)
      .map { failure in
        Finding(
          .partial, weight: 60, place: .stack(failure.stack),
          "task \(failure.task.description), a child of task \(failure.parent.description)'s group, failed with \(failure.error)"
            + thrown(failure.task) + ", and what waits for the children here ended with it: "
            + "\(failure.cancelled, "other was", "others were") cancelled, too",
          evidence: [failure.event])
      }
  }

  /// The function of an actor that most tasks were in at once, each suspended there.
  private func interleaved() -> [Finding] {
    most.filter { $0.value.count > 1 }
      .sorted { ($1.value.count, $0.value.event) < ($0.value.count, $1.value.event) }
      .prefix(1)
      .map { exit, most in
        Finding(
          .race, weight: 30, place: .of(exit.executor, exit.stack),
          "\(most.count, "task", "tasks") had left \(scheduler: exit.executor) here at once, and came "
            + "back later: what one of them had looked at before, the others may have changed",
          evidence: [most.event])
      }
  }
}
