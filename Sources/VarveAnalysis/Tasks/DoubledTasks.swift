internal import VarveFormat
internal import VarveProbe

/// Tasks that two pieces of code make to do the same, and that are alive side by side: what is begun at one
/// occasion is begun again at another.
struct DoubledTasks: TaskGuesser {
  private struct Pair: Hashable {
    var first: UInt32
    var second: UInt32
  }

  private struct Doubled {
    var first: UInt64
    var second: UInt64
    var event: EventName
  }

  private struct Alive {
    var task: UInt64
    var maker: UInt32
  }

  private var creators: WalkTable<UInt64, UInt64>
  /// The tasks that each task has made last and that have not ended.
  private var alive: WalkTable<UInt64, [Alive]>
  private var pairs: [Pair: Doubled] = [:]

  private static let mostAlive = 16
  private static let mostPairs = 256

  init(_ walk: TraceWalk) {
    creators = WalkTable(walk, bytes: 40, of: .work)
    alive = WalkTable(walk, bytes: 32 + 16 * Self.mostAlive, of: .work)
  }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .made(let task, let made)
    where moment.making == .task && moment.maker != 0 && made.creator != 0:
      var others = alive[made.creator] ?? []
      for other in others where other.maker != moment.maker {
        let pair = Pair(first: other.maker, second: moment.maker)
        guard pairs[pair] == nil, pairs.count < Self.mostPairs else { continue }
        pairs[pair] = Doubled(first: other.task, second: task, event: moment.event)
      }
      if others.count == Self.mostAlive { others.removeFirst() }
      others.append(Alive(task: task, maker: moment.maker))
      alive.set(others, for: made.creator)
      creators.set(made.creator, for: task)
    case .ended(let task, _) where moment.awaited == .nothing:
      alive.removeValue(forKey: task)
      guard let creator = creators.removeValue(forKey: task), var others = alive[creator] else {
        return
      }
      others.removeAll { $0.task == task }
      alive.set(others, for: creator)
    default: return
    }
  }

  /// Returns a guess for each pair of pieces of code whose tasks do the same, by their source.
  func guesses(_ names: StackNames) -> [Finding] {
    var variables = TaskVariables()
    return pairs.sorted { $0.value.event < $1.value.event }.compactMap { pair, doubled in
      guard let one = names.own(of: pair.first), let other = names.own(of: pair.second),
        let file = other.file, let first = one.file, let work = variables.work(ofTaskMadeBy: one),
        variables.work(ofTaskMadeBy: other) == work
      else { return nil }
      return Finding(
        .restarted, weight: 41, place: .line(Place(path: file, line: other.line)),
        "task \(doubled.second.description), made here, does what task \(doubled.first.description) was doing at the same "
          + "time, which was made at \(place: .line(Place(path: first, line: one.line)))",
        evidence: [doubled.event])
    }
  }
}
