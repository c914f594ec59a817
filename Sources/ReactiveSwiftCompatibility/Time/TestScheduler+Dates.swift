public import Dispatch
public import Foundation

extension TestScheduler: DateScheduler {
  /// Creates a scheduler whose clock shows `startDate`.
  public convenience init(startDate: Date) {
    self.init(startingAt: SchedulerInstant(startDate))
  }

  /// What the clock shows: its nanoseconds are those since the reference date.
  public var currentDate: Date { Date(now) }

  /// Runs `action` when the clock is moved to `date` or past it.
  ///
  /// - Returns: what prevents the action from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(
    after date: Date, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    schedule(at: instant(of: date), action: action)
  }

  /// Runs `action` when the clock has been moved by `delay`.
  ///
  /// - Returns: what prevents the action from beginning.
  @preconcurrency
  @discardableResult
  @_disfavoredOverload
  public func schedule(
    after delay: DispatchTimeInterval, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    schedule(at: now + Duration(delay), action: action)
  }

  /// Runs `action` at `date` and then every `interval`, until it is disposed of. The leeway is not
  /// made use of.
  ///
  /// - Returns: what prevents further ticks from beginning.
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
  /// Moves the clock forward and runs what becomes due on the way.
  public func advance(by interval: DispatchTimeInterval) { advance(by: Duration(interval)) }

  /// Moves the clock forward and runs what becomes due on the way.
  public func advance(by interval: TimeInterval) { advance(by: Duration(interval)) }

  /// Moves the clock forward to `newDate` and runs what becomes due on the way.
  public func advance(to newDate: Date) { advance(to: instant(of: newDate)) }

  /// Moves the clock back. Nothing runs, and nothing that has run is undone.
  public func rewind(by interval: DispatchTimeInterval) { rewind(by: Duration(interval)) }

  /// Runs everything that is scheduled, and what that schedules, until nothing is left; the clock
  /// then shows `Date.distantFuture`. Stops the program when there is no end in sight; `run(limit:)`
  /// throws instead, and leaves the clock at the last action.
  public func run() {
    do {
      try run(limit: 1_000_000)
    } catch {
      preconditionFailure("Varve: \(error)")
    }
    if now < .dateOfDistantFuture { advance(to: SchedulerInstant.dateOfDistantFuture) }
  }

  /// The instant of a date: reckoned from now, unless the distant future lies between.
  func instant(of date: Date) -> SchedulerInstant {
    let current = currentDate
    return date.isInDistantFuture == current.isInDistantFuture
      ? instant(of: date, from: current) : SchedulerInstant(date)
  }
}
