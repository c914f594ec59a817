internal import VarveFormat
internal import VarveProbe

/// Loops of tasks to which several others give elements, and that ended because one of these ended the
/// stream, while others were alive that still had something to give.
struct SharedEnds: TaskGuesser {
  /// A loop: suspensions of a task in a row at one place.
  private struct Loop {
    var stack: UInt32
    var rounds: UInt64 = 0
    /// The tasks that have resumed it, the first ones.
    var givers: [UInt64] = []
    /// Where the code is that did so for the last time, and for the time before.
    var last: (giver: UInt64, stack: UInt32) = (0, 0)
    var before: (giver: UInt64, stack: UInt32) = (0, 0)
  }

  private struct End {
    var task: UInt64
    var giver: UInt64
    var givers: Int
    var rounds: UInt64
    var event: EventName
  }

  private var loops: WalkTable<UInt64, Loop>
  private var alive: WalkTable<UInt64, Bool>
  /// By the code that ended the stream.
  private var found: [UInt32: End] = [:]

  private static let fewestRounds: UInt64 = 3
  private static let mostGivers = 8
  private static let mostPlaces = 64

  init(_ walk: TraceWalk) {
    loops = WalkTable(walk, bytes: 144, of: .work)
    alive = WalkTable(walk, bytes: 40, of: .work)
  }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .began(let task, _): alive.set(true, for: task)
    // What ends by its cancellation was not ended by who gave it its elements.
    case .cancelled(let task): loops.removeValue(forKey: task)
    case .scheduled(let task):
      if let giver = moment.giver { noteResumption(of: task, by: giver, moment.stack) }
    case .ended(let task, let end):
      if moment.awaited == .nothing {
        noteEnd(of: task, moment.event)
      } else {
        noteWait(of: task, moment.awaited, at: end.stack, moment.event)
      }
    default: return
    }
  }

  private mutating func noteWait(
    of task: UInt64, _ awaited: TaskAwait?, at stack: UInt32, _ event: EventName
  ) {
    // Between two rounds it may move to its executor.
    guard awaited == .continuation, stack != 0 else { return }
    if let loop = loops[task], loop.stack != stack { noteEnd(of: loop, task, event) }
    _ = loops.change(task, orFirst: Loop(stack: stack)) {
      if $0.stack != stack { $0 = Loop(stack: stack) }
      $0.rounds += 1
    }
  }

  /// A task was resumed by what another one did.
  private mutating func noteResumption(of task: UInt64, by giver: UInt64, _ stack: UInt32) {
    guard giver != task, stack != 0 else { return }
    loops.change(task) {
      $0.before = $0.last
      $0.last = (giver, stack)
      if $0.givers.count < Self.mostGivers, !$0.givers.contains(giver) { $0.givers.append(giver) }
    }
  }

  private mutating func noteEnd(of task: UInt64, _ event: EventName) {
    alive.removeValue(forKey: task)
    if let loop = loops.removeValue(forKey: task) { noteEnd(of: loop, task, event) }
  }

  private mutating func noteEnd(of loop: Loop, _ task: UInt64, _ event: EventName) {
    let (giver, stack) = loop.last
    guard loop.rounds >= Self.fewestRounds, loop.givers.count > 1, loop.before.stack != stack,
      loop.givers.contains(where: { $0 != giver && alive[$0] != nil }),
      found[stack] == nil, found.count < Self.mostPlaces
    else { return }
    found[stack] = End(
      task: task, giver: giver, givers: loop.givers.count, rounds: loop.rounds, event: event)
  }

  /// Returns a guess for each piece of code that ended such a loop.
  var guesses: [Finding] {
    found.sorted { $0.value.event < $1.value.event }.map { stack, end in
      Finding(
        .partial, weight: 55, place: .stack(stack),
        "task \(end.giver.description) resumed task \(end.task.description) here for the last time, in another "
          + "way than before: the loop of that ended, after \(end.rounds, "round", "rounds"), though it "
          + "got its elements from \(UInt64(end.givers), "task", "tasks"), of which others were alive",
        evidence: [end.event])
    }
  }
}
