internal import VarveProbe

/// Work on schedulers: what was given to them, how long it waited and ran, what never began.
public struct HopLedger: Sendable {
  /// Work that was given to a scheduler and did not begin.
  public struct Queued: Sendable, Hashable {
    /// The hop.
    public var hop: UInt64
    /// The scheduler.
    public var scheduler: UInt32
    /// When it was given.
    public var scheduled: EventMoment
  }

  /// Work that began and did not return.
  public struct Running: Sendable, Hashable {
    /// The hop.
    public var hop: UInt64
    /// The scheduler.
    public var scheduler: UInt32
    /// When it began.
    public var began: EventMoment
  }

  /// The oldest work that never began, in the order in which it was given.
  public private(set) var queued: [Queued] = []
  /// How much work never began.
  public private(set) var queuedCount = 0
  /// The newest work that never returned, in the order in which it began.
  public private(set) var running: [Running] = []
  /// How much work never returned.
  public private(set) var runningCount = 0
  /// Chains of work that are longer than backtraces show.
  public private(set) var recursions = HopRecursions()

  private struct Work {
    var moment: EventMoment
    var scheduler: UInt32
    var time: Int64
    var way: HopRecursions.Way?
  }

  private var accounts = Slab<SchedulerAccount>()
  private var accountSlots: [UInt32: UInt32] = [:]
  private var work = Slab<Work>()
  private var waiting: [UInt64: UInt32] = [:]
  private var begun: [UInt64: UInt32] = [:]

  /// So much of what never began, or never returned, is told piece by piece.
  private static let mostTold = 1_000
  /// What it takes to remember a piece of work, with its place in the tables.
  private static let workBytes = 144
  /// What it takes to remember a scheduler and the slowest pieces of its work.
  private static let accountBytes = 1_536

  /// What the schedulers did.
  public var schedulers: some Collection<SchedulerAccount> {
    accountSlots.values.lazy.map { accounts[$0] }
  }

  /// What a scheduler did; nil when it did nothing.
  public func scheduler(_ id: UInt32) -> SchedulerAccount? {
    accountSlots[id].map { accounts[$0] }
  }

  /// - Parameter origin: of work that is scheduled, what it was scheduled by, if that is known.
  /// - Returns: false when something of it was passed over.
  mutating func note(
    _ kind: RecordKind, _ hop: UInt64, on scheduler: UInt32, at moment: EventMoment, time: Int64,
    origin: HopPayload? = nil, _ memory: inout WalkMemory
  ) -> Bool {
    guard let account = account(of: scheduler, &memory) else { return false }
    var now = Work(moment: moment, scheduler: scheduler, time: time)
    switch kind {
    case .hopScheduled:
      now.way = origin.map { origin in
        let way = begun[origin.parent].flatMap { work[$0].way }
        return recursions.note(way, origin.stack, scheduler, at: moment)
      }
      let isKept = Self.keep(now, of: hop, in: &waiting, &work, &memory)
      accounts[account].give(at: moment, isKept: isKept)
      return isKept
    case .hopBegan:
      let given = Self.taken(hop, from: &waiting, &work)
      now.way = given?.way
      let isKept = Self.keep(now, of: hop, in: &begun, &work, &memory)
      let isCounted = accounts[account].begin(
        moment, at: time, isKept: isKept, given: given.map { ($0.moment, $0.time) }, &memory)
      return isKept && isCounted
    case .hopEnded:
      guard let began = Self.taken(hop, from: &begun, &work) else { return true }
      return accounts[account].end(began: began.moment, began.time, at: time, &memory)
    case .hopCancelled:
      if Self.taken(hop, from: &waiting, &work) != nil { accounts[account].cancel() }
      return true
    case .assembled, .subscribed, .ended, .value, .failed, .completed, .interrupted, .absorbed,
      .log, .mark, .skipped:
      return true
    }
  }

  private mutating func account(of scheduler: UInt32, _ memory: inout WalkMemory) -> UInt32? {
    if let known = accountSlots[scheduler] { return known }
    let slot = accounts.add(
      SchedulerAccount(id: scheduler), taking: Self.accountBytes, of: &memory)
    if let slot { accountSlots[scheduler] = slot }
    return slot
  }

  private static func keep(
    _ now: Work, of hop: UInt64, in table: inout [UInt64: UInt32], _ work: inout Slab<Work>,
    _ memory: inout WalkMemory
  ) -> Bool {
    if let slot = table[hop] {
      work[slot] = now
      return true
    }
    guard let slot = work.add(now, taking: workBytes, of: &memory) else { return false }
    table[hop] = slot
    return true
  }

  private static func taken(
    _ hop: UInt64, from table: inout [UInt64: UInt32], _ work: inout Slab<Work>
  ) -> Work? {
    guard let slot = table.removeValue(forKey: hop) else { return nil }
    work.remove(slot)
    return work[slot]
  }

  /// The trace has ended.
  mutating func finish() {
    queuedCount = waiting.count
    queued = inOrder(waiting).prefix(Self.mostTold).map { hop in
      Queued(hop: hop.id, scheduler: work[hop.slot].scheduler, scheduled: work[hop.slot].moment)
    }
    runningCount = begun.count
    running = inOrder(begun).suffix(Self.mostTold).map { hop in
      Running(hop: hop.id, scheduler: work[hop.slot].scheduler, began: work[hop.slot].moment)
    }
    waiting = [:]
    begun = [:]
    work = Slab()
  }

  private func inOrder(_ hops: [UInt64: UInt32]) -> [(id: UInt64, slot: UInt32)] {
    hops.map { ($0, $1) }.sorted {
      (work[$0.slot].moment.ticks, $0.id) < (work[$1.slot].moment.ticks, $1.id)
    }
  }
}
