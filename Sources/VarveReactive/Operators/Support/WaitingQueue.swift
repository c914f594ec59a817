/// The queues of a `zip`; changed inside the root's serializer.
final class WaitingQueues {
  // Unchecked, because a check for each value costs more than the change.

  /// How many are empty.
  @exclusivity(unchecked) fileprivate final var empty = 0
  /// Whether a queue is empty that gets no more values.
  @exclusivity(unchecked) fileprivate(set) final var someIsExhausted = false

  /// Whether every queue has a value.
  @inline(__always)
  var allHaveValues: Bool { empty == 0 }
}

/// One input's values that wait for their partners, in a ring of raw memory: see `HandOffQueue` and
/// `Slot` for what an array of values whose type is known only at run time would cost.
@usableFromInline
final class WaitingQueue<Value>: AnyWaitingQueue, @unchecked Sendable {
  // Safety: as its base.
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

  /// Adds a value that is being delivered.
  @inline(__always)
  func append(_ value: Value) {
    if count == capacity { grow() }
    (memory + fillNext()).initialize(to: value)
  }

  /// Takes the oldest value, for a delivery. There has to be one.
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

/// Where a queue's values lie, and where they came from: the part that does not depend on their type.
@usableFromInline
class AnyWaitingQueue: @unchecked Sendable {
  // Safety: changed inside the root's serializer, and looked at once more after its end.
  /// The smallest capacity; all are powers of two.
  fileprivate static let fewest = 4

  @exclusivity(unchecked) fileprivate final var capacity = AnyWaitingQueue.fewest
  /// The slot of the oldest value.
  @exclusivity(unchecked) fileprivate final var first = 0
  @exclusivity(unchecked) fileprivate final var count = 0
  @exclusivity(unchecked) private final var causes: UnsafeMutablePointer<UInt64>
  @exclusivity(unchecked) private final var hasCompleted = false
  /// The input's; set before the first value comes.
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

  /// The slot of the value with this index, counted from the oldest.
  @inline(__always)
  fileprivate final func slot(_ index: Int) -> Int { (first + index) & (capacity - 1) }

  /// The slot that the next value goes to, which is being delivered.
  @inline(__always)
  fileprivate final func fillNext() -> Int {
    let slot = slot(count)
    if count == 0 { queues.empty -= 1 }
    count += 1
    causes[slot] = HeldCause.current
    return slot
  }

  /// The slot that the oldest value leaves; lets the next record of this thread name where it came
  /// from.
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

  /// Tells of the values that wait, after the end.
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
