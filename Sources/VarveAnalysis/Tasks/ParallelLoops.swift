internal import VarveFormat
internal import VarveProbe

/// Loops of tasks that one piece of code made at different times, and that go on side by side: nothing
/// ended the first one when the second began.
struct ParallelLoops: TaskGuesser {
  private struct Life {
    var maker: UInt32
    var born: UInt64
    /// Where it waits once in each round, how often it has come back there, and how often it has waited
    /// elsewhere since.
    var stack: UInt32 = 0
    var rounds: UInt64 = 0
    var others: UInt64 = 0
  }

  private struct Pair {
    var first: UInt64
    var second: UInt64
    /// Where both wait.
    var stack: UInt32
    var event: EventName
  }

  private let time: TraceTime
  private var lives: WalkTable<UInt64, Life>
  /// The first task of each making that is in a loop.
  private var loops: [UInt32: UInt64] = [:]
  private var found: [UInt32: Pair] = [:]

  /// Tasks that are made in closer succession than this, in nanoseconds, belong together.
  private static let together: UInt64 = 20_000_000
  private static let fewestRounds: UInt64 = 2
  /// A round has no more waits than these besides the first.
  private static let mostOthers: UInt64 = 4
  private static let mostPlaces = 64

  init(_ time: TraceTime, _ walk: TraceWalk) {
    self.time = time
    lives = WalkTable(walk, bytes: 72, of: .work)
  }

  mutating func note(_ moment: TaskMoment) {
    let maker = moment.maker
    switch moment.step {
    case .made(let task, let made)
    where moment.making == .task && maker != 0 && made.creator != 0:
      lives.set(Life(maker: maker, born: moment.ticks), for: task)
    case .cancelled(let task): lives.removeValue(forKey: task)
    case .ended(let task, let end):
      switch TaskAwait(rawValue: end.awaited) {
      case .nothing: lives.removeValue(forKey: task)
      case .continuation: noteWait(of: task, at: end.stack, moment.event)
      case .task: lives.removeValue(forKey: end.number)
      case .group, .executor, .unknown, nil: return
      }
    default: return
    }
  }

  private mutating func noteWait(of task: UInt64, at stack: UInt32, _ event: EventName) {
    lives.change(task) {
      if $0.stack == stack {
        $0.rounds += 1
        $0.others = 0
      } else if $0.rounds == 0 || $0.others == Self.mostOthers {
        ($0.stack, $0.rounds, $0.others) = (stack, 1, 0)
      } else {
        $0.others += 1
      }
    }
    guard let life = lives[task], life.stack == stack, life.rounds >= Self.fewestRounds else {
      return
    }
    guard let other = loops[life.maker], other != task, let first = lives[other],
      first.stack == stack
    else {
      if loops[life.maker] != nil || loops.count < Self.mostPlaces { loops[life.maker] = task }
      return
    }
    guard found[life.maker] == nil,
      time.duration(from: min(first.born, life.born), to: max(first.born, life.born))
        >= Self.together
    else { return }
    found[life.maker] = Pair(
      first: min(other, task), second: max(other, task), stack: stack, event: event)
  }

  /// Returns a guess for each piece of code that makes such tasks; with the line, by its source, in which
  /// they take hold of what would end them and was to be held weakly.
  func guesses(_ names: StackNames) -> [Finding] {
    var owners = WeakOwners()
    let all = found.sorted { $0.value.event < $1.value.event }.map { stack, pair in
      let tasks: FindingSentence =
        "task \(pair.first.description) and task \(pair.second.description) were made "
      let hold = names.own(of: stack).flatMap {
        owners.hold(takenBy: $0, waitingIn: names.frames(of: pair.stack))
      }
      guard let hold else {
        return Finding(
          .restarted, weight: 34, place: .stack(stack),
          tasks + "here at different times, and loop at the "
            + "same place, side by side: nothing ended the first one when the second began",
          evidence: [pair.event])
      }
      return Finding(
        .leak, weight: 34, place: .line(hold.place),
        tasks
          + "at \(place: .stack(stack)) at different times, and loop at the same place, side by side: "
          + "each keeps \(hold.name), which it was to hold weakly, from this line on",
        evidence: [pair.event])
    }
    // Why these do not end is known.
    return all.filter { $0.kind == .leak } + all.filter { $0.kind != .leak }
  }
}
