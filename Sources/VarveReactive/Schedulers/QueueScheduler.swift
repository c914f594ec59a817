public import Dispatch

/// A scheduler that runs actions on a serial Dispatch queue, one at a time, in the order of
/// scheduling, and never inside the call that schedules them.
///
///     let background = QueueScheduler(qos: .userInitiated, name: "search")
///     query.observe(on: background)
///
/// Pending actions run even after the scheduler has been released. The clock shows the time since
/// the machine was started, as `DispatchTime` does.
public final class QueueScheduler: TimedScheduler, CustomStringConvertible {
  /// A scheduler on the main queue. It never runs actions inside the scheduling call, unlike
  /// `UIScheduler`.
  public static let main = QueueScheduler(
    SchedulerIdentity(name: "QueueScheduler.main", queue: .main), on: .main)

  /// The queue that runs the actions.
  public let queue: DispatchQueue

  private let identity: SchedulerIdentity
  private let timers: QueueTimers

  init(_ identity: SchedulerIdentity, on queue: DispatchQueue) {
    self.queue = queue
    self.identity = identity
    timers = QueueTimers(queue: queue)
    identity.scheduler = self
  }

  deinit {
    // Queued actions use the identity without retaining it; this block runs after them.
    queue.async { [identity] in withExtendedLifetime(identity) {} }
  }

  /// Creates a scheduler with its own serial queue.
  ///
  /// - Parameters:
  ///   - qos: the quality of service of the queue.
  ///   - name: the label of the queue; traces show it as `QueueScheduler(name)`.
  ///   - targetQueue: the target queue; two schedulers that target the same serial queue never run
  ///     at the same time.
  public convenience init(
    qos: DispatchQoS = .unspecified, name: String = "varve",
    targeting targetQueue: DispatchQueue? = nil
  ) {
    let queue = DispatchQueue(label: name, qos: qos, target: targetQueue)
    self.init(SchedulerIdentity(name: "QueueScheduler(\(name))", queue: queue), on: queue)
  }

  /// The current time of the scheduler's clock: nanoseconds since the machine was started.
  public var now: SchedulerInstant { .uptime }

  /// Runs `action` on the queue, after all previously scheduled actions.
  ///
  /// - Returns: a disposable that prevents the action from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
    let work = ScheduledWork(action, by: identity)
    KnownHop.perform { queue.async { work.run() } }
    return work
  }

  /// Returns a trigger that schedules `work` repeatedly, without an allocation each time.
  func trigger(for work: HandOffAction) -> HandOffTrigger {
    QueueTrigger(work, by: identity, on: queue)
  }

  /// Runs `action` on the queue once the clock has reached `instant`. Due actions run in order of
  /// their dates and, for equal dates, in the order of scheduling.
  ///
  /// - Returns: a disposable that prevents the action from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(
    at instant: SchedulerInstant, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    let work = ScheduledWork(action, by: identity, keeping: self)
    timers.insert(work, at: instant)
    return work
  }

  /// Runs `action` on the queue at `start` and then every `interval`, until it is disposed of.
  ///
  /// - Returns: a disposable that prevents further ticks from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(
    at start: SchedulerInstant, every interval: Duration, leeway: Duration,
    action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    precondition(interval >= .zero, "A timer's interval must not be negative.")
    precondition(leeway >= .zero, "A timer's leeway must not be negative.")
    let work = RepeatingWork(action, by: identity)
    let source = DispatchSource.makeTimerSource(
      flags: leeway == .zero ? .strict : [], queue: queue)
    work.stopTimer = { source.cancel() }
    // The handler keeps the scheduler and the work alive until the work is disposed of.
    source.setEventHandler { withExtendedLifetime(self) { work.tick() } }
    source.schedule(
      deadline: DispatchTime(start),
      repeating: .nanoseconds(max(1, Int(interval.wholeNanoseconds))),
      leeway: .nanoseconds(Int(leeway.wholeNanoseconds)))
    source.activate()
    return work
  }

  /// `QueueScheduler(name)`.
  public var description: String { identity.name }
}

extension SchedulerInstant {
  /// The current time of the clock of queue schedulers.
  static var uptime: SchedulerInstant {
    SchedulerInstant(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
  }
}

extension DispatchTime {
  /// Creates the time for an instant of the clock that counts since the machine was started.
  init(_ instant: SchedulerInstant) {
    self =
      instant == .distantFuture
      ? .distantFuture
      : DispatchTime(uptimeNanoseconds: UInt64(clamping: max(1, instant.nanoseconds)))
  }
}
