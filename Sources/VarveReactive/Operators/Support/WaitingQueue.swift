/// The queues of a `zip`. Changed inside the root's serializer.
final class WaitingQueues {
  // Safety: see the class. Unchecked, because a check for each value costs more than the change.

  /// The number of empty queues.
  @exclusivity(unchecked) fileprivate final var empty = 0
  /// Whether some queue is empty and gets no more values.
  @exclusivity(unchecked) fileprivate(set) final var someIsExhausted = false

  /// Whether every queue has a value.
  @inline(__always)
  var allHaveValues: Bool { empty == 0 }
}

/// The values of one input that are waiting for their partners, in a ring of raw memory. For the
/// cost of an array of values of a type known only at run time, see `HandOffQueue` and `Slot`.
@usableFromInline
final class WaitingQueue<Value>: AnyWaitingQueue, @unchecked Sendable {
  // Safety: that of its base class.
  @usableFromInline
  @exclusivity(unchecked) final var memory: UnsafeMutablePointer<Value>

  override init(in queues: WaitingQueues) {
    memory = .allocate(capacity: Self.fewest)
    super.init(in: queues)
  }

  deinit {
    for index in 0..<count { (memory + slot(index)).deinitialize(count: 1) }
    memory.deallocate()
  }

  /// Appends the value that is being delivered.
  @inline(__always)
  func append(_ value: Value) {
    if count == capacity { grow() }
    (memory + fillNext()).initialize(to: value)
  }

  /// Removes and returns the oldest value, for a delivery.
  ///
  /// - Precondition: the queue is not empty.
  @inlinable
  func removeFirst() -> Value {
    (memory + takeFirst()).move()
  }

  @inline(never)
  private func grow() {
    let larger = UnsafeMutablePointer<Value>.allocate(capacity: capacity * 2)
    let (split, taken) = (capacity - first, first)
    larger.moveInitialize(from: memory + first, count: split)
    (larger + split).moveInitialize(from: memory, count: taken)
    memory.deallocate()
    memory = larger
    growCauses()
  }
}

/// The slots and causes of a queue's values: the part that does not depend on their type.
@usableFromInline
class AnyWaitingQueue: @unchecked Sendable {
  // Safety: changed inside the root's serializer, and read once more after the end.
  /// The smallest capacity; all are powers of two.
  fileprivate static let fewest = 4

  @exclusivity(unchecked) fileprivate final var capacity = AnyWaitingQueue.fewest
  /// The slot of the oldest value.
  @exclusivity(unchecked) fileprivate final var first = 0
  @exclusivity(unchecked) fileprivate final var count = 0
  @exclusivity(unchecked) private final var causes: UnsafeMutablePointer<UInt64>
  @exclusivity(unchecked) private final var hasCompleted = false
  /// The account of the input.
  // Safety: set before the first value.
  @exclusivity(unchecked) final var account: InputAccount?
  private final let queues: WaitingQueues

  fileprivate init(in queues: WaitingQueues) {
    self.queues = queues
    causes = .allocate(capacity: Self.fewest)
    queues.empty += 1
  }

  deinit { causes.deallocate() }

  /// Notes that no value will follow.
  final func complete() {
    hasCompleted = true
    if count == 0 { queues.someIsExhausted = true }
  }

  /// Returns the slot of the value at an index counted from the oldest.
  @inline(__always)
  fileprivate final func slot(_ index: Int) -> Int { (first + index) & (capacity - 1) }

  /// Occupies and returns the slot for the value that is being delivered.
  @inline(__always)
  fileprivate final func fillNext() -> Int {
    let slot = slot(count)
    if count == 0 { queues.empty -= 1 }
    count += 1
    causes[slot] = HeldCause.current
    return slot
  }

  /// Frees and returns the slot of the oldest value, and lets the thread's next record name the
  /// cause of that value.
  @usableFromInline
  final func takeFirst() -> Int {
    let slot = first
    first = self.slot(1)
    count -= 1
    if count == 0 {
      queues.empty += 1
      if hasCompleted { queues.someIsExhausted = true }
    }
    if causes[slot] != 0 { recall(causes[slot]) }
    return slot
  }

  @inline(never)
  private final func recall(_ cause: UInt64) {
    if !HeldCause.recall(cause) { account?.swallow(from: cause, .gathered) }
  }

  /// Reports the waiting values as lost, after the end.
  final func discard() {
    for index in 0..<count { account?.swallow(from: causes[slot(index)], .ended) }
  }

  fileprivate final func growCauses() {
    let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity * 2)
    for index in 0..<count { larger[index] = causes[slot(index)] }
    causes.deallocate()
    causes = larger
    first = 0
    capacity *= 2
  }
}
