internal import Synchronization

/// One input's most recent value, in memory of its own: reading it costs a load, and replacing it
/// neither a look-up of its type nor a check for exclusive access.
@usableFromInline
final class Latest<Value>: AnyLatest {
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

  /// Replaces the value.
  @inline(__always)
  func put(_ value: Value) {
    noteCause()
    slot.fill(value)
  }
}

/// Where an input's most recent value came from: the part of `Latest` that does not depend on its
/// type.
@usableFromInline
class AnyLatest {
  private final let cause = Atomic<UInt64>(0)

  init() {}

  /// Notes where the value comes from that is being delivered.
  @inline(__always)
  final func noteCause() { cause.store(Records.currentCause, ordering: .relaxed) }

  /// Lets the next record of this thread name where the value came from.
  @inline(__always)
  final func recallCause() { Records.recall(cause.load(ordering: .relaxed)) }
}
