internal import VarveFormat
internal import VarveProbe

/// Tasks that ended after one that was made later, by the same code: of two requests, the answer to the
/// older one came last.
struct TaskOvertakings: TaskGuesser {
  /// A task that has not ended.
  private struct Life {
    var stack: UInt32
    var born: UInt64
  }

  /// The task that ended last of those that one piece of code makes.
  private struct Ended {
    var task: UInt64
    var born: UInt64
  }

  private let time: TraceTime
  private var lives: WalkTable<UInt64, Life>
  private var ended: WalkTable<UInt32, Ended>
  /// By the code that makes the tasks.
  private var found: [UInt32: (older: UInt64, newer: UInt64, event: EventName)] = [:]
  /// Likewise, of tasks that belong together.
  private var foundTogether: [UInt32: (older: UInt64, newer: UInt64, event: EventName)] = [:]

  /// Tasks that are made in closer succession than this, in nanoseconds, belong together.
  private static let together: UInt64 = 10_000_000
  private static let mostPlaces = 64

  init(_ time: TraceTime, _ walk: TraceWalk) {
    self.time = time
    lives = WalkTable(walk, bytes: 48, of: .work)
    ended = WalkTable(walk, bytes: 48, of: .work)
  }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .made(let task, _) where moment.making == .task:
      noteMade(task, by: moment.maker, at: moment.ticks)
    case .cancelled(let task): noteExpected(task)
    case .ended(let task, let end):
      switch moment.awaited {
      case .nothing: noteEnd(of: task, moment.event)
      case .task: noteExpected(end.number)
      case .continuation, .group, .executor, .unknown, nil: return
      }
    default: return
    }
  }

  private mutating func noteMade(_ task: UInt64, by stack: UInt32, at ticks: UInt64) {
    if stack != 0 { lives.set(Life(stack: stack, born: ticks), for: task) }
  }

  /// Somebody waits for the task, or has cancelled it, and so expects it to end when it does.
  private mutating func noteExpected(_ task: UInt64) { lives.removeValue(forKey: task) }

  private mutating func noteEnd(of task: UInt64, _ event: EventName) {
    guard let life = lives.removeValue(forKey: task) else { return }
    guard let last = ended[life.stack], last.born > life.born else {
      ended.set(Ended(task: task, born: life.born), for: life.stack)
      return
    }
    let apart = time.duration(from: life.born, to: last.born)
    if apart < Self.together {
      guard foundTogether[life.stack] == nil, foundTogether.count < Self.mostPlaces else { return }
      foundTogether[life.stack] = (task, last.task, event)
    } else {
      guard found[life.stack] == nil, found.count < Self.mostPlaces else { return }
      found[life.stack] = (task, last.task, event)
    }
  }

  /// Returns a guess for each piece of code whose tasks, made in one go, ended in another order.
  var guessesTogether: [Finding] {
    foundTogether.sorted { $0.value.event < $1.value.event }.map { stack, pair in
      Finding(
        .overtaken, weight: 28, place: .stack(stack),
        "task \(pair.older.description) and task \(pair.newer.description) were made here in one go, and the one that was made "
          + "first ended last: nothing keeps them in order",
        evidence: [pair.event])
    }
  }

  /// Returns a guess for each piece of code.
  var guesses: [Finding] {
    found.sorted { $0.value.event < $1.value.event }.map { stack, pair in
      Finding(
        .stale, weight: 50, place: .stack(stack),
        "task \(pair.older.description), made here, ended after task \(pair.newer.description), which was "
          + "made here later: nobody had cancelled it, and what it found may have replaced the newer answer",
        evidence: [pair.event])
    }
  }
}
