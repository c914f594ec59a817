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
  public var now: SchedulerInstant {
    SchedulerInstant(nanoseconds: 0) + Duration(currentDate.timeIntervalSinceReferenceDate)
  }

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
    let now =
      SchedulerInstant(nanoseconds: 0) + Duration(current.timeIntervalSinceReferenceDate)
    return current.addingTimeInterval((instant - now).inSeconds)
  }
}

extension TimedScheduler {
  /// The instant of a date, given what the clock shows: reckoned from now, and to the microsecond
  /// where dates are no finer, so that a date and an interval from now mean the same instant.
  func instant(of date: Date, from current: Date) -> SchedulerInstant {
    let interval = date.timeIntervalSince(current)
    let isCoarse = current.timeIntervalSinceReferenceDate.ulp > 1e-9
    let delay = isCoarse ? (interval * 1e6).rounded() / 1e6 : interval
    return now + Duration(delay)
  }
}
