internal import VarveProbe

/// Work on schedulers: what was scheduled, how long it waited and ran, and what never began.
public struct HopHistory: Sendable {
  /// Work that was scheduled but did not begin.
  public struct Queued: Sendable, Hashable {
    /// The hop.
    public var hop: UInt64
    /// The scheduler.
    public var scheduler: UInt32
    /// When it was scheduled.
    public var scheduled: EventMoment
  }

  /// Work that began but did not return.
  public struct Running: Sendable, Hashable {
    /// The hop.
    public var hop: UInt64
    /// The scheduler.
    public var scheduler: UInt32
    /// When it began.
    public var began: EventMoment
  }

  /// The oldest work that never began, in scheduling order.
  public private(set) var queued: [Queued] = []
  /// The number of hops that never began.
  public var queuedCount: Int { allQueued.count }
  /// All hops that never began, in scheduling order.
  private(set) var allQueued: [UInt64] = []
  /// The newest work that never returned, in the order in which it began.
  public private(set) var running: [Running] = []
  /// The number of hops that never returned.
  public private(set) var runningCount = 0
  /// For each thread that had work that never returned, the ordinal of the first event that began
  /// some; nil when not all of it is known.
  private(set) var firstRunning: [UInt32: UInt64]?
  /// Chains of work longer than backtraces show.
  public private(set) var recursions = HopRecursions()

  private struct Work {
    var moment: EventMoment
    var scheduler: UInt32
    var time: Int64
    var way: HopRecursions.Way?
  }

  /// The state of a piece of work: waiting to begin, or begun and not yet returned.
  private enum Stage: WalkKey {
    case waiting(UInt64), begun(UInt64)

    var word: UInt64 {
      switch self {
      case .waiting(let hop), .begun(let hop): hop
      }
    }

    var otherWord: UInt64 {
      switch self {
      case .waiting: 0
      case .begun: 1
      }
    }
  }

  /// Work that was cancelled before it began, and when.
  private struct Cancelled {
    var work: Queued
    var ticks: UInt64
  }

  /// The work that was cancelled last, of which the oldest is replaced.
  private var lastCancelled: [Cancelled] = []
  private var oldestCancelled = 0

  private let walk: TraceWalk
  private var accounts: WalkTable<UInt32, SchedulerAccount>
  private var work: WalkTable<Stage, Work>
  /// Work that waits, if no more than that is told of it.
  private var waiting: WalkTable<UInt64, Queued>
  /// Work that began, if no more than that is told of it.
  private var begun: WalkTable<UInt64, Running>
  /// The scheduler of the event before, and the place of its account, which stays.
  private var last: (scheduler: UInt32, slot: Int)?

  /// The maximum number of hops listed individually among those that never began, or never
  /// returned.
  private static let mostTold = 1_000
  /// The memory for a piece of work and its table entry, in bytes.
  private static let workBytes = 144
  /// The memory for a scheduler and its slowest work, in bytes.
  private static let accountBytes = 1_536

  init(_ walk: TraceWalk) {
    self.walk = walk
    waiting = WalkTable(walk, bytes: Self.workBytes, of: .work)
    begun = WalkTable(walk, bytes: Self.workBytes, of: .work)
    accounts = WalkTable(walk, bytes: Self.accountBytes, of: .work)
    work = WalkTable(walk, bytes: Self.workBytes, of: .work)
  }

  /// What the schedulers did.
  public var schedulers: some Collection<SchedulerAccount> { accounts.values }

  /// Returns what a scheduler did; nil when it did nothing.
  public func scheduler(_ id: UInt32) -> SchedulerAccount? { accounts[id] }

  /// - Parameter cause: what scheduled the work, if the event is a scheduling and this is known.
  mutating func note(
    _ kind: RecordKind, _ hop: UInt64, on scheduler: UInt32, at moment: EventMoment, time: Int64,
    cause: HopPayload? = nil
  ) {
    var now = Work(moment: moment, scheduler: scheduler, time: time)
    switch kind {
    case .hopScheduled:
      guard let account = account(of: scheduler) else { return }
      // A task that goes on and on is no chain of work that leads from one piece to the next.
      let isOfTask = scheduler & SchedulerDefinition.executors != 0
      now.way = (isOfTask ? nil : cause).map { cause in
        let way = work[.begun(cause.parent)]?.way
        return recursions.note(way, cause.stack, scheduler, at: moment)
      }
      let isKept = work.set(now, for: .waiting(hop))
      accounts[slot: account].value.give(at: moment, isKept: isKept)
    case .hopBegan:
      guard let account = account(of: scheduler) else { return }
      let given = work.removeValue(forKey: .waiting(hop))
      now.way = given?.way
      let isKept = work.set(now, for: .begun(hop))
      accounts[slot: account].value.begin(
        moment, at: time, isKept: isKept, given: given.map { ($0.moment, $0.time) }, walk)
    case .hopEnded:
      guard let account = account(of: scheduler),
        let began = work.removeValue(forKey: .begun(hop))
      else { return }
      accounts[slot: account].value.end(began: began.moment, began.time, at: time, walk)
    case .hopCancelled:
      guard let account = account(of: scheduler),
        let given = work.removeValue(forKey: .waiting(hop))
      else { return }
      accounts[slot: account].value.cancel()
      let queued = Queued(hop: hop, scheduler: given.scheduler, scheduled: given.moment)
      remember(Cancelled(work: queued, ticks: moment.ticks))
    case .assembled, .subscribed, .ended, .value, .failed, .completed, .interrupted, .absorbed,
      .log, .mark, .skipped, .sent, .waitBegan, .waitEnded, .read, .taskCreated,
      .taskCancelled, .taskFailed, .taskFailureRead, .hopSampled, .errorThrown:
      return
    }
  }

  /// Notes an event of work of which no more is told than whether it began or, with `orRuns`, whether
  /// it returned.
  mutating func noteLeft(
    _ kind: RecordKind, _ hop: UInt64, on scheduler: UInt32, at moment: EventMoment,
    orRuns: Bool
  ) {
    if kind == .hopScheduled {
      waiting.set(Queued(hop: hop, scheduler: scheduler, scheduled: moment), for: hop)
    } else if kind == .hopBegan {
      waiting.removeValue(forKey: hop)
      if orRuns { begun.set(Running(hop: hop, scheduler: scheduler, began: moment), for: hop) }
    } else if kind == .hopEnded {
      begun.removeValue(forKey: hop)
    } else if kind == .hopCancelled, let queued = waiting.removeValue(forKey: hop) {
      remember(Cancelled(work: queued, ticks: moment.ticks))
    }
  }

  /// Notes that work began and returned, of which no more is told than what was left.
  mutating func noteFinished(_ hop: UInt64) {
    waiting.removeValue(forKey: hop)
    begun.removeValue(forKey: hop)
  }

  /// Returns where a scheduler's account is; nil when there is no memory to start one.
  private mutating func account(of scheduler: UInt32) -> Int? {
    if let last, last.scheduler == scheduler { return last.slot }
    guard let slot = accounts.slot(scheduler, orFirst: SchedulerAccount(id: scheduler)) else {
      return nil
    }
    last = (scheduler, slot)
    return slot
  }

  private mutating func remember(_ cancelled: Cancelled) {
    guard lastCancelled.count == Self.mostTold else { return lastCancelled.append(cancelled) }
    lastCancelled[oldestCancelled] = cancelled
    oldestCancelled = (oldestCancelled + 1) % Self.mostTold
  }

  /// Lists the work that is left when the trace ends or, if the program was taken down, at that
  /// moment: what was cancelled from then on was still waiting, and what was scheduled from then on
  /// was never meant to begin.
  mutating func finish(takenDownFrom end: UInt64?) {
    var waiting: [Left] = self.waiting.values.map { ($0.hop, $0.scheduler, $0.scheduled) }
    var begun: [Left] = self.begun.values.map { ($0.hop, $0.scheduler, $0.began) }
    for (stage, work) in work.entries {
      switch stage {
      case .waiting(let hop): waiting.append((hop, work.scheduler, work.moment))
      case .begun(let hop): begun.append((hop, work.scheduler, work.moment))
      }
    }
    if let end {
      let ended = lastCancelled.filter { $0.ticks >= end }.map(\.work)
      waiting += ended.map { ($0.hop, $0.scheduler, $0.scheduled) }
      waiting.removeAll { $0.moment.ticks >= end }
    }
    lastCancelled = []
    waiting = Self.inOrder(waiting)
    allQueued = waiting.map(\.hop)
    queued = waiting.prefix(Self.mostTold).map {
      Queued(hop: $0.hop, scheduler: $0.scheduler, scheduled: $0.moment)
    }
    runningCount = begun.count
    if walk.passedOver[.work] == 0 {
      firstRunning = begun.reduce(into: [:]) { first, left in
        let name = left.moment.name
        first[name.ring] = min(first[name.ring] ?? .max, name.sequence)
      }
    }
    running = Self.inOrder(begun).suffix(Self.mostTold).map {
      Running(hop: $0.hop, scheduler: $0.scheduler, began: $0.moment)
    }
    work = WalkTable(walk, bytes: Self.workBytes, of: .work)
    self.waiting = WalkTable(walk, bytes: Self.workBytes, of: .work)
    self.begun = WalkTable(walk, bytes: Self.workBytes, of: .work)
  }

  private typealias Left = (hop: UInt64, scheduler: UInt32, moment: EventMoment)

  private static func inOrder(_ work: [Left]) -> [Left] {
    work.sorted { ($0.moment.ticks, $0.hop) < ($1.moment.ticks, $1.hop) }
  }
}
