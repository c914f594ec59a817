public import Dispatch

/// Runs actions on a serial queue of Dispatch, one at a time, in the order of scheduling, and never
/// inside the call that schedules them.
///
///     let background = QueueScheduler(qos: .userInitiated, name: "search")
///     query.observe(on: background)
///
/// What is pending runs also when nobody keeps the scheduler. Its clock shows the time since the
/// machine was started, as `DispatchTime` does.
public final class QueueScheduler: TimedScheduler, CustomStringConvertible {
  /// Runs actions on the main queue, never inside the call; `UIScheduler` does that where it can.
  public static let main = QueueScheduler(
    SchedulerIdentity(name: "QueueScheduler.main", queue: .main), on: .main)

  /// The queue that the actions run on.
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
    // Actions that are still queued use the identity without retaining it: this comes after them.
    queue.async { [identity] in withExtendedLifetime(identity) {} }
  }

  /// Creates a scheduler with a serial queue of its own.
  ///
  /// - Parameters:
  ///   - qos: how urgent its work is to the system.
  ///   - name: the queue's label, which traces show as `QueueScheduler(name)`.
  ///   - targetQueue: the queue that lends its threads; two schedulers that target one serial queue
  ///     never run at the same time.
  public convenience init(
    qos: DispatchQoS = .unspecified, name: String = "varve",
    targeting targetQueue: DispatchQueue? = nil
  ) {
    let queue = DispatchQueue(label: name, qos: qos, target: targetQueue)
    self.init(SchedulerIdentity(name: "QueueScheduler(\(name))", queue: queue), on: queue)
  }

  /// What the scheduler's clock shows: nanoseconds since the machine was started.
  public var now: SchedulerInstant { .uptime }

  /// Runs `action` on the queue, after all that was scheduled before.
  ///
  /// - Returns: what prevents the action from beginning.
  @preconcurrency
  @discardableResult
  public func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
    let work = ScheduledWork(action, by: identity)
    KnownHop.perform { queue.async { work.run() } }
    return work
  }

  /// What schedules `work` again and again without an allocation each time.
  func trigger(for work: HandOffAction) -> HandOffTrigger {
    QueueTrigger(work, by: identity, on: queue)
  }

  /// Runs `action` on the queue when the clock has reached `instant`. Actions that are due come in
  /// order of their dates, and in the order of scheduling where those are equal.
  ///
  /// - Returns: what prevents the action from beginning.
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
  /// - Returns: what prevents further ticks from beginning.
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
  /// What the clock of queue schedulers shows.
  static var uptime: SchedulerInstant {
    SchedulerInstant(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
  }
}

extension DispatchTime {
  /// The same moment of the clock that counts since the machine was started.
  init(_ instant: SchedulerInstant) {
    self =
      instant == .distantFuture
      ? .distantFuture
      : DispatchTime(uptimeNanoseconds: UInt64(clamping: max(1, instant.nanoseconds)))
  }
}
