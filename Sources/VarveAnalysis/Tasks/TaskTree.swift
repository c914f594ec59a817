internal import VarveProbe

/// Tasks below those that made them, or whose children they are.
public struct TaskTree: Sendable {
  /// A task, or several that are alike: siblings without tasks below them, which do or await the
  /// same at the same place.
  public struct Node: Sendable {
    /// The task; of several, the oldest.
    public var task: TaskState
    /// The other tasks that are like it, by number.
    public var alike: [UInt64] = []
    /// The number of nodes between this one and the root.
    public var depth: Int
    /// Whether it is the last one below its parent.
    public var isLast: Bool
  }

  /// The nodes, each before those below it.
  public let nodes: [Node]

  /// The greatest depth that is shown: deeper tasks stand at it.
  static let deepest = 64

  /// Arranges tasks.
  ///
  /// - Parameters:
  ///   - tasks: The tasks.
  ///   - symbols: The names of code: tasks that were made at the same lines are then alike, whatever the
  ///     addresses.
  public init(_ tasks: [TaskState], symbols: Symbolizer? = nil) {
    var lines: [[StackFrame]: [OwnFrame]] = [:]
    for task in tasks where lines[task.made] == nil {
      lines[task.made] = symbols?.ownLines(of: task.made) ?? []
    }
    let known = Set(tasks.map(\.id))
    var below: [UInt64?: [TaskState]] = [:]
    for task in tasks.sorted(by: { $0.id < $1.id }) {
      // A task is younger than the one that it belongs to, so there is no circle.
      let parent = [task.parent, task.maker].lazy.compactMap { $0 }
        .first { known.contains($0) && $0 < task.id }
      below[parent, default: []].append(task)
    }
    var nodes: [Node] = []
    var open = Self.merged(below[nil] ?? [], below, lines, depth: 0).reversed() as [Node]
    while let node = open.popLast() {
      nodes.append(node)
      open += Self.merged(
        below[node.task.id] ?? [], below, lines, depth: min(node.depth + 1, Self.deepest)
      ).reversed()
    }
    self.nodes = nodes
  }

  private struct Likeness: Hashable {
    var state: TaskState
    /// Where it was made, if that is known; its stack is left out then.
    var lines: [OwnFrame]
  }

  private static func merged(
    _ tasks: [TaskState], _ below: [UInt64?: [TaskState]], _ lines: [[StackFrame]: [OwnFrame]],
    depth: Int
  ) -> [Node] {
    var nodes: [Node] = []
    var places: [Likeness: Int] = [:]
    for task in tasks {
      var state = task
      state.id = 0
      state.born = nil
      state.since = nil
      let made = lines[task.made] ?? []
      if !made.isEmpty { state.made = [] }
      let likeness = Likeness(state: state, lines: made)
      if below[task.id] == nil, let place = places[likeness] {
        nodes[place].alike.append(task.id)
        continue
      }
      if below[task.id] == nil { places[likeness] = nodes.count }
      nodes.append(Node(task: task, depth: depth, isLast: false))
    }
    if let last = nodes.indices.last { nodes[last].isLast = true }
    return nodes
  }
}
