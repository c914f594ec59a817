internal import CVarveSystem
internal import Synchronization
internal import VarveProbe

// What the library's own code schedules, it schedules by `hop`. The library's schedulers tell of their
// hops by themselves; the actions that a scheduler of the user's gets are wrapped, so that traces and
// backtraces follow them as well. While nobody asks for either, `hop` is `schedule`.

extension Scheduler {
  /// As `schedule`, and the action is followed, whatever the scheduler.
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
  /// As `schedule(at:)`, and the action is followed, whatever the scheduler.
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

  /// As `schedule(at:every:leeway:)`, and the ticks are followed, whatever the scheduler.
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

/// An action on its way through something that knows nothing of hops.
///
/// It adds nothing to what becomes of the action: what disposes of it is the scheduler's, and who runs
/// it twice, runs it twice.
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

  /// Whoever let go of the action will never run it.
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

/// An action that something that knows nothing of hops runs again and again: each time the same hop.
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

/// The identities of schedulers that are not the library's.
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

  /// The identity under which a scheduler's actions are followed; nil when it tells of them by itself.
  static func identity(of scheduler: any Scheduler) -> SchedulerIdentity? {
    if scheduler is QueueScheduler || scheduler is TestScheduler || scheduler is UIScheduler
      || scheduler is ImmediateScheduler
    {
      return nil
    }
    if let known = state.withLock({ $0.identity(of: scheduler) }) { return known }
    // The description is the user's code.
    let made = SchedulerIdentity(name: SchedulerIdentity.name(of: scheduler), isForeign: true)
    // What is looked at and let go meanwhile by others goes outside the lock: its deinitialiser is the
    // user's code, too.
    var seen: [any Scheduler] = []
    defer { withExtendedLifetime(seen) {} }
    return state.withLock { $0.keep(made, for: scheduler, seeing: &seen) }
  }
}

extension OwnSchedulers.State {
  fileprivate func identity(of scheduler: any Scheduler) -> SchedulerIdentity? {
    // Another object may lie where one that is no more lay.
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
