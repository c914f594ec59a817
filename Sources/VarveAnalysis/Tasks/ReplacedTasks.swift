internal import VarveFormat
internal import VarveProbe

/// Tasks that were cancelled for one of another name, although names come again: what the cancelled one
/// was to do for its own name is not done.
struct ReplacedTasks: TaskGuesser {
  private struct Life {
    var name: String
    var maker: UInt32
  }

  /// A task that was cancelled, whose successor is awaited.
  private struct Given {
    var task: UInt64
    var life: Life
    var stack: UInt32
    var event: EventName
  }

  private struct Replaced {
    var given: Given
    var by: String
  }

  private var lives: WalkTable<UInt64, Life>
  /// How many tasks had each name; empty once there are too many names.
  private var names: [String: UInt64] = [:]
  /// The task that code cancelled last, by thread.
  private var given: [UInt32: Given] = [:]
  /// By the name of the cancelled task.
  private var found: [String: Replaced] = [:]

  private static let mostNames = 4_096
  private static let mostFound = 64

  init(_ walk: TraceWalk) { lives = WalkTable(walk, bytes: 96, of: .work) }

  mutating func note(_ moment: TaskMoment) {
    let maker = moment.maker
    let ring = moment.event.ring
    switch moment.step {
    case .made(let task, _) where moment.making == .task && !moment.name.isEmpty:
      let life = Life(name: moment.name, maker: maker)
      lives.set(life, for: task)
      if names[life.name] != nil || names.count < Self.mostNames {
        names[life.name, default: 0] += 1
      }
      found[life.name] = nil
      guard let last = given.removeValue(forKey: ring), last.life.maker == maker,
        last.life.name != life.name, found.count < Self.mostFound
      else { return }
      found[last.life.name] = Replaced(given: last, by: life.name)
    case .cancelled(let task):
      guard let life = lives.removeValue(forKey: task), moment.stack != 0 else { return }
      given[ring] = Given(task: task, life: life, stack: moment.stack, event: moment.event)
    case .ended(let task, let end):
      // Between the cancellation and what comes instead, its thread does nothing else.
      given[ring] = nil
      if TaskAwait(rawValue: end.awaited) == .nothing { lives.removeValue(forKey: task) }
    default: return
    }
  }

  /// Returns a guess for each piece of code that cancels, the first name first. Names that come once each,
  /// such as those of requests that are numbered, tell nothing.
  var guesses: [Finding] {
    var places: Set<UInt32> = []
    return found.values
      .filter { names[$0.given.life.name, default: 0] > 1 && names[$0.by, default: 0] > 1 }
      .sorted { $0.given.event < $1.given.event }
      .filter { places.insert($0.given.stack).inserted }
      .map { replaced in
        Finding(
          .partial, weight: 58, place: .stack(replaced.given.stack),
          "task \(replaced.given.task.description) \"\(replaced.given.life.name)\" was cancelled here for one of "
            + "another name, \"\(replaced.by)\", and none of its own name came after it",
          evidence: [replaced.given.event])
      }
  }
}
