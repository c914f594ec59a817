internal import VarveFormat
internal import VarveProbe

/// Tasks that cancel one which was made after them: what they were made for had ended, and something else of
/// its kind stood in its place.
struct LateCancellations: TaskGuesser {
  private struct Life {
    var maker: UInt32
    /// The task that its creator had made just before it, and the code that made that.
    var before: (task: UInt64, maker: UInt32)?
  }

  private struct Mistake {
    var task: UInt64
    var meant: UInt64
    var cancelled: UInt64
    var event: EventName
    var count: UInt64 = 0
  }

  private var lives: WalkTable<UInt64, Life>
  /// The task that each task, or code outside tasks, has made last.
  private var last: WalkTable<UInt64, (task: UInt64, maker: UInt32)>
  /// By the stack of the code that cancels.
  private var found: [UInt32: Mistake] = [:]

  private static let mostFound = 64

  init(_ walk: TraceWalk) {
    lives = WalkTable(walk, bytes: 64, of: .work)
    last = WalkTable(walk, bytes: 48, of: .work)
  }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .made(let task, let made) where moment.making == .task && moment.maker != 0:
      lives.set(Life(maker: moment.maker, before: last[made.creator]), for: task)
      last.set((task, moment.maker), for: made.creator)
    case .ended(let task, _) where moment.awaited == .nothing:
      lives.removeValue(forKey: task)
      last.removeValue(forKey: task)
    case .cancelled(let task):
      guard moment.stack != 0, let canceller = moment.giver, canceller < task,
        let own = lives[canceller], let meant = own.before, let other = lives[task],
        other.maker == meant.maker, own.maker != other.maker, lives[meant.task] == nil,
        found[moment.stack] != nil || found.count < Self.mostFound
      else { return }
      found[
        moment.stack,
        default: Mistake(
          task: canceller, meant: meant.task, cancelled: task, event: moment.event)
      ].count += 1
    default: return
    }
  }

  /// Returns a guess for each piece of code that cancels so.
  var guesses: [Finding] {
    found.sorted { $0.value.event < $1.value.event }.map { stack, mistake in
      var finding = Finding(
        .partial, weight: 61, place: .stack(stack),
        "task \(mistake.task.description) cancelled task \(mistake.cancelled.description) here, which was made after it: it "
          + "was made right after task \(mistake.meant.description), of the same code, which had ended by then",
        evidence: [mistake.event])
      finding.count = mistake.count
      return finding
    }
  }
}
