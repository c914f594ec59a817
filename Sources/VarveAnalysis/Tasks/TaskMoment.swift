internal import VarveFormat
internal import VarveProbe

/// A step in the life of a task, as the guesses about tasks see it.
struct TaskMoment {
  /// What happened.
  let step: TaskSteps.Step
  /// The event.
  let event: EventName
  /// When it happened.
  let ticks: UInt64
  /// The stack of the code that did it: that made, resumed, or cancelled the task; or, of a run that has
  /// ended, that of the functions which are suspended. 0 if it is not known.
  let stack: UInt32
  /// How the task was made, of one that was just made.
  let making: TaskMaking?
  /// The task's name, of one that was just made; empty if it has none.
  let name: String
  /// The stack of the code that made it: that of the first such code that ends at the same line; 0 if it
  /// is not known.
  let maker: UInt32
  /// The executor that it runs on, or was given to.
  let executor: UInt32
  /// The task in whose group it is a child; nil if it is none.
  let parent: UInt64?
  /// The task that ran on the thread, of one that was scheduled, or cancelled.
  let giver: UInt64?
  /// The events that caused it, of one that was scheduled, if somebody asks for them.
  let causes: [EventName]
  /// The type of the error with which it has failed; empty if it has not.
  let error: String
  /// Whether it was cancelled before.
  let isCancelled: Bool

  /// What a run that has ended awaits; nil for any other step.
  var awaited: TaskAwait? {
    guard case .ended(_, let end) = step else { return nil }
    return TaskAwait(rawValue: end.awaited)
  }
}

/// Follows the tasks of a program from step to step, and makes a guess of what it has seen.
protocol TaskGuesser {
  /// Takes in a step; each in the order in which they happened.
  mutating func note(_ moment: TaskMoment)
}
