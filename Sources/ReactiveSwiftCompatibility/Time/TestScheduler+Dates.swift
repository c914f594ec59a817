public import Dispatch
public import Foundation

extension TestScheduler: DateScheduler {
  /// Creates a scheduler with a clock that shows `startDate`.
  public convenience init(startDate: Date) {
    self.init(startingAt: SchedulerInstant(startDate))
  }

  /// The current date of the clock, which counts nanoseconds since the reference date.
  public var currentDate: Date { Date(now) }

  /// Runs `action` when the clock is moved to `date` or past it.
  ///
  /// - Returns: a disposable that prevents the action from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(
    after date: Date, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    schedule(at: instant(of: date), action: action)
  }

  /// Runs `action` when the clock has been advanced by `delay`.
  ///
  /// - Returns: a disposable that prevents the action from beginning.
  @preconcurrency
  @discardableResult
  @_disfavoredOverload
  public func schedule(
    after delay: DispatchTimeInterval, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    schedule(at: now + Duration(delay), action: action)
  }

  /// Runs `action` at `date` and then every `interval`, until it is disposed of. The leeway is
  /// ignored.
  ///
  /// - Returns: a disposable that prevents further ticks from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(
    after date: Date, interval: DispatchTimeInterval,
    leeway: DispatchTimeInterval = .seconds(0), action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    schedule(
      at: instant(of: date), every: Duration(interval),
      leeway: Duration(leeway), action: action)
  }
}

// MARK: Moving the clock

extension TestScheduler {
  /// Moves the clock forward and runs the actions that become due on the way.
  public func advance(by interval: DispatchTimeInterval) { advance(by: Duration(interval)) }

  /// Moves the clock forward and runs the actions that become due on the way.
  public func advance(by interval: TimeInterval) { advance(by: Duration(interval)) }

  /// Moves the clock forward to `newDate` and runs the actions that become due on the way.
  public func advance(to newDate: Date) { advance(to: instant(of: newDate)) }

  /// Moves the clock back. No action runs, and none is undone.
  public func rewind(by interval: DispatchTimeInterval) { rewind(by: Duration(interval)) }

  /// Runs all scheduled actions, including those scheduled on the way, until none is left. The
  /// clock then shows `Date.distantFuture`. Stops the program after 1,000,000 actions if more are
  /// scheduled; `run(limit:)` throws instead and leaves the clock at the last action.
  public func run() {
    do {
      try run(limit: 1_000_000)
    } catch {
      preconditionFailure("Varve: \(error)")
    }
    if now < .dateOfDistantFuture { advance(to: SchedulerInstant.dateOfDistantFuture) }
  }

  /// Returns the instant of a date. It is computed from now, unless only one of the two is in the
  /// distant future.
  func instant(of date: Date) -> SchedulerInstant {
    let current = currentDate
    return date.isInDistantFuture == current.isInDistantFuture
      ? instant(of: date, from: current) : SchedulerInstant(date)
  }
}
