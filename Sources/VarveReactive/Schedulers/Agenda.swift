/// What is to be run, by date, and in the order of scheduling where dates are equal.
///
/// A binary heap. Work that was disposed of stays in it until it comes to the top, or until most of
/// the agenda may be such work: then it is swept, so that a timer that is set anew for each value
/// (`debounce`) does not fill it.
struct Agenda {
  struct Item {
    let due: SchedulerInstant
    let order: UInt64
    let task: Task
  }

  enum Task {
    case once(ScheduledWork)
    case repeating(RepeatingWork, interval: Duration)
  }

  private var heap: [Item] = []
  private var lastOrder: UInt64 = 0
  private var sweepAt = Agenda.smallestSweep

  private static let smallestSweep = 64

  mutating func insert(_ task: Task, at due: SchedulerInstant) {
    if heap.count >= sweepAt { sweep() }
    lastOrder += 1
    heap.append(Item(due: due, order: lastOrder, task: task))
    siftUp(heap.count - 1)
  }

  /// When the next work is due.
  mutating func nextDate() -> SchedulerInstant? {
    dropIdle()
    return heap.first?.due
  }

  /// Takes the next work that is due at `date` or before.
  mutating func takeNext(dueBy date: SchedulerInstant) -> Item? {
    dropIdle()
    guard let first = heap.first, first.due <= date else { return nil }
    removeFirst()
    return first
  }

  private mutating func dropIdle() {
    while let first = heap.first, !first.task.isPending { removeFirst() }
  }

  private mutating func sweep() {
    heap.removeAll { !$0.task.isPending }
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
    sweepAt = max(Agenda.smallestSweep, heap.count * 2)
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
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func siftDown(_ start: Int) {
    var parent = start
    while true {
      var first = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child] < heap[first] {
        first = child
      }
      guard first != parent else { return }
      heap.swapAt(parent, first)
      parent = first
    }
  }
}

extension Agenda.Item: Comparable {
  static func < (left: Agenda.Item, right: Agenda.Item) -> Bool {
    (left.due, left.order) < (right.due, right.order)
  }

  static func == (left: Agenda.Item, right: Agenda.Item) -> Bool {
    left.order == right.order
  }
}

extension Agenda.Task {
  var isPending: Bool {
    switch self {
    case .once(let work): work.isPending
    case .repeating(let work, _): !work.isDisposed
    }
  }

  func run() {
    switch self {
    case .once(let work): work.run()
    case .repeating(let work, _): work.tick()
    }
  }
}
