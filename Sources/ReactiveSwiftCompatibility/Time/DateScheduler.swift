public import Dispatch
public import Foundation

/// A scheduler with a clock that shows dates.
///
/// To conform, implement these three requirements and that of `Scheduler`; those of
/// `TimedScheduler` have default implementations.
@preconcurrency
public protocol DateScheduler: TimedScheduler {
  /// The current date of the scheduler's clock.
  var currentDate: Date { get }

  /// Runs `action` at `date` or as soon as possible after it.
  ///
  /// - Returns: a disposable that prevents the action from beginning.
  @preconcurrency
  @discardableResult
  func schedule(after date: Date, action: @escaping @Sendable () -> Void) -> (any Disposable)?

  /// Runs `action` at `date` and then every `interval`, until it is disposed of.
  ///
  /// - Returns: a disposable that prevents further ticks from beginning.
  @preconcurrency
  @discardableResult
  func schedule(
    after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
    action: @escaping @Sendable () -> Void
  ) -> (any Disposable)?
}

/// The requirements of `TimedScheduler` in terms of dates. Instants count nanoseconds since 2001.
extension DateScheduler {
  /// The current time of the scheduler's clock, in nanoseconds since the reference date.
  public var now: SchedulerInstant { SchedulerInstant(currentDate) }

  /// Runs `action` once the clock has reached `instant`.
  ///
  /// - Returns: a disposable that prevents the action from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(
    at instant: SchedulerInstant, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    schedule(after: date(of: instant), action: action)
  }

  /// Runs `action` at `start` and then every `interval`, until it is disposed of.
  ///
  /// - Returns: a disposable that prevents further ticks from beginning.
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

  /// Runs `action` after `delay` and then every `interval`, until it is disposed of.
  ///
  /// - Returns: a disposable that prevents further ticks from beginning.
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

  /// Returns the date of an instant, computed from the current date, because such a scheduler
  /// compares its clock with the sum of a date and an interval, to the last bit.
  private func date(of instant: SchedulerInstant) -> Date {
    let current = currentDate
    return current.addingTimeInterval((instant - SchedulerInstant(current)).inSeconds)
  }
}

extension TimedScheduler {
  /// Returns the instant of a date, given the current date. It is computed from now and rounded to
  /// the precision of dates, so that a date and the corresponding interval from now lead to the
  /// same instant.
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
