/// Receives the input of a junction that puts values aside and delivers later, on a scheduler.
///
/// The input's serializer and the scheduled actions share what a subclass keeps: that is locked, and
/// what an action takes out it takes inside the root's serializer, where it also delivers it. So what
/// was decided first is delivered first.
///
/// The input keeps the inlet, and so does each scheduled action, which the scheduler keeps: so that
/// these do not keep each other, the inlet lets go of the scheduler when the input has ended. A
/// scheduler that is released with actions that it will never run takes everything along.
class ScheduledInlet<Value, Output, Failure: Error>: Inlet<Value, Failure, Output, Failure>,
  @unchecked Sendable
{
  // Safety: immutable; subclasses lock what they change.
  private let disposables: CompositeDisposable

  init(_ outlet: Outlet<Output, Failure>, number: UInt64 = Subscription.newNumber()) {
    disposables = outlet.disposables
    super.init(outlet.root, number: number)
    // Weak, because the root keeps it: while neither the input nor an action keeps the inlet, nobody
    // is left who could end the root.
    disposables.add { [weak self] in self?.discard() }
  }

  deinit { root.abandon() }

  /// Lets go of what is held and of what is scheduled, more than once if need be. Called at the
  /// latest after the end; nothing must be kept afterwards.
  func discard() {}

  /// Ends the output as soon as the scheduler gets to it, unless it has ended by itself.
  final func end(_ termination: Termination<Failure>, on scheduler: (any Scheduler)?) {
    if !root.isOver { scheduler?.hop { [self] in root.send(termination) } }
  }

  /// Disposes of something after the end.
  final func dispose(atEnd work: (any Disposable)?) { disposables.add(work) }
}
