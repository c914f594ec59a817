/// A moment on a scheduler's clock, in nanoseconds since that clock's own beginning.
///
/// Moments of different schedulers have nothing to do with each other: one counts since the machine
/// was started, another shows a test's virtual time. Arithmetic stops at the ends of the range
/// (292 years each way), so that an endless delay is a moment that never comes.
@frozen
public struct SchedulerInstant: InstantProtocol, CustomStringConvertible {
  /// Nanoseconds since the clock's beginning.
  public var nanoseconds: Int64

  /// Creates a moment.
  @inlinable
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The moment that no clock reaches.
  public static let distantFuture = SchedulerInstant(nanoseconds: .max)

  /// The moment that is `duration` later.
  public func advanced(by duration: Duration) -> SchedulerInstant {
    let step = duration.wholeNanoseconds
    if step == .max || step == .min { return SchedulerInstant(nanoseconds: step) }
    let (sum, overflow) = nanoseconds.addingReportingOverflow(step)
    guard overflow else { return SchedulerInstant(nanoseconds: sum) }
    return SchedulerInstant(nanoseconds: step < 0 ? .min : .max)
  }

  /// How much later `other` is.
  public func duration(to other: SchedulerInstant) -> Duration {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }

  /// The later of two moments comes last.
  @inlinable
  public static func < (left: SchedulerInstant, right: SchedulerInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The moment that is `duration` later.
  public static func + (instant: SchedulerInstant, duration: Duration) -> SchedulerInstant {
    instant.advanced(by: duration)
  }

  /// The moment that is `duration` earlier.
  public static func - (instant: SchedulerInstant, duration: Duration) -> SchedulerInstant {
    instant.advanced(by: .zero - duration)
  }

  /// How much later `left` is than `right`.
  public static func - (left: SchedulerInstant, right: SchedulerInstant) -> Duration {
    right.duration(to: left)
  }

  /// Seconds since the clock's beginning: `1.5 seconds`.
  public var description: String {
    Duration.nanoseconds(nanoseconds).description
  }
}

extension Duration {
  /// Nanoseconds, rounded up because nothing may come early, and held within the range.
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
