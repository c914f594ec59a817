/// A point in time on a scheduler's clock, in nanoseconds since the beginning of that clock.
///
/// Instants of different schedulers are unrelated: one clock counts since the machine was started,
/// another shows the virtual time of a test. Arithmetic saturates at the ends of the range (292
/// years each way), so that an endless delay leads to an instant that is never reached.
@frozen
public struct SchedulerInstant: InstantProtocol, CustomStringConvertible {
  /// The nanoseconds since the beginning of the clock.
  public var nanoseconds: Int64

  /// Creates an instant.
  @inlinable
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// An instant that no clock reaches.
  public static let distantFuture = SchedulerInstant(nanoseconds: .max)

  /// Returns the instant that is `duration` later.
  public func advanced(by duration: Duration) -> SchedulerInstant {
    let step = duration.wholeNanoseconds
    if step == .max || step == .min { return SchedulerInstant(nanoseconds: step) }
    let (sum, overflow) = nanoseconds.addingReportingOverflow(step)
    guard overflow else { return SchedulerInstant(nanoseconds: sum) }
    return SchedulerInstant(nanoseconds: step < 0 ? .min : .max)
  }

  /// Returns the time from this instant to `other`.
  public func duration(to other: SchedulerInstant) -> Duration {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }

  /// Returns whether `left` is earlier than `right`.
  @inlinable
  public static func < (left: SchedulerInstant, right: SchedulerInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Returns the instant that is `duration` later.
  public static func + (instant: SchedulerInstant, duration: Duration) -> SchedulerInstant {
    instant.advanced(by: duration)
  }

  /// Returns the instant that is `duration` earlier.
  public static func - (instant: SchedulerInstant, duration: Duration) -> SchedulerInstant {
    instant.advanced(by: .zero - duration)
  }

  /// Returns the time from `right` to `left`.
  public static func - (left: SchedulerInstant, right: SchedulerInstant) -> Duration {
    right.duration(to: left)
  }

  /// The time since the beginning of the clock: `1.5 seconds`.
  public var description: String {
    Duration.nanoseconds(nanoseconds).description
  }
}

extension Duration {
  /// The duration in nanoseconds, rounded up, because nothing may come early, and clamped to the
  /// range.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    var (rest, remainder) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if remainder > 0 { rest += 1 }
    let (product, tooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, stillTooLarge) = product.addingReportingOverflow(rest)
    guard tooLarge || stillTooLarge else { return sum }
    return seconds < 0 ? .min : .max
  }
}
