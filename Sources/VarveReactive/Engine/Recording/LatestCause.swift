internal import Synchronization
internal import VarveProbe

/// Stands behind a root while somebody records, in front of its tap, and remembers where the latest
/// value came from: for a property, which sends that value again to whoever observes it later.
///
/// A root puts it in and takes it out as it does with taps, so that nothing is noted, nor asked,
/// while nobody records.
final class LatestCause<Value, Failure: Error>: Observer<Value, Failure> {
  // All of it is touched only inside the root's serializer.

  /// Who receives next. The root owns it.
  private let next = Atomic<UInt>(0)
  private let cause = Atomic<UInt64>(0)
  private let session = Atomic<UInt32>(0)

  /// Stands in front of `observer` from now on.
  func lead(to observer: Observer<Value, Failure>) {
    next.store(Link.word(observer), ordering: .relaxed)
  }

  /// Where the latest value came from, for `Records.recall`; 0 when the recording that is under way
  /// does not know it. Inside the serializer.
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
