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
}
