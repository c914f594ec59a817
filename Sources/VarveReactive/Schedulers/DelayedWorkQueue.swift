/// A queue of scheduled work, ordered by date and, for equal dates, by the order of scheduling.
///
/// A binary heap of unmanaged references, because moving counted ones costs several times as much
/// as the heap operations. Disposed work stays in the queue until it reaches the top, or until most
/// of the queue may be disposed work. Then the queue is swept, so that a timer that is reset for
/// each value (`debounce`) does not fill it.
///
/// The owner must clear the queue at the end.
struct DelayedWorkQueue {
  /// Work together with its date.
  struct Entry {
    let due: SchedulerInstant
    let work: Work
  }

  enum Work {
    case once(ScheduledWork)
    case repeating(RepeatingWork, interval: Duration)
  }

  fileprivate struct Item {
    let due: SchedulerInstant
    let order: UInt64
    let work: BareWork
  }

  fileprivate enum BareWork {
    case once(Unmanaged<ScheduledWork>)
    case repeating(Unmanaged<RepeatingWork>, interval: Duration)
  }

  private var heap: [Item] = []
  private var lastOrder: UInt64 = 0
  private var sweepAt = DelayedWorkQueue.smallestSweep

  private static let smallestSweep = 64

  /// Removes and disposes of all work. Work that has not run never will, so that owners of the work
  /// do not retain what its action captured.
  mutating func clear() {
    let items = heap
    heap = []
    for item in items { item.work.taken().dispose() }
  }

  mutating func insert(_ work: Work, at due: SchedulerInstant) {
    if heap.count >= sweepAt { sweep() }
    lastOrder += 1
    heap.append(Item(due: due, order: lastOrder, work: BareWork(retaining: work)))
    siftUp(heap.count - 1)
  }

  /// Returns the date at which the next work is due.
  mutating func nextDate() -> SchedulerInstant? {
    dropIdle()
    return heap.first?.due
  }

  /// Removes and returns the next work that is due at or before `date`.
  mutating func takeNext(dueBy date: SchedulerInstant) -> Entry? {
    dropIdle()
    guard let first = heap.first, first.due <= date else { return nil }
    removeFirst()
    return Entry(due: first.due, work: first.work.taken())
  }

  private mutating func dropIdle() {
    while let first = heap.first, !first.work.isPending {
      removeFirst()
      first.work.release()
    }
  }

  private mutating func sweep() {
    heap.removeAll { item in
      // Read once: another thread may dispose of the work at any moment.
      let isIdle = !item.work.isPending
      if isIdle { item.work.release() }
      return isIdle
    }
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
    sweepAt = max(DelayedWorkQueue.smallestSweep, heap.count * 2)
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown(0)
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].isEarlier(than: heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func siftDown(_ start: Int) {
    var parent = start
    while true {
      let (left, right) = (2 * parent + 1, 2 * parent + 2)
      var first = parent
      if left < heap.count && heap[left].isEarlier(than: heap[first]) { first = left }
      if right < heap.count && heap[right].isEarlier(than: heap[first]) { first = right }
      guard first != parent else { return }
      heap.swapAt(parent, first)
      parent = first
    }
  }
}

extension DelayedWorkQueue.Item {
  fileprivate func isEarlier(than other: DelayedWorkQueue.Item) -> Bool {
    due == other.due ? order < other.order : due < other.due
  }
}

extension DelayedWorkQueue.BareWork {
  fileprivate init(retaining work: DelayedWorkQueue.Work) {
    switch work {
    case .once(let work): self = .once(.passRetained(work))
    case .repeating(let work, let interval):
      self = .repeating(.passRetained(work), interval: interval)
    }
  }

  fileprivate var isPending: Bool {
    switch self {
    case .once(let work): work._withUnsafeGuaranteedRef { $0.isPending }
    case .repeating(let work, _): work._withUnsafeGuaranteedRef { !$0.isDisposed }
    }
  }

  fileprivate func taken() -> DelayedWorkQueue.Work {
    switch self {
    case .once(let work): .once(work.takeRetainedValue())
    case .repeating(let work, let interval):
      .repeating(work.takeRetainedValue(), interval: interval)
    }
  }

  fileprivate func release() {
    switch self {
    case .once(let work): work.release()
    case .repeating(let work, _): work.release()
    }
  }
}

extension DelayedWorkQueue.Work {
  func run() {
    switch self {
    case .once(let work): work.run()
    case .repeating(let work, _): work.tick()
    }
  }

  fileprivate func dispose() {
    switch self {
    case .once(let work): work.dispose()
    case .repeating(let work, _): work.dispose()
    }
  }
}
