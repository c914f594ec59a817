internal import VarveFormat
internal import VarveProbe

/// Tasks that nobody awaits, and that had not ended when their program ended by itself.
struct UnfinishedTasks: TaskGuesser {
  private struct Life {
    var maker: UInt32
    var made: EventName
  }

  private var lives: WalkTable<UInt64, Life>
  /// The code that makes tasks of which some have ended, or are awaited, or were cancelled.
  private var others: Set<UInt32> = []

  private static let mostMakers = 4_096

  init(_ walk: TraceWalk) { lives = WalkTable(walk, bytes: 56, of: .work) }

  mutating func note(_ moment: TaskMoment) {
    let maker = moment.maker
    switch moment.step {
    case .made(let task, let made)
    where moment.making == .task && maker != 0 && made.creator != 0:
      lives.set(Life(maker: maker, made: moment.event), for: task)
    case .cancelled(let task): forget(task)
    case .ended(let task, let end):
      switch TaskAwait(rawValue: end.awaited) {
      case .nothing: forget(task)
      case .task: forget(end.number)
      case .continuation, .group, .executor, .unknown, nil: return
      }
    default: return
    }
  }

  private mutating func forget(_ task: UInt64) {
    guard let life = lives.removeValue(forKey: task), others.count < Self.mostMakers else { return }
    others.insert(life.maker)
  }

  /// Returns a guess for each piece of code that makes such tasks, the one that was made last first.
  var guesses: [Finding] {
    var places: Set<UInt32> = []
    return lives.entries.filter { !others.contains($0.value.maker) }
      .sorted { $0.key > $1.key }
      .filter { places.insert($0.value.maker).inserted }
      .map { task, life in
        Finding(
          .partial, weight: 27, place: .stack(life.maker),
          "task \(task.description), made here, had not ended when the program did, and nobody awaited it: what it had "
            + "still to do is not done",
          evidence: [life.made])
      }
  }
}
