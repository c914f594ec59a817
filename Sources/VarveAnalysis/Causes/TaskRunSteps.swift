internal import VarveFormat
public import VarveProbe

// How a path goes through the runs of tasks. Such a run has two causes: what resumed the task, and its
// run before. Who reads a path wants to know the first; of the second, what the task awaited in
// between, and how often it had run.

extension TraceEvent {
  /// The task that runs from here on, if it is the beginning of a task's run.
  public var runTask: UInt64? {
    guard kind == .hopBegan, payload.kind == .task else { return nil }
    return TaskRunPayload(word: payload.word).task
  }

  /// What the task awaits, if it is the end of a task's run.
  public var awaited: TaskAwaitPayload? {
    guard kind == .hopEnded, payload.kind == .awaited else { return nil }
    return TaskAwaitPayload(word: payload.word)
  }
}

extension CausalGraph {
  /// Returns the event that ended the run of a task before one that was scheduled; nil for its first.
  func suspension(of task: UInt64, before scheduled: TraceEvent) -> TraceEvent? {
    for cause in scheduled.causes {
      if let event = events[cause], self.task(endingRun: event) == task { return event }
    }
    return nil
  }

  /// Returns the task whose run an event ended; nil if it is another event.
  func task(endingRun event: TraceEvent) -> UInt64? {
    guard event.awaited != nil else { return nil }
    return event.causes.lazy.compactMap { self.events[$0]?.runTask }.first
  }
}

extension CausalPath {
  /// The runs of a task that were left out before another of its runs.
  public struct EarlierRuns: Sendable, Hashable {
    /// Their number.
    public var count: Int
    /// When the first of them began, in ticks.
    public var began: UInt64
    /// When the last of them was over: the beginning of the run after it, in ticks.
    public var ended: UInt64
  }

  /// The number of runs of a task, one after another, from which those in the middle are left out.
  private static let mostRuns = 3

  /// Leaves out all but the first and last of runs of one task that follow each other.
  static func runsFolded(_ steps: [Step]) -> [Step] {
    var result: [Step] = []
    var index = 0
    while index < steps.count {
      let step = steps[index]
      var end = index + 1
      while end < steps.count, let task = step.event.runTask, continues(steps[end], task, step) {
        end += 1
      }
      result.append(step)
      if end - index > mostRuns {
        result[result.count - 1].earlier = EarlierRuns(
          count: end - index - 2, began: steps[end - 2].event.ticks, ended: step.event.ticks)
        result.append(steps[end - 1])
      } else {
        result += steps[index + 1..<end]
      }
      index = end
    }
    return result
  }

  private static func continues(_ step: Step, _ task: UInt64, _ first: Step) -> Bool {
    step.event.runTask == task && step.depth == first.depth && !step.joins && !step.wasShown
  }
}
