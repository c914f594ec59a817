public import VarveProbe

extension RecordKind {
  /// The kind's name in the command and its NDJSON. The names are part of the contract and never
  /// change.
  public var name: String {
    switch self {
    case .assembled: "assembled"
    case .subscribed: "subscribed"
    case .ended: "ended"
    case .value: "value"
    case .failed: "failed"
    case .completed: "completed"
    case .interrupted: "interrupted"
    case .absorbed: "absorbed"
    case .hopScheduled: "hopScheduled"
    case .hopBegan: "hopBegan"
    case .hopEnded: "hopEnded"
    case .hopCancelled: "hopCancelled"
    case .log: "log"
    case .mark: "mark"
    case .skipped: "skipped"
    case .sent: "sent"
    case .waitBegan: "waitBegan"
    case .waitEnded: "waitEnded"
    case .read: "read"
    case .taskCreated: "taskCreated"
    case .taskCancelled: "taskCancelled"
    case .taskFailed: "taskFailed"
    case .taskFailureRead: "taskFailureRead"
    case .hopSampled: "hopSampled"
    case .errorThrown: "errorThrown"
    }
  }

  /// Returns the name of a kind given by its number, including kinds written by a newer recorder.
  public static func name(of rawValue: UInt8) -> String {
    RecordKind(rawValue: rawValue)?.name ?? "kind\(rawValue)"
  }

  /// Whether the record is about work on a scheduler. If so, its stream is a scheduler's ID.
  public var isHop: Bool {
    switch self {
    case .hopScheduled, .hopBegan, .hopEnded, .hopCancelled: true
    case .assembled, .subscribed, .ended, .value, .failed, .completed, .interrupted, .absorbed,
      .log, .mark, .skipped, .sent, .waitBegan, .waitEnded, .read, .taskCreated,
      .taskCancelled, .taskFailed, .taskFailureRead, .hopSampled, .errorThrown:
      false
    }
  }

  /// Whether the record ends a stream.
  public var isTerminal: Bool { self == .failed || self == .completed || self == .interrupted }
}

extension EndReason {
  /// The reason's name in the command and its NDJSON.
  public var name: String {
    switch self {
    case .completed: "completed"
    case .failed: "failed"
    case .interrupted: "interrupted"
    case .disposed: "disposed"
    case .released: "released"
    }
  }
}

extension AbsorptionReason {
  /// The reason's name in the command and its NDJSON.
  public var name: String {
    switch self {
    case .filtered: "filtered"
    case .repeated: "repeated"
    case .superseded: "superseded"
    case .notSampled: "notSampled"
    case .pastLimit: "pastLimit"
    case .nobodyAttached: "nobodyAttached"
    case .gathered: "gathered"
    case .ended: "ended"
    case .control: "control"
    }
  }
}

extension WaitReason {
  /// The reason's name in the command and its NDJSON.
  public var name: String {
    switch self {
    case .outcome: "outcome"
    case .delivery: "delivery"
    case .change: "change"
    }
  }
}

extension TaskAwaitPayload {
  /// What a task awaits after a run, in words: `waits for task 3`.
  public var phrase: String {
    switch TaskAwait(rawValue: awaited) {
    case .task: number == 0 ? "waits for a task" : "waits for task \(number)"
    // The stack would tell which: the runtime ends sleeps by continuations, too.
    case .continuation:
      stack == 0 ? "waits for a continuation or sleeps" : "waits for a continuation"
    case .group: "waits for its group"
    case .executor: "waits for its executor"
    case .nothing: "ended"
    case .unknown, nil: "suspended"
    }
  }
}

/// The names of the reasons that a record can carry, by kind and number.
public enum ReasonNames {
  /// Returns the reason of an `ended` or `absorbed` record, of a wait, or why a task's run ended: what it
  /// awaits; nil for records that give none.
  public static func name(kind: UInt8, payload: UInt8, word: UInt64) -> String? {
    switch PayloadKind(rawValue: payload) {
    case .reason: name(kind: kind, word: word)
    case .awaited: awaited(TaskAwaitPayload(word: word).awaited)
    default: nil
    }
  }

  private static func awaited(_ number: UInt8) -> String {
    switch TaskAwait(rawValue: number) {
    case .task: "task"
    case .continuation: "continuation"
    case .group: "group"
    case .executor: "actor"
    case .nothing: "ended"
    case .unknown, nil: "unknown"
    }
  }

  private static func name(kind: UInt8, word: UInt64) -> String? {
    let reason = ReasonPayload(word: word).reason
    let number = UInt8(truncatingIfNeeded: reason)
    switch RecordKind(rawValue: kind) {
    case .ended: return EndReason(rawValue: number)?.name ?? "reason\(reason)"
    case .absorbed: return AbsorptionReason(rawValue: number)?.name ?? "reason\(reason)"
    case .waitBegan, .waitEnded: return WaitReason(rawValue: number)?.name ?? "reason\(reason)"
    default: return nil
    }
  }
}

extension PayloadKind {
  /// The name in NDJSON of the form in which a value was recorded. It distinguishes `nil` and `()`,
  /// which are both `null` in JSON, from each other and from a withheld value.
  public var name: String {
    switch self {
    case .absent: "absent"
    case .unit: "unit"
    case .null: "nil"
    case .integer: "integer"
    case .unsigned: "unsigned"
    case .real: "real"
    case .boolean: "boolean"
    case .string: "string"
    case .bytes: "bytes"
    case .description: "description"
    case .typeOnly: "type"
    case .withheld: "withheld"
    case .stream: "stream"
    case .reason: "reason"
    case .cause: "cause"
    case .task, .awaited, .made: "task"
    }
  }

  /// Returns the number of the task that a record's word names: that which runs, which is awaited, or which
  /// made another; nil if it names none.
  public func task(in word: UInt64) -> UInt64? {
    switch self {
    case .task: return TaskRunPayload(word: word).task
    case .made:
      let creator = TaskCreationPayload(word: word).creator
      return creator == 0 ? nil : creator
    case .awaited:
      let payload = TaskAwaitPayload(word: word)
      let isTask = payload.awaited == TaskAwait.task.rawValue && payload.number != 0
      return isTask ? payload.number : nil
    default: return nil
    }
  }
}
