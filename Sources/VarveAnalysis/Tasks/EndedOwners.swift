internal import VarveFormat
internal import VarveProbe

/// Tasks that what had made them cancelled at its own end (`deinit`), although they do not need it: what they
/// had still to do is not done.
struct EndedOwners: TaskGuesser {
  private struct Way: Hashable {
    var canceller: UInt32
    var maker: UInt32
    /// Where the task waited; 0 if it had not begun.
    var wait: UInt32
  }

  private struct Tasks {
    var first: UInt64
    var event: EventName
    var count: UInt64 = 0
  }

  private let suspensions: TaskSuspensions
  /// The tasks that were cancelled so and have not waited since.
  private var cancelled: WalkTable<UInt64, (way: Way, event: EventName)>
  private var found: [Way: Tasks] = [:]

  private static let mostWays = 256

  init(_ walk: TraceWalk, _ suspensions: TaskSuspensions) {
    self.suspensions = suspensions
    cancelled = WalkTable(walk, bytes: 64, of: .work)
  }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .cancelled(let task):
      guard moment.stack != 0, moment.maker != 0, !moment.isCancelled else { return }
      let way = Way(
        canceller: moment.stack, maker: moment.maker, wait: suspensions.stack(of: task) ?? 0)
      cancelled.set((way, moment.event), for: task)
    case .ended(let task, _):
      // The error that ends it moves it to the executors of the functions that it leaves.
      guard moment.awaited != .executor, let (way, event) = cancelled.removeValue(forKey: task),
        moment.awaited == .nothing, found[way] != nil || found.count < Self.mostWays
      else { return }
      found[way, default: Tasks(first: task, event: event)].count += 1
    default: return
    }
  }

  /// Returns a guess for each piece of code that cancels so, by the source of the tasks.
  func guesses(_ names: StackNames) -> [Finding] {
    var variables = TaskVariables()
    var sources = SourceLines()
    var seen: Set<Place> = []
    return found.sorted { $0.value.event < $1.value.event }.compactMap { way, tasks in
      let ending = names.frames(of: way.canceller).first {
        !$0.isMachinery && $0.line > 0 && $0.function?.hasSuffix("deinit") == true
      }
      guard let ending, let file = ending.file, let maker = names.own(of: way.maker),
        let work = variables.work(ofTaskMadeBy: maker), !work.contains("self"),
        // What goes on and on has to be ended.
        PlainSource.loops.isDisjoint(with: work),
        !names.frames(of: way.wait).contains(where: { sources.source(at: $0)?.isOfLoop == true }),
        seen.insert(Place(path: file, line: ending.line)).inserted
      else { return nil }
      var finding = Finding(
        .partial, weight: 46, place: .line(Place(path: file, line: ending.line)),
        "task \(tasks.first.description) was cancelled here, by the end of what had made it, "
          + (way.wait == 0 ? "before it began" : "while it waited at \(place: .stack(way.wait))")
          + ": its code needs nothing of that, and what it had still to do is not done",
        evidence: [tasks.event])
      finding.count = tasks.count
      return finding
    }
  }
}

extension PlainSource {
  /// Whether the line asked for stands in a loop, or is the head of one.
  fileprivate var isOfLoop: Bool {
    isInLoop || statements(in: asked).first.map { Self.loops.contains($0.texts[0]) } == true
  }
}
