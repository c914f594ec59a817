public import Dispatch
public import Foundation

extension QueueScheduler: DateScheduler {
  /// The current date.
  public var currentDate: Date { Date() }

  /// Runs `action` on the queue at `date`.
  ///
  /// - Returns: a disposable that prevents the action from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(
    after date: Date, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    schedule(at: instant(of: date, from: currentDate), action: action)
  }

  /// Runs `action` on the queue at `date` and then every `interval`, until it is disposed of, with a
  /// leeway of a tenth of the interval.
  ///
  /// - Returns: a disposable that prevents further ticks from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(
    after date: Date, interval: DispatchTimeInterval, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    schedule(
      at: instant(of: date, from: currentDate), every: Duration(interval),
      leeway: Duration(interval) / 10, action: action)
  }

  /// Runs `action` on the queue at `date` and then every `interval`, until it is disposed of.
  ///
  /// - Returns: a disposable that prevents further ticks from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(
    after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
    action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    schedule(
      at: instant(of: date, from: currentDate), every: Duration(interval),
      leeway: Duration(leeway), action: action)
  }
}
