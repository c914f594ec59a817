public import VarveFormat
internal import VarveProbe

/// What may lie behind a wrong result of a program of tasks: guesses, for somebody who has seen one, and
/// not findings, since programs that are as they should be do these things, too.
public struct TaskSuspicions {
  /// Blocks that could not be read.
  public private(set) var damage: [TraceFileError] = []
  /// What was passed over because it would have taken too much memory.
  public var passedOver: PassedOver { walk.passedOver }

  private let walk: TraceWalk
  private let definitions: TraceDefinitions
  private let symbols: Symbolizer?
  private let caught: CaughtErrors?
  private let hasEnded: Bool
  private var steps: TaskSteps
  private let suspensions: TaskSuspensions
  /// The tasks that have made the children of groups.
  private var parents: WalkTable<UInt64, UInt64>
  private var cancelled: WalkTable<UInt64, Bool>
  /// The stack of the code that made each task, as `TaskMoment.maker`.
  private var madeBy: WalkTable<UInt64, UInt32>
  /// The task that has ended last, by thread.
  private var ended: [UInt32: UInt64] = [:]
  /// For the stack of the code that makes tasks, the first one that ends at the same line.
  private let makers: [UInt32: UInt32]

  private var failures: GroupFailures
  private var arrived: ArrivedErrors
  private var calls: InterleavedCalls
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
  private var stale: StaleState
  private var skipped: SkippedLoops
  private var stored = StoredTasks()
  private var owners: GoneOwners
  private var shared: SharedVariables
  private var late: LateCancellations
  private var doubled: DoubledTasks
  private var serial: SerialTasks
  private var resets: EarlyResets
  private var dropped: DroppedCancellations
  private var ending: EndedOwners
  private var refills: SkippedRefills
  private var stray: StrayResumptions
  private var detached = DetachedTasks()
  private var unbound: UnboundLocals
  private var endless: EndlessWaits
  private var untaken: UntakenResults
  private var repeated: RepeatedGroups
  private var units: MistakenUnits

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
    (self.symbols, self.caught, self.hasEnded) = (symbols, caught, hasEnded)
    steps = TaskSteps(walk)
    suspensions = TaskSuspensions(walk)
    parents = WalkTable(walk, bytes: 40, of: .work)
    cancelled = WalkTable(walk, bytes: 40, of: .work)
    madeBy = WalkTable(walk, bytes: 40, of: .work)
    makers = Self.makers(in: source.definitions, symbols)
    failures = GroupFailures(caught?.thrown, suspensions)
    arrived = ArrivedErrors(suspensions, walk)
    calls = InterleavedCalls(source.definitions, walk)
    overtakings = TaskOvertakings(source.time, walk)
    drains = GroupDrains(source.time, walk)
    twins = TaskTwins(source.time, walk)
    ends = SharedEnds(walk)
    critical = CriticalWaits(source.time, walk)
    orders = GroupOrders(walk)
    elements = StreamElements(source.definitions, suspensions)
    unfinished = UnfinishedTasks(walk)
    loops = ParallelLoops(source.time, walk)
    polls = SleepingPolls(source.time, walk)
    stale = StaleState(walk)
    skipped = SkippedLoops(walk)
    replaced = ReplacedTasks(walk)
    owners = GoneOwners(walk)
    shared = SharedVariables(walk)
    late = LateCancellations(walk)
    doubled = DoubledTasks(walk)
    serial = SerialTasks(source.time, walk)
    resets = EarlyResets(walk)
    dropped = DroppedCancellations(walk)
    ending = EndedOwners(walk, suspensions)
    refills = SkippedRefills(walk)
    stray = StrayResumptions(source.definitions, walk)
    endless = EndlessWaits(walk)
    untaken = UntakenResults(suspensions, walk)
    repeated = RepeatedGroups(suspensions, walk)
    units = MistakenUnits(source.time, walk)
    unbound = UnboundLocals(walk)
    let stacks = source.definitions.stacks
    streams = EndedStreams(walk) { stack in
      guard let symbols, let stack = stacks[stack] else { return false }
      return symbols.isWaitingForElement(in: stack.frames)
    }
    if let symbols, let caught { lost = LostWays(caught, source.definitions, symbols) }
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
  }

  /// Returns the guesses about a result that is wrong or missing, the likeliest first.
  public func wrong() -> [Finding] {
    let names = StackNames(definitions, symbols)
    let staleWrites = stale.guesses(names)
    let all = [
      units.guesses(names), lost?.guesses ?? [], endless.breaks(names), repeated.guesses(names),
      caught?.leftLoops ?? [], elements.finishedEarly, failures.swallowed,
      failures.cutShort, elements.unheard(names), streams.guesses, stored.cleared(names),
      staleWrites.shared, stored.keptFailures(names), skipped.guesses(names), replaced.guesses,
      shared.guesses(names), late.guesses, detached.guesses(names), unbound.guesses(names),
      stored.besides(names),
      elements.left(names, caught?.thrown.failures ?? [:]), refills.guesses(names),
      ending.guesses(names), dropped.guesses(names),
      drains.unreadResults(names), resets.guesses(names), stray.guesses(names),
      doubled.guesses(names),
      elements.selfFed, caught?.retried ?? [], caught?.ignored ?? [], caught?.cancelled ?? [],
      elements.shared, elements.dropped(names), orders.appended(names), ends.guesses,
      untaken.guesses(names), arrived.guesses, overtakings.guesses, staleWrites.others,
      twins.guesses(definitions), loops.guesses(names), calls.guesses,
      orders.guesses, overtakings.guessesTogether, endless.unreached(names),
      hasEnded ? unfinished.guesses : [],
      owners.guesses(names), caught?.handled ?? [],
    ].flatMap { $0.prefix(Self.shown) }
    // Many a task sleeps over and over that is as it should be.
    guard all.isEmpty, let symbols else { return all }
    return Array(polls.guesses(definitions, symbols).prefix(1))
  }

  /// Returns the guesses about a result that comes late, the likeliest first.
  public func slow() -> [Finding] {
    let names = StackNames(definitions, symbols)
    return units.long(names).prefix(Self.shown) + drains.guesses.prefix(Self.shown)
      + (critical.guess(names).map { [$0] } ?? [])
      + serial.guesses.prefix(Self.shown)
  }

  private static func makers(
    in definitions: TraceDefinitions, _ symbols: Symbolizer?
  ) -> [UInt32: UInt32] {
    guard let symbols else { return [:] }
    var first: [Place: UInt32] = [:]
    var makers: [UInt32: UInt32] = [:]
    for stack in Set(definitions.taskTemplates.values.lazy.map(\.stack)).sorted() where stack != 0 {
      guard let frames = definitions.stacks[stack]?.frames else { continue }
      symbols.lookUpOwn(frames)
      guard let line = symbols.ownFrame(of: frames)?.place else { continue }
      makers[stack] = first[line] ?? stack
      if first[line] == nil { first[line] = stack }
    }
    return makers
  }

  private mutating func note(_ columns: EventColumns, _ index: Int) {
    guard let step = steps.note(columns, index) else {
      if !elements.isEmpty {
        elements.note(columns, index, by: steps.task(on: columns.ring))
      }
      return
    }
    let moment = moment(step, columns, index)
    failures.note(moment)
    arrived.note(moment)
    calls.note(moment)
    overtakings.note(moment)
    drains.note(moment)
    twins.note(moment)
    ends.note(moment)
    critical.note(moment)
    orders.note(moment)
    replaced.note(moment)
    streams.note(moment)
    lost?.note(moment)
    elements.note(moment)
    unfinished.note(moment)
    loops.note(moment)
    polls.note(moment)
    stale.note(moment)
    skipped.note(moment)
    stored.note(moment)
    owners.note(moment)
    shared.note(moment)
    late.note(moment)
    doubled.note(moment)
    serial.note(moment)
    resets.note(moment)
    dropped.note(moment)
    ending.note(moment)
    refills.note(moment)
    stray.note(moment)
    detached.note(moment)
    unbound.note(moment)
    endless.note(moment)
    untaken.note(moment)
    repeated.note(moment)
    units.note(moment)
    suspensions.note(step)
    if case .ended(let task, _) = step, moment.awaited == .nothing {
      // Whether it has failed is told next.
      if let last = ended.updateValue(task, forKey: columns.ring) { forget(last) }
    }
    if case .cancelled(let task) = step { cancelled.set(true, for: task) }
  }

  private mutating func forget(_ task: UInt64) {
    parents.removeValue(forKey: task)
    madeBy.removeValue(forKey: task)
  }

  private mutating func moment(
    _ step: TaskSteps.Step, _ columns: EventColumns, _ index: Int
  ) -> TaskMoment {
    var template: TaskTemplateDefinition?
    var stack: UInt32 = 0
    var giver: UInt64?
    var causes: [EventName] = []
    var error = ""
    switch step {
    case .made(_, let made):
      template = definitions.taskTemplates[made.template]
      stack = template?.stack ?? 0
    case .ended(_, let end): stack = end.stack
    case .scheduled:
      stack = HopPayload(word: columns.words[index]).stack
      giver = steps.task(on: columns.ring)
      if !elements.isEmpty { causes = columns.causes(of: index) }
    case .cancelled, .failureRead:
      stack = HopPayload(word: columns.words[index]).stack
      giver = steps.task(on: columns.ring)
    case .failed: error = String(decoding: columns.text(index), as: UTF8.self)
    case .began, .sampled: break
    }
    let making = template.flatMap { TaskMaking(rawValue: $0.making) }
    if case .made(let task, _) = step { madeBy.set(makers[stack] ?? stack, for: task) }
    if making == .groupChild, case .made(let task, let made) = step {
      parents.set(made.creator, for: task)
    }
    return TaskMoment(
      step: step, event: columns.name(index), ticks: columns.ticks[index], stack: stack,
      making: making, name: template?.name ?? "",
      maker: madeBy[step.task] ?? 0, executor: columns.streams[index],
      parent: parents[step.task], giver: giver, causes: causes, error: error,
      isCancelled: cancelled[step.task] != nil)
  }
}
