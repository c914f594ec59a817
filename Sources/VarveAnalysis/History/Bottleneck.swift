internal import VarveFormat

/// The scheduler whose work waits longest, and what it waits for.
public struct Bottleneck: Sendable {
  /// The reason why work waits.
  public enum Cause: Sendable {
    /// An operator gives the scheduler work faster than its own work is done.
    case queues(UInt32)
    /// One step of a piece of work takes long, and other work waits for it.
    case step(LongestStep)
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
      cause = .step(step)
    } else {
      return nil
    }
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
