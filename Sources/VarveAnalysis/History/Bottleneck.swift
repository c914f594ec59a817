internal import VarveFormat

/// The scheduler whose work waits longest, and what it waits for.
public struct Bottleneck: Sendable {
  /// The reason why work waits.
  public enum Cause: Sendable {
    /// An operator gives the scheduler work faster than its own work is done.
    case queues(UInt32)
    /// One step of a piece of work takes long, and other work waits for it.
    case step(LongestStep)
    /// Likewise, and an operator moved that work there, to begin an input, from another scheduler.
    case moved(LongestStep, by: UInt32, from: UInt32)
  }

  /// The scheduler.
  public var scheduler: UInt32
  /// The longest time that work waited behind other work, in nanoseconds.
  public var waited: UInt64
  /// The greatest number of pieces of work waiting at a time.
  public var depth: Int
  /// The longest run of a piece of work, in nanoseconds.
  public var longest: UInt64
  /// Why.
  public var cause: Cause

  /// Finds the worst of some schedulers; nil if nothing ran.
  public init?(
    of schedulers: some Sequence<SchedulerAccount>, lookup: EventLookup, _ places: StreamPlaces
  ) {
    let worst = schedulers.max {
      ($0.behind.longest, $0.run.longest, $1.id) < ($1.behind.longest, $1.run.longest, $0.id)
    }
    guard let worst, let slowest = worst.slowest.first else { return nil }
    scheduler = worst.id
    waited = worst.behind.longest
    depth = worst.deepest?.depth ?? 0
    longest = slowest.nanoseconds
    let waiting = Set(
      worst.mostDelayed.filter { $0.nanoseconds > worst.behind.longest / 2 }
        .compactMap { Self.deliverer(of: $0, lookup) })
    if let slow = Self.deliverer(of: slowest, lookup), waiting == [slow] {
      cause = .queues(slow)
    } else if let step = LongestStep(ofWorkBegunBy: slowest.event.name, in: lookup, places) {
      cause =
        Self.mover(of: slowest, from: worst.id, lookup, places)
        .map { .moved(step, by: $0.stream, from: $0.scheduler) } ?? .step(step)
    } else {
      return nil
    }
  }

  /// The maximum number of events between the moving of work and the run in which that happened.
  private static let mostBehind = 24

  /// Returns the operator that moved a piece of work to its scheduler, to begin an input there, from a
  /// run of another scheduler, and that one; nil if none did.
  private static func mover(
    of work: SchedulerAccount.Slow, from scheduler: UInt32, _ lookup: EventLookup,
    _ places: StreamPlaces
  ) -> (stream: UInt32, scheduler: UInt32)? {
    guard let began = lookup[work.event.name], began.runTask == nil,
      let scheduled = began.causes.first.flatMap({ lookup[$0] }), scheduled.kind == .hopScheduled,
      let stream = QueuedWork.started(by: scheduled, among: places.startingElsewhere, lookup),
      let run = lookup.way(to: scheduled.name, most: mostBehind).dropFirst()
        .first(where: { $0.kind == .hopBegan }),
      run.ring == scheduled.ring, run.runTask == nil, run.stream != scheduler
    else { return nil }
    return (stream, run.stream)
  }

  /// The number of events of a piece of work among which its first delivery is looked for.
  private static let mostEvents = 8

  /// Returns the operator that delivers by means of a piece of work.
  private static func deliverer(of work: SchedulerAccount.Slow, _ lookup: EventLookup) -> UInt32? {
    guard var event = lookup[work.event.name] else { return nil }
    for _ in 0..<mostEvents {
      guard let next = lookup.next(after: event) else { return nil }
      switch next.kind {
      case .value, .failed, .completed, .interrupted: return next.stream
      case .hopEnded: return nil
      default: event = next
      }
    }
    return nil
  }
}
