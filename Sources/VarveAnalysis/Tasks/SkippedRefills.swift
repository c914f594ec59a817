internal import VarveFormat
internal import VarveProbe

/// Groups to which a loop adds a child for each result that it takes, and that got smaller and smaller because
/// it did not do so for some.
struct SkippedRefills: TaskGuesser {
  /// A task that takes results of its group.
  private struct Loop {
    var stack: UInt32
    var isRefilled = false
    /// The rounds in which it added none, since the last one in which it added one.
    var empty: UInt64 = 0
    /// Those before that.
    var skipped: UInt64 = 0
    var event: EventName
  }

  private struct Skip {
    var task: UInt64
    var count: UInt64
    var event: EventName
  }

  private var loops: WalkTable<UInt64, Loop>
  /// By where the results are taken.
  private var found: [UInt32: Skip] = [:]

  private static let mostPlaces = 64

  init(_ walk: TraceWalk) { loops = WalkTable(walk, bytes: 72, of: .work) }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .made(_, let made) where moment.making == .groupChild:
      loops.change(made.creator) { $0.isRefilled = true }
    case .ended(let task, let end) where moment.awaited == .group && end.stack != 0:
      let first = Loop(stack: end.stack, event: moment.event)
      guard let known = loops[task], known.stack == end.stack else {
        loops.set(first, for: task)
        return
      }
      noteRound(of: task, moment.event)
    case .ended(let task, _) where moment.awaited == .nothing: loops.removeValue(forKey: task)
    default: return
    }
  }

  /// A task has taken results, and waits for the next one.
  private mutating func noteRound(of task: UInt64, _ event: EventName) {
    loops.change(task) {
      if $0.isRefilled {
        $0.skipped += $0.empty
        $0.empty = 0
      } else {
        if $0.skipped + $0.empty == 0 { $0.event = event }
        $0.empty += 1
      }
      $0.isRefilled = false
    }
    guard let loop = loops[task], loop.skipped > found[loop.stack]?.count ?? 0,
      found[loop.stack] != nil || found.count < Self.mostPlaces
    else { return }
    found[loop.stack] = Skip(task: task, count: loop.skipped, event: loop.event)
  }

  /// Returns a guess for each such loop, by its source.
  func guesses(_ names: StackNames) -> [Finding] {
    var loops = ElementLoops()
    return found.sorted { $0.value.event < $1.value.event }.compactMap { stack, skip in
      guard let own = names.own(of: stack), let place = loops.skip(inLoopAt: own) else {
        return nil
      }
      return Finding(
        .partial, weight: 47, place: .line(place),
        "task \(skip.task.description) took \(skip.count, "result", "results") of its group without adding a child in "
          + "its place, as it does below this line: the group gets smaller each time that it is skipped here",
        evidence: [skip.event])
    }
  }
}
