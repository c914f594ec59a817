internal import CVarveSystem
internal import Synchronization
internal import VarveProbe

// The library schedules its own work with `hop`. Its schedulers record their hops themselves;
// actions for a client's scheduler are wrapped, so that traces and backtraces follow them as well.
// While neither is wanted, `hop` is `schedule`.

extension Scheduler {
  /// Schedules an action as `schedule` does, and follows it on any scheduler.
  @inline(__always)
  @discardableResult
  func hop(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
    guard Hop.areFollowed, let identity = OwnSchedulers.identity(of: self) else {
      return schedule(action)
    }
    let work = FollowedAction(action, by: identity)
    return schedule { work.run() }
  }
}

extension TimedScheduler {
  /// Schedules an action as `schedule(at:)` does, and follows it on any scheduler.
  @inline(__always)
  @discardableResult
  func hop(
    at instant: SchedulerInstant, _ action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    guard Hop.areFollowed, let identity = OwnSchedulers.identity(of: self) else {
      return schedule(at: instant, action: action)
    }
    let work = FollowedAction(action, by: identity)
    return schedule(at: instant) { work.run() }
  }

  /// Schedules an action as `schedule(at:every:leeway:)` does, and follows its ticks on any
  /// scheduler.
  @inline(__always)
  @discardableResult
  func hop(
    at start: SchedulerInstant, every interval: Duration, leeway: Duration,
    _ action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    guard Hop.areFollowed, let identity = OwnSchedulers.identity(of: self) else {
      return schedule(at: start, every: interval, leeway: leeway, action: action)
    }
    let ticks = FollowedTicks(action, by: identity)
    return schedule(at: start, every: interval, leeway: leeway) { ticks.run() }
  }
}

/// An action that is handed over by code without knowledge of hops.
///
/// It does not change how the action is handled: disposal is left to the scheduler, and an action
/// that is run twice runs twice.
final class FollowedAction: Sendable {
  private let action: @Sendable () -> Void
  private let scheduler: SchedulerIdentity
  private let hop: Hop
  private let isUsedUp = Atomic<Bool>(false)

  init(_ action: @escaping @Sendable () -> Void, by scheduler: SchedulerIdentity) {
    self.action = action
    self.scheduler = scheduler
    hop = Hop.scheduled(by: scheduler)
  }

  /// An action that was released will never run.
  deinit {
    if !isUsedUp.load(ordering: .relaxed) { hop.cancelled() }
  }

  func run() {
    if isUsedUp.exchange(true, ordering: .acquiringAndReleasing) {
      action()
    } else {
      hop.perform(by: scheduler, action)
    }
  }
}

/// An action that is run repeatedly by code without knowledge of hops, with the same hop each time.
private final class FollowedTicks: Sendable {
  private let action: @Sendable () -> Void
  private let scheduler: SchedulerIdentity
  private let hop: Hop

  init(_ action: @escaping @Sendable () -> Void, by scheduler: SchedulerIdentity) {
    self.action = action
    self.scheduler = scheduler
    hop = Hop.scheduled(by: scheduler)
  }

  deinit { hop.cancelled() }

  func run() { hop.shared().perform(by: scheduler, action) }
}

/// The identities of schedulers that do not belong to the library.
private enum OwnSchedulers {
  fileprivate struct Known {
    weak let scheduler: (any Scheduler)?
    let identity: SchedulerIdentity
  }

  fileprivate struct State {
    var known: [ObjectIdentifier: Known] = [:]
    var sweepAt = 64
  }

  private static let state = Probe.keptOverForks(Lock(State()))

  /// Returns the identity under which a scheduler's actions are followed; nil if the scheduler
  /// records its hops itself.
  static func identity(of scheduler: any Scheduler) -> SchedulerIdentity? {
    if scheduler is QueueScheduler || scheduler is TestScheduler || scheduler is UIScheduler
      || scheduler is ImmediateScheduler
    {
      return nil
    }
    if let known = state.withLock({ $0.identity(of: scheduler) }) { return known }
    // The description is client code, so it is read outside the lock.
    let made = SchedulerIdentity(name: SchedulerIdentity.name(of: scheduler), isForeign: true)
    // Schedulers that other threads release during the look-up must be deallocated outside the
    // lock: their deinitializers are client code, too.
    var seen: [any Scheduler] = []
    defer { withExtendedLifetime(seen) {} }
    return state.withLock { $0.keep(made, for: scheduler, seeing: &seen) }
  }
}

extension OwnSchedulers.State {
  fileprivate func identity(of scheduler: any Scheduler) -> SchedulerIdentity? {
    // Another object may be at the address of a deallocated one.
    guard let entry = known[ObjectIdentifier(scheduler)], entry.scheduler === scheduler else {
      return nil
    }
    return entry.identity
  }

  fileprivate mutating func keep(
    _ identity: SchedulerIdentity, for scheduler: any Scheduler, seeing seen: inout [any Scheduler]
  ) -> SchedulerIdentity {
    if let first = self.identity(of: scheduler) { return first }
    if known.count >= sweepAt {
      known = known.filter { entry in
        guard let scheduler = entry.value.scheduler else { return false }
        seen.append(scheduler)
        return true
      }
      sweepAt = max(64, known.count * 2)
    }
    known[ObjectIdentifier(scheduler)] = OwnSchedulers.Known(
      scheduler: scheduler, identity: identity)
    return identity
  }
}
