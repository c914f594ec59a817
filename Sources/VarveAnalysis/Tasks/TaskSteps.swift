package import VarveFormat
package import VarveProbe

/// Follows tasks from event to event: which task was made, given to an executor, run, and what it
/// awaits then. It remembers only tasks that have not ended.
package struct TaskSteps {
  /// What an event means to a task.
  package enum Step {
    case made(UInt64, TaskCreationPayload)
    case cancelled(UInt64)
    /// The task may run as soon as its executor has time.
    case scheduled(UInt64)
    case began(UInt64, priority: UInt8)
    /// The run has ended; so has the task, if it awaits nothing.
    case ended(UInt64, TaskAwaitPayload)
    /// The task, which has ended, has thrown an error.
    case failed(UInt64)
    /// The task still runs, as a sample of its work tells.
    case sampled(UInt64)
    /// Code has asked for the result of a task that had failed.
    case failureRead(UInt64)

    /// The task.
    package var task: UInt64 {
      switch self {
      case .made(let task, _), .cancelled(let task), .scheduled(let task), .began(let task, _),
        .ended(let task, _), .failed(let task), .failureRead(let task),
        .sampled(let task):
        task
      }
    }
  }

  /// The kinds of events to show it.
  package static let kinds: [RecordKind] = [
    .taskCreated, .taskCancelled, .hopScheduled, .hopBegan, .hopEnded, .taskFailed,
    .taskFailureRead, .hopSampled,
  ]

  /// The task of each run that has begun and not ended, and of each that is scheduled, by hop.
  private var runs: WalkTable<UInt64, UInt64>
  /// The task that ended its last run with an event, for those that are suspended.
  private var suspensions: WalkTable<EventName, UInt64>
  private var lastSuspension: WalkTable<UInt64, EventName>
  /// The task that the last record of a ring created.
  private var created: [UInt32: (sequence: UInt64, task: UInt64)] = [:]
  /// The task that each thread runs.
  private var running: [UInt32: UInt64] = [:]
  private let keepsEnded: Bool

  /// The memory for an entry of a table, in bytes.
  private static var entryBytes: Int { 48 }

  /// - Parameter keepsEnded: whether the last runs of tasks that have ended are remembered, too.
  package init(_ walk: TraceWalk, keepsEnded: Bool = false) {
    runs = WalkTable(walk, bytes: Self.entryBytes, of: .work)
    suspensions = WalkTable(walk, bytes: Self.entryBytes, of: .work)
    lastSuspension = WalkTable(walk, bytes: Self.entryBytes, of: .work)
    self.keepsEnded = keepsEnded
  }

  /// Returns the task that a thread runs; nil if it runs none.
  package func task(on ring: UInt32) -> UInt64? { running[ring] }

  /// Returns the event that ended the last run of a task.
  package func lastRun(of task: UInt64) -> EventName? { lastSuspension[task] }

  /// Takes in an event; nil if it is about no task.
  package mutating func note(_ columns: EventColumns, _ index: Int) -> Step? {
    let subscription = columns.subscriptions[index]
    let word = columns.words[index]
    let payload = PayloadKind(rawValue: columns.payloadKinds[index])
    switch RecordKind(rawValue: columns.kinds[index]) {
    case .taskCreated:
      created[columns.ring] = (columns.name(index).sequence, subscription)
      return .made(subscription, TaskCreationPayload(word: payload == .made ? word : 0))
    case .taskCancelled: return .cancelled(subscription)
    case .taskFailed: return .failed(subscription)
    case .taskFailureRead: return .failureRead(subscription)
    case .hopScheduled:
      guard let task = scheduledTask(columns, index), runs.set(task, for: subscription) else {
        return nil
      }
      return .scheduled(task)
    case .hopBegan where payload == .task:
      let run = TaskRunPayload(word: word)
      runs.set(run.task, for: subscription)
      running[columns.ring] = run.task
      return .began(run.task, priority: run.priority)
    case .hopEnded where payload == .awaited:
      guard let task = runs.removeValue(forKey: subscription) else { return nil }
      if running[columns.ring] == task { running[columns.ring] = nil }
      let end = TaskAwaitPayload(word: word)
      noteEnd(of: task, end, at: columns.name(index))
      return .ended(task, end)
    case .hopSampled: return runs[subscription].map { .sampled($0) }
    default: return nil
    }
  }

  /// Returns the task whose run a record schedules; nil if it is other work.
  private func scheduledTask(_ columns: EventColumns, _ index: Int) -> UInt64? {
    let name = columns.name(index)
    if let created = created[columns.ring], created.sequence + 1 == name.sequence {
      return created.task
    }
    return columns.causes(of: index).last.flatMap { suspensions[$0] }
  }

  private mutating func noteEnd(of task: UInt64, _ end: TaskAwaitPayload, at event: EventName) {
    if let last = lastSuspension.removeValue(forKey: task) { suspensions.removeValue(forKey: last) }
    guard end.awaited != TaskAwait.nothing.rawValue || keepsEnded else { return }
    suspensions.set(task, for: event)
    lastSuspension.set(event, for: task)
  }
}
