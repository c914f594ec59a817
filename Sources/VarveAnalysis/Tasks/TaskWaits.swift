/// Who waits for whom among tasks at one moment: directly, or through others.
public struct TaskWaits: Sendable {
  /// Why a task is where to look.
  public enum Knot: Sendable, Hashable {
    /// Tasks that wait for each other, each for the next, the one first whose wait seems to have
    /// closed the circle; none can ever go on.
    case circle([UInt64])
    /// Tasks that run the same code, and whose threads wait in a system call: no other task can run
    /// there.
    case blocked([UInt64])
    /// A task for which others wait, and which waits for no task itself.
    case end(of: UInt64, waiting: [UInt64])
  }

  /// Circles first, then tasks that block their threads, then those for which most others wait.
  public let knots: [Knot]

  /// The tasks that wait for each other, circle by circle.
  var circles: [[UInt64]] {
    knots.compactMap { if case .circle(let ids) = $0 { ids } else { nil } }
  }

  /// The tasks of all circles.
  var inCircles: Set<UInt64> { Set(circles.joined()) }

  /// How many tasks wait for each that waits for no task itself, directly or through others.
  var waiters: [UInt64: Int] {
    knots.reduce(into: [:]) {
      if case .end(let id, let waiting) = $1 { $0[id] = waiting.count }
    }
  }

  /// Finds out who waits for whom.
  public init(_ tasks: [TaskState]) {
    let known = Dictionary(tasks.map { ($0.id, $0) }) { first, _ in first }
    var children: [UInt64: [UInt64]] = [:]
    for task in tasks {
      if task.kind == .groupChild, let parent = task.parent {
        children[parent, default: []].append(task.id)
      }
    }
    /// The tasks for which a task waits: one, or the children of its group, any of which will do.
    func awaited(_ task: TaskState) -> [UInt64] {
      switch task.awaiting {
      case .task, .lock: task.awaitedTask.flatMap { known[$0] }.map { [$0.id] } ?? []
      case .group: children[task.id] ?? []
      case .continuation, .actor, .sleep, nil: []
      }
    }
    let circles = Self.circles(tasks, known)
    knots =
      circles.map { .circle($0) } + Self.blocked(tasks, circles)
      + Self.ends(tasks, awaited: Dictionary(tasks.map { ($0.id, awaited($0)) }) { $1 })
  }

  /// A task that waits for a lock which another one holds is not where to look.
  private static func blocked(_ tasks: [TaskState], _ circles: [[UInt64]]) -> [Knot] {
    let inCircles = Set(circles.joined())
    let blocked = Dictionary(
      grouping: tasks.filter {
        $0.isBlocked && !inCircles.contains($0.id)
          && ($0.awaitedTask == nil || $0.awaiting != .lock)
      }, by: \.frames)
    return blocked.values.map { $0.map(\.id).sorted() }
      .sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }.map { .blocked($0) }
  }

  /// Each task waits for at most one other, so that the ways from task to task either end or run
  /// into a circle.
  private static func circles(
    _ tasks: [TaskState], _ known: [UInt64: TaskState]
  ) -> [[UInt64]] {
    var circles: [[UInt64]] = []
    var visitedBy: [UInt64: UInt64] = [:]
    for start in tasks {
      var id = start.id
      var way: [UInt64] = []
      while visitedBy[id] == nil {
        visitedBy[id] = start.id
        way.append(id)
        guard known[id]?.awaiting?.isOfOne == true, let next = known[id]?.awaitedTask,
          known[next] != nil
        else { break }
        id = next
      }
      guard visitedBy[id] == start.id, let first = way.firstIndex(of: id),
        known[way[way.count - 1]]?.awaitedTask == id
      else { continue }
      circles.append(closingFirst(Array(way[first...])))
    }
    return circles
  }

  /// Returns a circle from the task on whose wait closed it, as far as can be told: tasks wait for
  /// younger ones, which they have made, until one waits for an older one.
  private static func closingFirst(_ circle: [UInt64]) -> [UInt64] {
    let closing = circle.indices.filter { circle[($0 + 1) % circle.count] <= circle[$0] }
    guard let last = closing.max(by: { circle[$0] < circle[$1] }) else { return circle }
    return Array(circle[last...] + circle[..<last])
  }

  private static func ends(_ tasks: [TaskState], awaited: [UInt64: [UInt64]]) -> [Knot] {
    var waiters: [UInt64: [UInt64]] = [:]
    for (waiter, all) in awaited { for id in all { waiters[id, default: []].append(waiter) } }
    var ends: [(id: UInt64, waiting: [UInt64])] = []
    // A task of a large group stands for the others: each of them would count the same waiters.
    var counted: Set<[UInt64]> = []
    for task in tasks
    where !task.isBlocked && awaited[task.id]?.isEmpty == true && waiters[task.id] != nil {
      guard counted.insert(waiters[task.id]?.sorted() ?? []).inserted else { continue }
      var reached: Set<UInt64> = [task.id]
      var open = [task.id]
      var waiting: [UInt64] = []
      while let next = open.popLast() {
        for waiter in waiters[next] ?? [] where reached.insert(waiter).inserted {
          waiting.append(waiter)
          open.append(waiter)
        }
      }
      ends.append((task.id, waiting.sorted()))
    }
    return ends.sorted { ($1.waiting.count, $0.id) < ($0.waiting.count, $1.id) }
      .map { .end(of: $0.id, waiting: $0.waiting) }
  }
}

extension TaskState.Awaiting {
  /// Whether there is one task that alone can end the wait.
  fileprivate var isOfOne: Bool { self == .task || self == .lock }
}

extension TaskWaits {
  /// Returns the tasks that wait for one of a circle, and are not of it.
  public static func outside(_ circle: [UInt64], among tasks: some Sequence<TaskState>) -> [UInt64]
  {
    tasks.filter { task in
      task.awaiting?.isOfOne == true && !circle.contains(task.id)
        && task.awaitedTask.map(circle.contains) == true
    }.map(\.id).sorted()
  }

  /// Returns the frame to look at of the task that closed a circle: where it waits, or the call of the
  /// function in which it does, if the others wait in functions of their own. These give everybody what they
  /// were asked for, and only one of their callers is in the circle. The code that a task begins with is no
  /// such caller: what it calls is the task's own.
  ///
  /// A task that waits for itself in the function which made it came back there by a call that others, who
  /// only ask, do not make.
  ///
  /// - Parameters:
  ///   - closing: The frames of the task that closed it.
  ///   - others: Those of the other tasks of the circle.
  ///   - outside: Those of the tasks that wait for it from outside.
  public static func tellingFrame(
    _ closing: [NamedFrame], among others: [[NamedFrame]], outside: [[NamedFrame]] = []
  ) -> NamedFrame? {
    let own = closing.filter { !$0.isMachinery && $0.line > 0 }
    guard let inner = own.mostOwn, let position = own.firstIndex(of: inner) else { return nil }
    let callers = own[(position + 1)...]
    if others.isEmpty {
      guard let function = inner.function,
        callers.last?.function?.hasSuffix(" in \(function)") == true
      else { return inner }
      let shared = Set(outside.joined().map(\.function))
      return callers.first { !shared.contains($0.function) } ?? inner
    }
    let functions = others.map { $0.mostOwn?.function }
    guard !functions.contains(inner.function),
      let caller = callers.dropLast().first(where: { $0.function != inner.function })
    else { return inner }
    return caller
  }
}
