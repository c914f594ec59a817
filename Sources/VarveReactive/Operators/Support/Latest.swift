internal import Synchronization

/// One input's most recent value, in memory of its own: reading it costs a load, and replacing it
/// neither a look-up of its type nor a check for exclusive access.
@usableFromInline
final class Latest<Value>: AnyLatest, @unchecked Sendable {
  // Safety: as its base.
  private let slot = Slot<Value>()
  @usableFromInline let memory: UnsafeMutablePointer<Value>

  override init() {
    memory = slot.pointer
    super.init()
  }

  /// The value. There has to be one.
  @inlinable
  var value: Value { memory.pointee }

  /// Whether there has been no value.
  @inline(__always)
  var isEmpty: Bool { !slot.isFull }

  /// Replaces the value by the one at hand.
  ///
  /// - Parameter account: the input's, for a value that was never delivered.
  @inline(__always)
  func put(_ value: Value, _ account: @autoclosure () -> InputAccount) {
    if HeldCause.isKept { noteCause(account()) } else { forgetCause() }
    slot.fill(value)
  }
}

/// Where an input's most recent value came from: the part of `Latest` that does not depend on its
/// type.
@usableFromInline
class AnyLatest: @unchecked Sendable {
  // Safety: changed inside the root's serializer, and looked at once more after its end.
  private final let cause = Atomic<UInt64>(0)
  /// Whether a delivery has named it.
  private final let isNamed = Atomic<Bool>(true)

  @exclusivity(unchecked) private final var namedIn: UInt64 = 0

  init() {}

  /// Notes where the value at hand comes from.
  @inline(never)
  fileprivate final func noteCause(_ account: InputAccount) {
    discard(account, .superseded)
    cause.store(HeldCause.current, ordering: .relaxed)
    isNamed.store(false, ordering: .relaxed)
  }

  @inline(__always)
  fileprivate final func forgetCause() { cause.store(0, ordering: .relaxed) }

  /// Lets the next record of this thread name where the value came from, if none has or if all others
  /// were named: a record has room for a few only.
  ///
  /// - Parameter turn: the delivery, which names each value once.
  final func recallCause(ifNamed: Bool, in turn: UInt64) {
    guard isNamed.load(ordering: .relaxed) == ifNamed, namedIn != turn else { return }
    guard HeldCause.recall(cause.load(ordering: .relaxed)) else { return }
    isNamed.store(true, ordering: .relaxed)
    namedIn = turn
  }

  /// Tells of a value that was never delivered.
  final func discard(_ account: InputAccount, _ reason: Absorption) {
    guard !isNamed.load(ordering: .relaxed) else { return }
    account.swallow(from: cause.load(ordering: .relaxed), reason)
  }
}
