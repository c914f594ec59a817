internal import VarveFormat
internal import VarveProbe

/// Groups whose children ended in another order than that in which they were made, while their results
/// were taken one by one: these come in the order of the ends.
struct GroupOrders: TaskGuesser {
  /// A child that has not ended.
  private struct Child {
    var parent: UInt64
    var number: UInt64
  }

  /// A task that has made children.
  private struct Parent {
    var made: UInt64 = 0
    /// The child made last of those that have ended.
    var latest: (number: UInt64, task: UInt64) = (0, 0)
    /// Where it waits for results, and how often it has been given one there.
    var stack: UInt32 = 0
    var taken: UInt64 = 0
    /// The first child that ended after one that was made later.
    var late: (task: UInt64, before: UInt64, event: EventName)?
  }

  private struct Order {
    var task: UInt64
    var before: UInt64
    var event: EventName
  }

  private var children: WalkTable<UInt64, Child>
  private var parents: WalkTable<UInt64, Parent>
  /// By where the results are taken.
  private var found: [UInt32: Order] = [:]

  private static let mostPlaces = 64

  init(_ walk: TraceWalk) {
    children = WalkTable(walk, bytes: 48, of: .work)
    parents = WalkTable(walk, bytes: 96, of: .work)
  }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .made(let task, let made) where moment.making == .groupChild:
      var number: UInt64 = 0
      _ = parents.change(made.creator, orFirst: Parent()) {
        $0.made += 1
        number = $0.made
      }
      children.set(Child(parent: made.creator, number: number), for: task)
    case .ended(let task, let end):
      switch TaskAwait(rawValue: end.awaited) {
      case .nothing:
        if let child = children.removeValue(forKey: task) { noteEnd(of: task, child, moment.event) }
        if let parent = parents.removeValue(forKey: task) { keep(parent) }
      case .group:
        parents.change(task) {
          if $0.stack == end.stack { $0.taken += 1 } else { ($0.stack, $0.taken) = (end.stack, 0) }
        }
        if let parent = parents[task], parent.taken > 0 { keep(parent) }
      case .continuation, .task, .executor, .unknown, nil: return
      }
    default: return
    }
  }

  private mutating func noteEnd(of task: UInt64, _ child: Child, _ event: EventName) {
    parents.change(child.parent) {
      if child.number > $0.latest.number {
        $0.latest = (child.number, task)
      } else if $0.late == nil {
        $0.late = (task, $0.latest.task, event)
      }
    }
    // It may be the last one, which its parent waits for.
    if let parent = parents[child.parent] { keep(parent) }
  }

  /// Who waits for all children at once is woken once.
  private mutating func keep(_ parent: Parent) {
    guard let late = parent.late, parent.stack != 0, parent.taken > 0, found[parent.stack] == nil,
      found.count < Self.mostPlaces
    else { return }
    found[parent.stack] = Order(task: late.task, before: late.before, event: late.event)
  }

  /// Returns a guess for each place at which results are appended to a list as they come, by its source.
  func appended(_ names: StackNames) -> [Finding] {
    var loops = ElementLoops()
    return sorted.compactMap { stack, order in
      guard let own = names.own(of: stack), let (list, place) = loops.append(byLoopAt: own) else {
        return nil
      }
      return Finding(
        .overtaken, weight: 44, place: .line(place),
        "\(list) gets the results of a group here in the order in which its children end, and task "
          + "\(order.task.description) ended after task \(order.before.description), which was made later",
        evidence: [order.event])
    }
  }

  private var sorted: [(key: UInt32, value: Order)] {
    found.sorted { $0.value.event < $1.value.event }
  }

  /// Returns a guess for each place at which results are taken.
  var guesses: [Finding] {
    sorted.map { stack, order in
      Finding(
        .overtaken, weight: 33, place: .stack(stack),
        "the results of a group arrive here in the order in which its children end, and task "
          + "\(order.task.description) ended after task \(order.before.description), which was made later",
        evidence: [order.event])
    }
  }
}
