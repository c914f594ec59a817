internal import VarveFormat
internal import VarveProbe

/// Groups of which one child failed, and that were made again with all their children: what the others had
/// done already, they do twice.
struct RepeatedGroups: TaskGuesser {
  /// The children that a task has made with the same code, until all of them had ended.
  private struct Round {
    var made: UInt64 = 0
    var alive: UInt64 = 0
    /// How many others were cancelled, or failed, too.
    var undone: UInt64 = 0
    var failed: (task: UInt64, event: EventName)?
    /// Where the task waited for them.
    var stack: UInt32 = 0

    /// How many have done what they were to do.
    var done: UInt64 {
      let others = undone + (failed == nil ? 0 : 1)
      return made > others ? made - others : 0
    }
  }

  private struct Rounds {
    var maker: UInt32
    var last = Round()
    var current = Round()
  }

  private struct Repetition {
    var task: UInt64
    var round: Round
    var count: UInt64 = 0
  }

  private let suspensions: TaskSuspensions
  private var rounds: WalkTable<UInt64, Rounds>
  /// By the code that makes the children.
  private var found: [UInt32: Repetition] = [:]
  /// The code that makes them again after they all had done what they were to do.
  private var regular: Set<UInt32> = []

  private static let mostMakers = 1_024

  init(_ suspensions: TaskSuspensions, _ walk: TraceWalk) {
    self.suspensions = suspensions
    rounds = WalkTable(walk, bytes: 176, of: .work)
  }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .made(_, let made) where moment.making == .groupChild && moment.maker != 0:
      let maker = moment.maker
      _ = rounds.change(made.creator, orFirst: Rounds(maker: maker)) {
        if $0.maker != maker { $0 = Rounds(maker: maker) }
        if $0.current.alive == 0 { ($0.last, $0.current) = ($0.current, Round()) }
        $0.current.made += 1
        $0.current.alive += 1
      }
      if let known = rounds[made.creator], known.current.made == known.last.made {
        noteRepetition(of: known.last, by: made.creator, maker)
      }
    case .ended(let task, _) where moment.awaited == .nothing:
      rounds.removeValue(forKey: task)
      guard let parent = moment.parent else { return }
      let stack = suspensions.stack(of: parent, awaiting: .group) ?? 0
      rounds.change(parent) {
        $0.current.alive -= min(1, $0.current.alive)
        if moment.isCancelled { $0.current.undone += 1 }
        if $0.current.stack == 0 { $0.current.stack = stack }
      }
    case .failed(let task):
      guard let parent = moment.parent, !moment.isCancelled else { return }
      // A group cancels its children without a word.
      let isCancellation = moment.error == ThrownErrors.cancellation
      rounds.change(parent) {
        if isCancellation || $0.current.failed != nil {
          $0.current.undone += 1
        } else {
          $0.current.failed = (task, moment.event)
        }
      }
    default: return
    }
  }

  private mutating func noteRepetition(of round: Round, by task: UInt64, _ maker: UInt32) {
    guard found.count < Self.mostMakers, regular.count < Self.mostMakers else { return }
    if round.failed == nil, round.undone == 0 { regular.insert(maker) }
    guard round.failed != nil, round.done > 0, round.stack != 0 else { return }
    found[maker, default: Repetition(task: task, round: round)].count += 1
  }

  /// Returns a guess for each such group, at the innermost call that is made again with it.
  func guesses(_ names: StackNames) -> [Finding] {
    let retried = found.filter { !regular.contains($0.key) }.sorted { $0.key < $1.key }
    names.lookUp(retried.map(\.value.round.stack))
    var (groups, sources) = (TaskGroups(), SourceLines())
    return retried.compactMap { _, repetition in
      let round = repetition.round
      let own = names.frames(of: round.stack).filter { !$0.isMachinery && $0.line > 0 }
      guard let maker = groups.maker(in: own), let failed = round.failed else { return nil }
      // A closure may be called again, and what is in a loop is. Two calls elsewhere may be about two things.
      let again = own[maker...].first {
        $0.function?.hasPrefix("closure #") == true || sources.source(at: $0)?.isInLoop == true
      }
      guard let again, let file = again.file, !groups.isAboutEach(again) else { return nil }
      var finding = Finding(
        .restarted, weight: 63, place: .line(Place(path: file, line: again.line)),
        "this was done again after task \(failed.task.description), one of \(round.made.description) children of "
          + "task \(repetition.task.description)'s group, had failed: "
          + "\(round.done, "other", "others") had ended well, and did the same twice",
        evidence: [failed.event])
      finding.count = repetition.count
      return finding
    }
  }
}
