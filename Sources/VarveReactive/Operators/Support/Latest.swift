internal import Synchronization

/// The most recent value of one input, in its own allocation: reading it costs one load, and
/// replacing it needs neither a type look-up nor an exclusivity check.
@usableFromInline
final class Latest<Value>: AnyLatest, @unchecked Sendable {
  // Safety: that of its base class.
  private let slot = Slot<Value>()
  @usableFromInline let memory: UnsafeMutablePointer<Value>

  override init() {
    memory = slot.pointer
    super.init()
  }

  /// The value.
  ///
  /// - Precondition: there is one.
  @inlinable
  var value: Value { memory.pointee }

  /// Whether there has been no value yet.
  @inline(__always)
  var isEmpty: Bool { !slot.isFull }

  /// Replaces the value.
  ///
  /// - Parameter account: the account of the input, charged if the replaced value was never
  ///   delivered.
  @inline(__always)
  func put(_ value: Value, _ account: @autoclosure () -> InputAccount) {
    if HeldCause.isKept { noteCause(account()) } else { forgetCause() }
    slot.fill(value)
  }
}

/// The cause of an input's most recent value: the part of `Latest` that does not depend on the type
/// of the value.
@usableFromInline
class AnyLatest: @unchecked Sendable {
  // Safety: changed inside the root's serializer, and read once more after the end.
  private final let cause = Atomic<UInt64>(0)
  /// Whether a delivery has named the cause.
  private final let isNamed = Atomic<Bool>(true)

  @exclusivity(unchecked) private final var namedIn: UInt64 = 0

  init() {}

  /// Notes the cause of the current value.
  @inline(never)
  fileprivate final func noteCause(_ account: InputAccount) {
    discard(account, .superseded)
    cause.store(HeldCause.current, ordering: .relaxed)
    isNamed.store(false, ordering: .relaxed)
  }

  @inline(__always)
  fileprivate final func forgetCause() { cause.store(0, ordering: .relaxed) }

  /// Lets the thread's next record name the cause of the value, provided that it was named before
  /// or not, as `ifNamed` says. A record has room for a few causes only.
  ///
  /// - Parameter turn: the delivery; it names each value once.
  final func recallCause(ifNamed: Bool, in turn: UInt64) {
    guard isNamed.load(ordering: .relaxed) == ifNamed, namedIn != turn else { return }
    guard HeldCause.recall(cause.load(ordering: .relaxed)) else { return }
    isNamed.store(true, ordering: .relaxed)
    namedIn = turn
  }

  /// Reports a value that was never delivered as lost.
  final func discard(_ account: InputAccount, _ reason: Absorption) {
    guard !isNamed.load(ordering: .relaxed) else { return }
    account.swallow(from: cause.load(ordering: .relaxed), reason)
  }
}
