/// A scheduler that has a clock and can run actions later.
@preconcurrency
public protocol TimedScheduler: Scheduler {
  /// What this scheduler's clock shows.
  var now: SchedulerInstant { get }

  /// Runs `action` when the clock has reached `instant`, never before.
  ///
  /// - Returns: what prevents the action from beginning.
  @preconcurrency
  @discardableResult
  func schedule(
    at instant: SchedulerInstant, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)?

  /// Runs `action` at `start` and then again and again, until it is disposed of: tick *n* is due at
  /// `start + n · interval`, however long the ticks before it took. Ticks that were missed become
  /// one, and a tick does not begin while another runs.
  ///
  /// - Parameters:
  ///   - start: when the first tick is due.
  ///   - interval: the time from one tick to the next.
  ///   - leeway: how much later than due a tick may come when that saves energy.
  ///   - action: what is run.
  /// - Returns: what prevents further ticks from beginning.
  @preconcurrency
  @discardableResult
  func schedule(
    at start: SchedulerInstant, every interval: Duration, leeway: Duration,
    action: @escaping @Sendable () -> Void
  ) -> (any Disposable)?
}

extension TimedScheduler {
  /// Runs `action` when `delay` has passed.
  ///
  /// - Returns: what prevents the action from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(
    after delay: Duration, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    hop(at: now + delay, action)
  }

  /// Runs `action` when `delay` has passed and then every `interval`, until it is disposed of.
  ///
  /// - Returns: what prevents further ticks from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(
    after delay: Duration, every interval: Duration, leeway: Duration = .zero,
    action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    hop(at: now + delay, every: interval, leeway: leeway, action)
  }
}
