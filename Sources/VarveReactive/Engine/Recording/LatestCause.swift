internal import Synchronization
internal import VarveProbe

/// Remembers where the latest value came from, for a property, which sends that value again to
/// later observers.
///
/// While a recording is running, it stands behind a root and in front of the root's tap. The root
/// inserts and removes it as it does taps, so nothing is noted or checked while no recording is
/// running.
final class LatestCause<Value, Failure: Error>: Observer<Value, Failure> {
  // All state is touched only inside the root's serializer.

  /// The next observer, which the root owns.
  private let next = Atomic<UInt>(0)
  private let cause = Atomic<UInt64>(0)
  private let session = Atomic<UInt32>(0)

  /// Stands in front of `observer` from now on.
  func lead(to observer: Observer<Value, Failure>) {
    next.store(Link.word(observer), ordering: .relaxed)
  }

  /// The cause of the latest value, for `Records.recall`; 0 if the current recording does not know
  /// it. Inside the serializer only.
  var latestCause: UInt64 {
    guard Gate.isOpen, session.load(ordering: .relaxed) == Gate.word >> 8 else { return 0 }
    return cause.load(ordering: .relaxed)
  }

  override func receive(_ value: Value) {
    cause.store(Records.currentCause, ordering: .relaxed)
    session.store(Gate.word >> 8, ordering: .relaxed)
    Link.deliver(value, to: next.load(ordering: .relaxed), Observer<Value, Failure>.self)
  }

  override func terminate(_ termination: Termination<Failure>) {
    Link.deliver(termination, to: next.load(ordering: .relaxed), Observer<Value, Failure>.self)
  }
}
