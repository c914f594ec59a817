public import Dispatch
public import Foundation

/// A scheduler whose clock shows dates.
///
/// Conform your own scheduler by these four requirements; those of `TimedScheduler` follow.
@preconcurrency
public protocol DateScheduler: TimedScheduler {
  /// What the scheduler's clock shows.
  var currentDate: Date { get }

  /// Runs `action` at `date` or as soon as possible after it.
  ///
  /// - Returns: what prevents the action from beginning.
  @preconcurrency
  @discardableResult
  func schedule(after date: Date, action: @escaping @Sendable () -> Void) -> (any Disposable)?

  /// Runs `action` at `date` and then every `interval`, until it is disposed of.
  ///
  /// - Returns: what prevents further ticks from beginning.
  @preconcurrency
  @discardableResult
  func schedule(
    after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
    action: @escaping @Sendable () -> Void
  ) -> (any Disposable)?
}

/// What a scheduler that thinks in dates has to say of instants: nanoseconds since 2001.
extension DateScheduler {
  /// What the scheduler's clock shows, in nanoseconds since the reference date.
  public var now: SchedulerInstant { SchedulerInstant(currentDate) }

  /// Runs `action` when the clock has reached `instant`.
  ///
  /// - Returns: what prevents the action from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(
    at instant: SchedulerInstant, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    schedule(after: date(of: instant), action: action)
  }

  /// Runs `action` at `start` and then every `interval`, until it is disposed of.
  ///
  /// - Returns: what prevents further ticks from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(
    at start: SchedulerInstant, every interval: Duration, leeway: Duration,
    action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    schedule(
      after: date(of: start), interval: DispatchTimeInterval(interval),
      leeway: DispatchTimeInterval(leeway), action: action)
  }

  /// Runs `action` when `delay` has passed and then every `interval`, until it is disposed of.
  ///
  /// - Returns: what prevents further ticks from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(
    after delay: DispatchTimeInterval, interval: DispatchTimeInterval,
    leeway: DispatchTimeInterval = .seconds(0), action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    schedule(
      after: currentDate.addingTimeInterval(Duration(delay).inSeconds), interval: interval,
      leeway: leeway, action: action)
  }

  /// The date of an instant: reckoned from now, because the sum of a date and an interval is what
  /// such a scheduler compares its clock with, to the last bit.
  private func date(of instant: SchedulerInstant) -> Date {
    let current = currentDate
    return current.addingTimeInterval((instant - SchedulerInstant(current)).inSeconds)
  }
}

extension TimedScheduler {
  /// The instant of a date, given what the clock shows: reckoned from now, and as fine as dates are,
  /// so that a date and an interval from now mean the same instant.
  func instant(of date: Date, from current: Date) -> SchedulerInstant {
    let interval = date.timeIntervalSince(current)
    let stepsInSecond: Double? =
      switch current.timeIntervalSinceReferenceDate.ulp {
      case ...1e-9: nil
      case ...1e-6: 1e6
      default: 1e5
      }
    guard let stepsInSecond else { return now + Duration(interval) }
    return now + Duration((interval * stepsInSecond).rounded() / stepsInSecond)
  }
}
