/// The place of a task's creation and the task that created it, packed into the word of a
/// `taskCreated` record.
public struct TaskCreationPayload: Sendable, Hashable {
  /// The template; 0 if there was no room for another one.
  public var template: UInt32
  /// The number of the task whose code created this one; 0 if none did.
  public var creator: UInt64

  /// Creates a payload.
  public init(template: UInt32, creator: UInt64) {
    self.template = template
    self.creator = creator
  }

  /// Creates a payload from a record's word: the template in the lower 20 bits, the creator in the
  /// upper 44.
  public init(word: UInt64) {
    self.init(template: UInt32(word & 0xf_ffff), creator: word >> 20)
  }

  /// The record's word.
  public var word: UInt64 { UInt64(template & 0xf_ffff) | creator << 20 }
}

/// The task that runs, packed into the word of a `hopBegan` record.
public struct TaskRunPayload: Sendable, Hashable {
  /// The number of the task.
  public var task: UInt64
  /// The priority with which it runs.
  public var priority: UInt8

  /// Creates a payload.
  public init(task: UInt64, priority: UInt8) {
    self.task = task
    self.priority = priority
  }

  /// Creates a payload from a record's word: the priority in the lowest byte, the task above.
  public init(word: UInt64) {
    self.init(task: word >> 8, priority: UInt8(truncatingIfNeeded: word))
  }

  /// The record's word.
  public var word: UInt64 { UInt64(priority) | task << 8 }
}

/// What a task awaits after a run, and where, packed into the word of a `hopEnded` record.
public struct TaskAwaitPayload: Sendable, Hashable {
  /// What it awaits, by its number in the file: a `TaskAwait`, or one that a newer recorder wrote.
  public var awaited: UInt8
  /// The number of the awaited task, or the ID of the scheduler that stands for the executor; 0 if
  /// unknown, or if something else is awaited.
  public var number: UInt64
  /// The stack of the functions that await, innermost first; 0 if none was taken.
  public var stack: UInt32

  /// Creates a payload.
  public init(awaited: UInt8, number: UInt64 = 0, stack: UInt32 = 0) {
    self.awaited = awaited
    self.number = number
    self.stack = stack
  }

  /// Creates a payload from a record's word: the stack in the lower 20 bits, what is awaited in the
  /// next four, the number in the upper 40.
  public init(word: UInt64) {
    self.init(
      awaited: UInt8(word >> 20 & 15), number: word >> 24, stack: UInt32(word & 0xf_ffff))
  }

  /// The record's word.
  public var word: UInt64 {
    UInt64(stack & 0xf_ffff) | UInt64(awaited & 15) << 20 | number << 24
  }
}

/// What a task awaits when it stops running.
///
/// The numbers are part of the file format and are never reused.
public enum TaskAwait: UInt8, Sendable, CaseIterable {
  /// Something that the recorder could not find out.
  case unknown = 0
  /// The result of another task.
  case task = 1
  /// A continuation that somebody has to resume.
  case continuation = 2
  /// A child of its task group.
  case group = 3
  /// An executor: the task is about to be enqueued there.
  case executor = 4
  /// Nothing: the task has ended.
  case nothing = 5
}
