internal import VarveFormat
internal import VarveProbe

/// Tasks that one run of a task makes several times in the same way, that are alive side by side, and that
/// nobody awaits: what ought to keep the second one away may come too late.
struct TaskTwins: TaskGuesser {
  /// A task that has not ended.
  private struct Life {
    var template: UInt32
    var ticks: UInt64
    var creator: UInt64
  }

  /// What is told of the tasks of one template.
  private struct Pair {
    var first: UInt64
    var second: UInt64
    var event: EventName
    var count: UInt64 = 1
  }

  private let time: TraceTime
  private var lives: WalkTable<UInt64, Life>
  /// The task that was made last, by template.
  private var last: WalkTable<UInt32, UInt64>
  /// When the last run of each task began.
  private var began: WalkTable<UInt64, UInt64>
  private var pairs: [UInt32: Pair] = [:]
  /// The templates of tasks that somebody awaits, or cancels.
  private var expected: Set<UInt32> = []

  /// Tasks that are made in closer succession than this, in nanoseconds, are made in one go.
  private static let together: UInt64 = 10_000_000
  private static let mostPlaces = 64

  init(_ time: TraceTime, _ walk: TraceWalk) {
    self.time = time
    lives = WalkTable(walk, bytes: 56, of: .work)
    last = WalkTable(walk, bytes: 40, of: .work)
    began = WalkTable(walk, bytes: 40, of: .work)
  }

  mutating func note(_ moment: TaskMoment) {
    switch moment.step {
    case .made(let task, let made) where moment.making == .task:
      noteMade(task, made, at: moment.ticks, moment.event)
    case .began(let task, _): began.set(moment.ticks, for: task)
    case .cancelled(let task): noteExpected(task)
    case .ended(let task, let end):
      switch moment.awaited {
      case .nothing: noteEnd(of: task)
      case .task: noteExpected(end.number)
      case .continuation, .group, .executor, .unknown, nil: return
      }
    default: return
    }
  }

  private mutating func noteMade(
    _ task: UInt64, _ made: TaskCreationPayload, at ticks: UInt64, _ event: EventName
  ) {
    guard made.creator != 0 else { return }
    defer {
      lives.set(Life(template: made.template, ticks: ticks, creator: made.creator), for: task)
      last.set(task, for: made.template)
    }
    guard let other = last[made.template], let twin = lives[other], twin.creator == made.creator,
      let run = began[made.creator], twin.ticks >= run,
      time.duration(from: twin.ticks, to: ticks) < Self.together,
      pairs[made.template] != nil || pairs.count < Self.mostPlaces
    else { return }
    if pairs[made.template] == nil {
      pairs[made.template] = Pair(first: other, second: task, event: event)
    } else {
      pairs[made.template]?.count += 1
    }
  }

  private mutating func noteExpected(_ task: UInt64) {
    guard let life = lives[task], expected.count < Self.mostPlaces else { return }
    expected.insert(life.template)
  }

  private mutating func noteEnd(of task: UInt64) {
    lives.removeValue(forKey: task)
    began.removeValue(forKey: task)
  }

  /// Returns a guess for each template, those that happened most often first.
  func guesses(_ definitions: TraceDefinitions) -> [Finding] {
    pairs.filter { !expected.contains($0.key) }
      .sorted { ($1.value.count, $0.value.event) < ($0.value.count, $1.value.event) }
      .compactMap { template, pair in
        guard let stack = definitions.taskTemplates[template]?.stack, stack != 0 else { return nil }
        let times: FindingSentence =
          pair.count == 1 ? "" : "; so it was \(pair.count, "time", "times")"
        return Finding(
          .restarted, weight: 35, place: .stack(stack),
          "task \(pair.first.description) and task \(pair.second.description) were made here in one go, "
            + "and ran side by side: what should keep the second one away may be set too late"
            + times,
          evidence: [pair.event])
      }
  }
}
