internal import VarveFormat
internal import VarveProbe

/// Streams that ended because a task which waited for their next element was cancelled, and of which a
/// later task of the same making got nothing.
struct EndedStreams: TaskGuesser {
  private struct Life {
    var maker: UInt32
    /// The stream's loop that it waits in, and since when it is cancelled.
    var stack: UInt32 = 0
    var isCancelled = false
  }

  private struct End {
    var task: UInt64
    var stack: UInt32
  }

  private struct Empty {
    var end: End
    var later: UInt64
    var event: EventName
    var count: UInt64 = 1
  }

  private let isStream: (UInt32) -> Bool
  private var lives: WalkTable<UInt64, Life>
  /// The first one of each making.
  private var ends: [UInt32: End] = [:]
  private var found: [UInt32: Empty] = [:]

  private static let mostPlaces = 64

  /// - Parameter isStream: Returns whether the functions of a stack wait for an element of a stream.
  init(_ walk: TraceWalk, isStream: @escaping (UInt32) -> Bool) {
    self.isStream = isStream
    lives = WalkTable(walk, bytes: 56, of: .work)
  }

  mutating func note(_ moment: TaskMoment) {
    let maker = moment.maker
    switch moment.step {
    case .made(let task, _) where moment.making == .task && maker != 0:
      lives.set(Life(maker: maker), for: task)
    case .cancelled(let task): lives.change(task) { $0.isCancelled = true }
    case .ended(let task, let end):
      switch TaskAwait(rawValue: end.awaited) {
      case .continuation: lives.change(task) { $0.stack = end.stack }
      case .nothing:
        if let life = lives.removeValue(forKey: task) { noteEnd(of: task, life, moment.event) }
      case .task, .group, .executor, .unknown, nil: return
      }
    default: return
    }
  }

  private mutating func noteEnd(of task: UInt64, _ life: Life, _ event: EventName) {
    if life.isCancelled, life.stack != 0 {
      guard ends[life.maker] == nil, ends.count < Self.mostPlaces, isStream(life.stack) else {
        return
      }
      ends[life.maker] = End(task: task, stack: life.stack)
    } else if life.stack == 0, let end = ends[life.maker] {
      if found[end.stack] == nil {
        found[end.stack] = Empty(end: end, later: task, event: event)
      } else {
        found[end.stack]?.count += 1
      }
    }
  }

  /// Returns a guess for each loop over a stream.
  var guesses: [Finding] {
    found.sorted { $0.value.event < $1.value.event }.map { stack, empty in
      Finding(
        .partial, weight: 59, place: .stack(stack),
        "task \(empty.end.task.description) was cancelled while it waited here for the next element, which ends the "
          + "stream for all; task \(empty.later.description), made later by the same code, got none",
        evidence: [empty.event])
    }
  }
}
