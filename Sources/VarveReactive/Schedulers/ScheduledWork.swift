internal import Synchronization

/// A scheduled action, which runs once or is disposed of before it begins.
///
/// One atomic operation decides between the two. The action is released as soon as it has run or
/// can no longer run.
final class ScheduledWork: Disposable {
  private enum Mark {
    static let begun: UInt8 = 1
    static let disposed: UInt8 = 2
  }

  private let marks = Atomic<UInt8>(0)
  // Unretained: retaining it for each action would make the scheduling and the running thread
  // contend for its reference count. It is used only in `run`, whose caller keeps the scheduler
  // alive.
  private unowned(unsafe) let scheduler: SchedulerIdentity
  private let hop: Hop
  // Safety: owned by the one thread that sets the first mark; before that, by `init`.
  private nonisolated(unsafe) var action: (@Sendable () -> Void)?
  private nonisolated(unsafe) var keptAlive: AnyObject?

  /// - Parameter keptAlive: an object to keep alive until the action has run or can no longer run.
  init(
    _ action: @escaping @Sendable () -> Void, by scheduler: SchedulerIdentity,
    keeping keptAlive: AnyObject? = nil
  ) {
    self.action = action
    self.scheduler = scheduler
    self.keptAlive = keptAlive
    hop = Hop.scheduled(by: scheduler)
  }

  deinit {
    if marks.load(ordering: .relaxed) == 0 { hop.forget() }
  }

  var isDisposed: Bool { marks.load(ordering: .acquiring) & Mark.disposed != 0 }

  /// Whether the action has neither begun nor been disposed of.
  var isPending: Bool { marks.load(ordering: .relaxed) == 0 }

  func run() {
    guard
      marks.compareExchange(expected: 0, desired: Mark.begun, ordering: .acquiringAndReleasing)
        .exchanged
    else { return }
    // Taken inside, so that the action's captures are released as part of the work.
    hop.perform(by: scheduler) {
      if let action = action.take() { action() }
    }
    keptAlive = nil
  }

  func dispose() {
    let before = marks.bitwiseOr(Mark.disposed, ordering: .acquiringAndReleasing).oldValue
    guard before == 0 else { return }
    hop.cancelled()
    action = nil
    keptAlive = nil
  }
}
