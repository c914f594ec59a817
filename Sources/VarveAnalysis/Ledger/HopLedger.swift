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

  /// What the schedulers did, by id.
  public private(set) var schedulers: [UInt32: SchedulerAccount] = [:]
  /// Work that never began, in the order in which it was given.
  public private(set) var queued: [Queued] = []
  /// Work that never returned, in the order in which it began.
  public private(set) var running: [Running] = []
  /// Chains of work that are longer than backtraces show.
  public private(set) var recursions = HopRecursions()

  private struct Waiting {
    var scheduler: UInt32
    var moment: EventMoment
    var time: Int64
    var way: HopRecursions.Way?
  }

  private var waiting: [UInt64: Waiting] = [:]
  private var begun: [UInt64: Waiting] = [:]

  /// - Parameter origin: of work that is scheduled, what it was scheduled by, if that is known.
  mutating func note(
    _ kind: RecordKind, _ hop: UInt64, on scheduler: UInt32, at moment: EventMoment, time: Int64,
    origin: HopOrigin? = nil
  ) {
    var now = Waiting(scheduler: scheduler, moment: moment, time: time)
    var account = schedulers.removeValue(forKey: scheduler) ?? SchedulerAccount(id: scheduler)
    defer { schedulers[scheduler] = account }
    switch kind {
    case .hopScheduled:
      now.way = origin.map { origin in
        recursions.note(begun[origin.parent]?.way, origin.stack, scheduler, at: moment)
      }
      waiting[hop] = now
      account.give(at: moment)
    case .hopBegan:
      let given = waiting.removeValue(forKey: hop)
      account.begin(moment, at: time, given: given.map { ($0.moment, $0.time) })
      now.way = given?.way
      begun[hop] = now
    case .hopEnded:
      guard let began = begun.removeValue(forKey: hop) else { return }
      account.end(began: began.moment, began.time, at: time)
    case .hopCancelled:
      if waiting.removeValue(forKey: hop) != nil { account.cancel() }
    case .assembled, .subscribed, .ended, .value, .failed, .completed, .interrupted, .absorbed,
      .log, .mark, .skipped:
      break
    }
  }

  mutating func finish() {
    queued = waiting.map { Queued(hop: $0, scheduler: $1.scheduler, scheduled: $1.moment) }
      .sorted { ($0.scheduled.ticks, $0.hop) < ($1.scheduled.ticks, $1.hop) }
    running = begun.map { Running(hop: $0, scheduler: $1.scheduler, began: $1.moment) }
      .sorted { ($0.began.ticks, $0.hop) < ($1.began.ticks, $1.hop) }
    waiting = [:]
    begun = [:]
  }
}

/// How long work waited at one scheduler, and how long it ran.
public struct SchedulerAccount: Sendable {
  /// A piece of work that took long.
  public struct Slow: Sendable, Hashable {
    /// The event: that which began the work.
    public var event: EventMoment
    /// How long it took, in nanoseconds.
    public var nanoseconds: UInt64
  }

  /// The scheduler.
  public let id: UInt32
  /// Work that was given to it.
  public private(set) var given: UInt64 = 0
  /// Work that it was spared.
  public private(set) var cancelled: UInt64 = 0
  /// From being given to beginning, in nanoseconds; delays that were asked for count as waiting.
  public private(set) var wait = DurationHistogram()
  /// From beginning to returning.
  public private(set) var run = DurationHistogram()
  /// Of the waiting, the part during which the scheduler was busy with other work.
  public private(set) var behind = DurationHistogram()
  /// The longest runs, the longest first.
  public private(set) var slowest: [Slow] = []
  /// Those that waited longest behind other work, the longest first.
  public private(set) var mostDelayed: [Slow] = []
  /// The most work that waited at a time, and when.
  public private(set) var deepest: (depth: Int, event: EventMoment)?

  private var depth = 0
  private var active = 0
  private var busySince: Int64 = .min
  private var idleSince: Int64 = .min

  /// A pause shorter than this between two pieces of work is the scheduler's own: it was busy.
  private static let shortestPause: Int64 = 200_000
  /// So many slow ones are kept.
  private static let kept = 10

  init(id: UInt32) { self.id = id }

  mutating func give(at moment: EventMoment) {
    given += 1
    depth += 1
    if depth > deepest?.depth ?? 0 { deepest = (depth, moment) }
  }

  mutating func cancel() {
    cancelled += 1
    depth -= 1
  }

  mutating func begin(_ event: EventMoment, at time: Int64, given: (EventMoment, Int64)?) {
    if active == 0, idleSince == .min || time - idleSince >= Self.shortestPause {
      busySince = time
    }
    active += 1
    guard let (_, since) = given else { return }
    depth -= 1
    wait.add(UInt64(max(time - since, 0)))
    let waitedBehind = UInt64(max(time - max(since, busySince), 0))
    behind.add(waitedBehind)
    Self.keep(Slow(event: event, nanoseconds: waitedBehind), in: &mostDelayed)
  }

  mutating func end(began event: EventMoment, _ since: Int64, at time: Int64) {
    active -= 1
    idleSince = time
    let duration = UInt64(max(time - since, 0))
    run.add(duration)
    Self.keep(Slow(event: event, nanoseconds: duration), in: &slowest)
  }

  private static func keep(_ slow: Slow, in list: inout [Slow]) {
    guard list.count < kept || slow.nanoseconds > list[list.count - 1].nanoseconds else { return }
    let place = list.firstIndex { $0.nanoseconds < slow.nanoseconds } ?? list.count
    list.insert(slow, at: place)
    if list.count > kept { list.removeLast() }
  }
}
