/// A scheduler that has a clock and can run actions later.
@preconcurrency
public protocol TimedScheduler: Scheduler {
  /// The current time of this scheduler's clock.
  var now: SchedulerInstant { get }

  /// Runs `action` once the clock has reached `instant`, never earlier.
  ///
  /// - Returns: a disposable that prevents the action from beginning.
  @preconcurrency
  @discardableResult
  func schedule(
    at instant: SchedulerInstant, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)?

  /// Runs `action` at `start` and then repeatedly, until it is disposed of. Tick *n* is due at
  /// `start + n · interval`, however long the previous ticks took. Missed ticks are combined into
  /// one, and a tick does not begin while another is running.
  ///
  /// - Parameters:
  ///   - start: the instant at which the first tick is due.
  ///   - interval: the time from one tick to the next.
  ///   - leeway: the delay of a tick that is acceptable if it saves energy.
  ///   - action: the action to run.
  /// - Returns: a disposable that prevents further ticks from beginning.
  @preconcurrency
  @discardableResult
  func schedule(
    at start: SchedulerInstant, every interval: Duration, leeway: Duration,
    action: @escaping @Sendable () -> Void
  ) -> (any Disposable)?
}

extension TimedScheduler {
  /// Runs `action` after `delay`.
  ///
  /// - Returns: a disposable that prevents the action from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(
    after delay: Duration, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    hop(at: now + delay, action)
  }

  /// Runs `action` after `delay` and then every `interval`, until it is disposed of.
  ///
  /// - Returns: a disposable that prevents further ticks from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(
    after delay: Duration, every interval: Duration, leeway: Duration = .zero,
    action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    hop(at: now + delay, every: interval, leeway: leeway, action)
  }
}
