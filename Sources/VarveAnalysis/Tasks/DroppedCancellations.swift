internal import VarveFormat
internal import VarveProbe

/// Tasks that were cancelled while they waited, and went on to wait for other things below that, since the code
/// drops the error which would have told them.
struct DroppedCancellations: TaskGuesser {
  private struct Way: Hashable {
    /// Where the task was cancelled, and where it waited later.
    var from: UInt32
    var to: UInt32
  }

  private struct Wait {
    var stack: UInt32
    /// Where it was cancelled; 0 if it was not.
    var cancelled: UInt32 = 0
    /// How many waits have followed.
    var later = 0
  }

  private struct Tasks {
    var first: UInt64
    var event: EventName
    var count: UInt64 = 0
  }

  private var waits: WalkTable<UInt64, Wait>
  private var ways: [Way: Tasks] = [:]

  private static let fewest: UInt64 = 2
  /// On its way down, a task moves to its executor, too.
  private static let mostLater = 4
  private static let mostWays = 1_024

  init(_ walk: TraceWalk) { waits = WalkTable(walk, bytes: 48, of: .work) }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .cancelled(let task):
      waits.change(task) { if $0.cancelled == 0 { $0.cancelled = $0.stack } }
    case .ended(let task, let end):
      guard moment.awaited != .nothing else {
        waits.removeValue(forKey: task)
        return
      }
      guard end.stack != 0 else { return }
      if let wait = waits[task], wait.cancelled != 0, wait.later < Self.mostLater {
        let way = Way(from: wait.cancelled, to: end.stack)
        guard ways[way] != nil || ways.count < Self.mostWays else { return }
        ways[way, default: Tasks(first: task, event: moment.event)].count += 1
      }
      _ = waits.change(task, orFirst: Wait(stack: end.stack)) {
        $0.stack = end.stack
        if $0.cancelled != 0 { $0.later += 1 }
      }
    default: return
    }
  }

  /// Returns a guess for each piece of code that drops such errors, by its source.
  func guesses(_ names: StackNames) -> [Finding] {
    let ways = ways.filter { $0.value.count >= Self.fewest && $0.key.from != $0.key.to }
    names.lookUp(ways.keys.flatMap { [$0.from, $0.to] })
    var catches = CatchSites()
    var conditions = LoopConditions()
    var seen: Set<Place> = []
    return ways.sorted { $0.value.event < $1.value.event }.compactMap { way, tasks in
      let frames = names.frames(of: way.from).filter { !$0.isMachinery && $0.line > 0 }
      guard
        let (site, position) = catches.catcher(of: ThrownErrors.cancellation, in: frames),
        site.isIgnored, site.leftLoop == nil,
        // It may have returned to who called that.
        let (first, last) = Self.goingOn(from: frames[position...], to: names.frames(of: way.to)),
        let file = last.file,
        !frames[position...].contains(where: { conditions.asksForCancellation(around: $0) }),
        !conditions.asksForCancellation(between: first, and: last.line),
        seen.insert(site.place).inserted
      else { return nil }
      var finding = Finding(
        .handled, weight: 44, place: .line(site.place),
        "\(tasks.count, "task was", "tasks were") cancelled while waiting here, and went on all the same, to "
          + "\(place: .line(Place(path: file, line: last.line))): nothing is made of the error that tells it; the first one was task "
          + "\(tasks.first.description)",
        evidence: [tasks.event])
      finding.count = tasks.count
      return finding
    }
  }

  /// Returns the innermost function of some that another wait is in, too, further down, with both lines.
  private static func goingOn(
    from frames: ArraySlice<NamedFrame>, to later: [NamedFrame]
  ) -> (first: NamedFrame, last: NamedFrame)? {
    for first in frames {
      let last = later.first {
        $0.file == first.file && $0.function == first.function && first.line < $0.line
      }
      if let last { return (first, last) }
    }
    return nil
  }
}
