/// Receives the input of a junction that holds values and delivers them later, on a scheduler.
///
/// The input's serializer and the scheduled actions share the state of a subclass, which is
/// therefore locked. An action takes a value out inside the root's serializer and delivers it
/// there, so that the order of decisions is the order of deliveries.
///
/// The input retains the inlet, and so does each scheduled action, which the scheduler retains. To
/// avoid a cycle, the inlet releases the scheduler when the input has ended. If a scheduler is
/// released with actions that it will never run, the inlet goes with it.
class ScheduledInlet<Value, Output, Failure: Error>: Inlet<Value, Failure, Output, Failure>,
  @unchecked Sendable
{
  // Safety: immutable; subclasses lock their mutable state.
  private let disposables: CompositeDisposable

  init(_ outlet: Outlet<Output, Failure>, number: UInt64 = Subscription.newNumber()) {
    disposables = outlet.disposables
    super.init(outlet.root, number: number)
    // Weak, because the root retains the closure. Once neither the input nor an action retains the
    // inlet, nothing is left that could end the root.
    disposables.add { [weak self] in self?.discard() }
  }

  deinit { root.abandon() }

  /// Releases held values and scheduled work. May be called more than once, and is called after the
  /// end at the latest; nothing may be retained afterwards.
  func discard() {}

  /// Ends the output on the scheduler, unless it has ended already.
  final func end(_ termination: Termination<Failure>, on scheduler: (any Scheduler)?) {
    if !root.isOver { scheduler?.hop { [self] in root.send(termination) } }
  }

  /// Disposes of `work` after the end.
  final func dispose(atEnd work: (any Disposable)?) { disposables.add(work) }
}
