internal import Synchronization

/// An action that a scheduler runs at each tick of a timer, until it is disposed of.
///
/// Each tick is a separate hop in a trace. The scheduler ensures that ticks do not overlap.
final class RepeatingWork: Disposable {
  private enum Mark {
    static let running: UInt8 = 1
    static let disposed: UInt8 = 2
  }

  private let marks = Atomic<UInt8>(0)
  private let scheduler: SchedulerIdentity
  private let timer: Hop
  // Safety: owned by the running tick; between ticks, by the thread that sets `disposed`.
  private nonisolated(unsafe) var action: (@Sendable () -> Void)?
  private nonisolated(unsafe) var hop: Hop
  // Safety: set before the work is shared; then owned by the thread that sets `disposed`.
  nonisolated(unsafe) var stopTimer: (() -> Void)?

  init(_ action: @escaping @Sendable () -> Void, by scheduler: SchedulerIdentity) {
    self.action = action
    self.scheduler = scheduler
    hop = Hop.scheduled(by: scheduler)
    timer = hop.shared()
  }

  deinit {
    timer.forget()
    hop.forget()
  }

  var isDisposed: Bool { marks.load(ordering: .acquiring) & Mark.disposed != 0 }

  func tick() {
    guard
      marks.compareExchange(expected: 0, desired: Mark.running, ordering: .acquiringAndReleasing)
        .exchanged
    else { return }
    hop.perform(by: scheduler) { action?() }
    hop = isDisposed ? Hop() : Hop.nextTick(after: timer, by: scheduler)
    let before = marks.bitwiseAnd(~Mark.running, ordering: .acquiringAndReleasing).oldValue
    if before & Mark.disposed != 0 { end() }
  }

  func dispose() {
    let before = marks.bitwiseOr(Mark.disposed, ordering: .acquiringAndReleasing).oldValue
    guard before & Mark.disposed == 0 else { return }
    stopTimer?()
    stopTimer = nil
    if before == 0 { end() }
  }

  private func end() {
    hop.cancelled()
    hop = Hop()
    action = nil
  }
}
