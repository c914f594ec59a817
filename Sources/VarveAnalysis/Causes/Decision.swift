public import VarveFormat

/// A step on the way to an event at which an operator, or a scheduler, decided what became of it.
public struct Decision: Sendable {
  /// What was decided.
  public enum Kind: Sendable, Hashable {
    /// The value is of one of several inner streams, numbered from 1 in the order of their
    /// beginnings; of so many that had begun by then.
    case run(Int, of: Int)
    /// Likewise; the inner streams after it wait for their turn.
    case firstInLine(Int, of: Int)
    /// The value has an older cause than the one delivered before it, which it came after because
    /// it waited here.
    case overtaken(by: EventName)
    /// The code began this run before that of the value delivered before, and ended neither when the
    /// other began.
    case sideBySide(EventName)
    /// The operator joined a value with an older one, although newer ones of that input had come.
    case oldInput(EventName, newer: Int)
    /// The operator joined a value with an older one.
    case joined(EventName)
    /// The operator joined a value with an older one, which the same cause replaced only afterwards.
    case joinedEarly(EventName, newer: EventName)
    /// The operator kept back so many values of one input of a join that pairs the first with the
    /// first and the second with the second (`zip`): all later pairs are of values that do not belong
    /// together, as in this event.
    case outOfStep(EventName, dropped: UInt64)
    /// The operator delivered a value just before, from the same cause: old and new were mixed.
    case twice(EventName)
    /// The operator restarted its input after this failure, and the value is of the new run.
    case restarted(after: EventName)
    /// The operator replaced this failure by other values, of which this is one.
    case replaced(EventName)
    /// The operator gathered the value with so many of earlier inner streams, which newer ones had
    /// replaced; this was the last of them.
    case gathered(EventName, earlier: Int)
    /// The operator made it of this value of its input.
    case turned(EventName)
    /// The operator made the same of so many values of its input, which differ; of so many.
    case levelled(Int, of: Int)
    /// The operator let the value pass because it differs from this one, though what was made of the two
    /// below it is the same.
    case distinctAbove(EventName)
    /// The operator let a value pass that another way to the same merge had delivered already, as this
    /// event.
    case passedTwice(EventName)
    /// The operator has not begun its next input, because the one before it has not ended.
    case waitsForEnd(next: UInt32)
    /// The operator sent this value once, before those of so many inner streams that answer late: while
    /// one is awaited, what the one before it sent is shown.
    case standsInOnce(EventName, of: Int)
    /// The operator made it of so many values, of which this was the first.
    case gatheredOf(Int, since: EventName)
    /// The operator added up values that an operator above it had added up already.
    case gatheredTwice(EventName)
    /// The code changed a property here, and other code had changed, or then changed it, in the same way
    /// for the same value, as this event.
    case changedTwice(EventName)
    /// The operator dropped so many of the values that it received, because they came too quickly,
    /// and the rest is gathered below it.
    case thinned(dropped: UInt64, of: UInt64)
    /// The operator merged its inputs, and this input's value for the same cause had come before.
    case merged(after: EventName)
    /// While the operator worked on the value, code read a property that the same cause changed only
    /// afterwards.
    case early(read: EventName, newer: EventName)
    /// While the operator worked on the value, code read a property that has changed since, and does
    /// not observe it: no value came for that change.
    case outdated(read: EventName, newer: EventName)
    /// The operator replayed this failure so many times to what started it again, which never
    /// reached its input.
    case replayed(EventName, times: Int)
    /// The value was replayed to an observation that began after another one, of the same place, had
    /// delivered it as this event.
    case replayedAgain(EventName)
    /// The operator, which keeps values for later observers, was made so many times in a computed
    /// property, and its start began the work.
    case unshared(Int)
    /// The code that made the stream read a property, which has changed since, and does not observe
    /// it.
    case captured(read: EventName, newer: EventName)
    /// The value went round so many times before: this binding, or code that observes and sends,
    /// closed the loop.
    case fedBack(rounds: Int)
    /// The operator turned the value into another one in each of so many rounds of a loop.
    case changedInLoop(rounds: Int)
    /// The value waited for a scheduler.
    case hop
    /// A task was resumed, or created, and what it then did led to the event.
    case taskRun
    /// The operator chose the scheduler on which the work began, and this value came on another.
    case startedElsewhere(hop: EventName)
    /// The values that began the inner streams had been moved to a scheduler, in this event, and those of
    /// the inner streams came on another.
    case undoneHop(moved: EventName)
    /// The program's code began this observation.
    case observed
    /// The program's code sent the value, or began the work.
    case sent
  }

  /// The event.
  public var event: TraceEvent
  /// The stream that decided.
  public var stream: UInt32
  /// What was decided.
  public var kind: Kind
  /// How telling it is, from 0 to 100, on the same scale as that of a `Stop`.
  public var weight: Int
}
