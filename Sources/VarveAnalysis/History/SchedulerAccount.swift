/// How long work waited at one scheduler, and how long it ran.
public struct SchedulerAccount: Sendable {
  /// A piece of work that took long.
  public struct Slow: Sendable, Hashable {
    /// The event that began the work.
    public var event: EventMoment
    /// How long it took, in nanoseconds.
    public var nanoseconds: UInt64
  }

  /// The scheduler.
  public let id: UInt32
  /// The number of pieces of work given to it.
  public private(set) var given: UInt64 = 0
  /// The number of those that were cancelled.
  public private(set) var cancelled: UInt64 = 0
  /// Times from scheduling to beginning, in nanoseconds; requested delays count as waiting.
  public private(set) var wait = DurationHistogram()
  /// Times from beginning to returning, in nanoseconds.
  public private(set) var run = DurationHistogram()
  /// The parts of the waiting times during which the scheduler was busy with other work.
  public private(set) var behind = DurationHistogram()
  /// The longest runs, longest first.
  public private(set) var slowest: [Slow] = []
  /// The work that waited longest behind other work, longest first.
  public private(set) var mostDelayed: [Slow] = []
  /// The greatest number of pieces of work waiting at one time, and when.
  public private(set) var deepest: (depth: Int, event: EventMoment)?

  private var depth = 0
  private var active = 0
  private var busySince: Int64 = .min
  private var idleSince: Int64 = .min

  /// Between two pieces of work, a pause shorter than this, in nanoseconds, counts as busy: it is
  /// the scheduler's own overhead.
  private static let shortestPause: Int64 = 200_000
  /// The number of slow pieces kept.
  private static let kept = 10

  init(id: UInt32) { self.id = id }

  mutating func give(at moment: EventMoment, isKept: Bool) {
    given += 1
    // Work that is not remembered cannot be matched with its beginning.
    guard isKept else { return }
    depth += 1
    if depth > deepest?.depth ?? 0 { deepest = (depth, moment) }
  }

  mutating func cancel() {
    cancelled += 1
    depth -= 1
  }

  mutating func begin(
    _ event: EventMoment, at time: Int64, isKept: Bool, given: (EventMoment, Int64)?,
    _ walk: TraceWalk
  ) {
    if active == 0, idleSince == .min || time - idleSince >= Self.shortestPause {
      busySince = time
    }
    if isKept { active += 1 }
    guard let (_, since) = given else { return }
    depth -= 1
    let isCounted = wait.add(UInt64(max(time - since, 0)), walk)
    let waitedBehind = UInt64(max(time - max(since, busySince), 0))
    Self.keep(Slow(event: event, nanoseconds: waitedBehind), in: &mostDelayed)
    if !behind.add(waitedBehind, walk) || !isCounted { walk.passOver(.work) }
  }

  mutating func end(
    began event: EventMoment, _ since: Int64, at time: Int64, _ walk: TraceWalk
  ) {
    active -= 1
    idleSince = time
    let duration = UInt64(max(time - since, 0))
    Self.keep(Slow(event: event, nanoseconds: duration), in: &slowest)
    if !run.add(duration, walk) { walk.passOver(.work) }
  }

  private static func keep(_ slow: Slow, in list: inout [Slow]) {
    guard list.count < kept || slow.nanoseconds > list[list.count - 1].nanoseconds else { return }
    let place = list.firstIndex { $0.nanoseconds < slow.nanoseconds } ?? list.count
    list.insert(slow, at: place)
    if list.count > kept { list.removeLast() }
  }
}
