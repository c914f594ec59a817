/// Receives the input of a junction that puts values aside and delivers later, on a scheduler.
///
/// The input's domain and the scheduled actions share what a subclass keeps: that is locked, and
/// what an action takes out it takes inside the root's domain, where it also delivers it. So what
/// was decided first is delivered first.
class ScheduledInlet<Value, Output, Failure: Error>: Inlet<Value, Failure, Output, Failure>,
  @unchecked Sendable
{
  // Safety: immutable, but for `discarding`, which is set before others see it; subclasses lock what
  // they change.
  private let origin: Origin
  private let disposables: CompositeDisposable
  private var discarding: (any Disposable)?

  init(_ outlet: Outlet<Output, Failure>, number: UInt64 = Edge.newNumber()) {
    origin = outlet.origin
    disposables = outlet.disposables
    super.init(outlet.root, number: number)
    discarding = disposables.add { [self] in discard() }
  }

  /// Lets go of what is held and of what is scheduled. Called at the latest after the end; nothing
  /// must be kept afterwards.
  func discard() {}

  /// Ends the output as soon as the scheduler gets to it, unless it has ended by itself.
  final func end(_ termination: Termination<Failure>, on scheduler: any Scheduler) {
    guard !root.isOver else { return }
    let last = LastChance(root)
    scheduler.hop { last.root.send(termination) }
  }

  /// Lets go of everything, and ends the output as soon as the scheduler gets to it. Until then
  /// nothing but the scheduled action keeps the output alive.
  final func discardAndEnd(_ termination: Termination<Failure>, on scheduler: any Scheduler) {
    discard()
    discarding?.dispose()
    end(termination, on: scheduler)
  }

  /// Disposes of something after the end.
  final func dispose(atEnd work: (any Disposable)?) { disposables.add(work) }

  /// Says that a value will not be delivered.
  final func absorb(_ held: Held<Value>?, _ reason: Absorption) {
    held?.absorb(in: origin, edge: feed, reason)
  }
}
