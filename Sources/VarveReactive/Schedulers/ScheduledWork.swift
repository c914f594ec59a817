internal import Synchronization

/// An action given to a scheduler: runs once, or is disposed of before it begins.
///
/// Which of the two happens is decided by one atomic operation. The action is released as soon as
/// it has run or can no longer run.
final class ScheduledWork: Disposable {
  private enum Mark {
    static let begun: UInt8 = 1
    static let disposed: UInt8 = 2
  }

  private let marks = Atomic<UInt8>(0)
  // Unretained: retaining it for each action would make the scheduling thread and the running one
  // fight for its count. It is used in `run` alone, whose caller keeps the scheduler alive.
  private unowned(unsafe) let scheduler: SchedulerIdentity
  private let hop: Hop
  // Safety: belong to whoever set the first mark, who is one thread; before that, to `init`.
  private nonisolated(unsafe) var action: (@Sendable () -> Void)?
  private nonisolated(unsafe) var keptAlive: AnyObject?

  /// - Parameter keptAlive: what must live until the action has run or can no longer run.
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

  /// Whether it would do anything if it ran.
  var isPending: Bool { marks.load(ordering: .relaxed) == 0 }

  func run() {
    guard
      marks.compareExchange(expected: 0, desired: Mark.begun, ordering: .acquiringAndReleasing)
        .exchanged
    else { return }
    // Taken inside, so that what the action held is released as part of the work.
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
