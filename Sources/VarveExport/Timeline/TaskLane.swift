internal import VarveAnalysis
internal import VarveMarbles
internal import VarveProbe

/// What one task did, column by column.
struct TaskLane {
  /// What is seen in a column. Of several, the greatest is drawn.
  enum Sign: UInt8, Comparable {
    case none, waits, sleeps, waitsForActor, waitsForGroup, waitsForTask, waitsForElement
    case waitsForContinuation, ready, runs
    case made, cancelled, ended

    static func < (first: Sign, second: Sign) -> Bool { first.rawValue < second.rawValue }

    /// - Parameters:
    ///   - end: how the run before ended.
    ///   - wait: what it waits for, if that is a continuation.
    init(_ end: TaskAwaitPayload, _ wait: ContinuationWait?) {
      self =
        switch TaskAwait(rawValue: end.awaited) {
        case .task: .waitsForTask
        case .continuation:
          switch wait {
          case .sleep: .sleeps
          case .yield: .ready
          case .element: .waitsForElement
          case .continuation, nil: .waitsForContinuation
          }
        case .group: .waitsForGroup
        case .executor: .waitsForActor
        case .nothing: .none
        case .unknown, nil: .waits
        }
    }

    var isWait: Bool { self > .none && self < .ready }

    /// What a task does, or what happened to it: `waits for a task`.
    var meaning: String {
      switch self {
      case .none, .ended: "ended"
      case .made: "was made"
      case .cancelled: "was cancelled"
      case .runs: "runs"
      case .ready: "could run"
      case .waits: "waits"
      case .sleeps: "sleeps"
      case .waitsForElement: "waits for an element of a stream"
      case .waitsForContinuation: "waits for a continuation"
      case .waitsForTask: "waits for a task"
      case .waitsForGroup: "waits for its group"
      case .waitsForActor: "waits for an actor"
      }
    }
  }

  /// Who let a task go on.
  enum Resumer { case task(UInt64), thread(UInt32) }

  let task: TaskState
  let depth: Int
  private(set) var signs: [Sign]
  /// The last event, and the stack of what the task does since: of the functions that wait, or of the
  /// code that made the task.
  private(set) var last = LaneTag()
  private(set) var stack: UInt32 = 0
  private(set) var resumer: Resumer?
  private(set) var state = Sign.none
  /// The column up to which the lane is drawn.
  private var column = 0

  init(_ task: TaskState, depth: Int, columns: Int) {
    self.task = task
    self.depth = depth
    signs = Array(repeating: .none, count: columns)
  }

  /// Goes on with another state.
  ///
  /// - Parameters:
  ///   - state: what the task does from now on.
  ///   - column: where it changes; nil if that is before the first column.
  ///   - mark: what is seen there besides.
  mutating func turn(to state: Sign, at column: Int?, _ tag: LaneTag, mark: Sign = .none) {
    if let column {
      extend(to: column)
      signs[column] = max(signs[column], mark, state)
    }
    self.state = state
    last = tag
  }

  mutating func cancel(at column: Int?, _ tag: LaneTag) {
    turn(to: state, at: column, tag, mark: .cancelled)
  }

  mutating func note(stack: UInt32) { if stack != 0 { self.stack = stack } }

  mutating func note(_ resumer: Resumer?) { self.resumer = resumer }

  /// Draws what it does up to a column.
  mutating func extend(to column: Int) {
    guard state != .none else {
      self.column = max(self.column, column)
      return
    }
    for index in min(self.column, column)...column { signs[index] = max(signs[index], state) }
    self.column = column
  }
}
