public import VarveProbe

/// A task at one moment: what it is, what it does, and what it awaits.
public struct TaskState: Sendable, Hashable {
  /// How a task was made.
  public enum Kind: String, Sendable, CaseIterable {
    /// By `Task { }` or `Task.detached { }`.
    case task
    /// By `Task.detached { }`.
    case detached
    /// By `addTask` of a group.
    case groupChild = "group child"
    /// By `async let`.
    case asyncLet = "async let"
    /// As a child of another kind.
    case child
  }

  /// What a task does.
  public enum Phase: String, Sendable, CaseIterable {
    /// It runs on a thread.
    case running
    /// It waits for an executor.
    case enqueued
    /// It waits for what it awaits.
    case suspended
    /// It has ended.
    case ended
  }

  /// What a suspended task awaits, or what a running one cannot go on without.
  public enum Awaiting: String, Sendable, CaseIterable {
    /// A continuation that somebody has to resume.
    case continuation
    /// The result of another task.
    case task
    /// A child of its task group.
    case group
    /// An actor, or another executor.
    case actor
    /// The end of a sleep.
    case sleep
    /// A lock that a thread holds. The task still runs, and blocks its own thread.
    case lock
  }

  /// The task's number, unique in its process.
  public var id: UInt64
  /// Its name, if it was given one.
  public var name: String?
  /// Its priority: 9 background, 17 utility, 21 medium, 25 high.
  public var priority: UInt8
  /// How it was made.
  public var kind: Kind
  /// The task whose child it is.
  public var parent: UInt64?
  /// What it does.
  public var phase: Phase
  /// Whether it was cancelled.
  public var isCancelled: Bool
  /// The name of the error's type, if it has ended by an error.
  public var failure: String?
  /// What it awaits, if that is known.
  public var awaiting: Awaiting?
  /// The number of the task that it awaits, or that runs on the thread which holds the lock.
  public var awaitedTask: UInt64?
  /// The thread that holds the lock which it waits for, by the system's number.
  public var lockHolder: UInt64?
  /// The thread that it runs on, by the system's number, if that is known.
  public var thread: UInt64?
  /// The name of the executor on which it runs, is to run, or ran last, if the trace knows.
  public var executor: String?
  /// Whether it ran a single time, and was first seen when it did: nobody was seen to give it to an executor.
  public var ranOnce = false
  /// Whether that thread waits in a system call.
  public var isBlocked = false
  /// The functions that are suspended, or that run, innermost first. Of a task whose thread is not
  /// known, those that were suspended last; of one that has failed, those that threw its error, where
  /// these are looked for (``TraceTasks/addStacks(of:_:)``).
  public var frames: [StackFrame]

  /// The task that made it, if the trace knows.
  public var maker: UInt64?
  /// The stack of the code that made it.
  public var made: [StackFrame] = []
  /// The tick at which it was made, and that at which it began what it does now, if known.
  public var born: UInt64?
  /// See `born`.
  public var since: UInt64?

  /// Creates a state.
  public init(
    id: UInt64, name: String? = nil, priority: UInt8 = 0, kind: Kind = .task,
    parent: UInt64? = nil, phase: Phase, isCancelled: Bool = false, awaiting: Awaiting? = nil,
    awaitedTask: UInt64? = nil, frames: [StackFrame] = []
  ) {
    self.id = id
    self.name = name
    self.priority = priority
    self.kind = kind
    self.parent = parent
    self.phase = phase
    self.isCancelled = isCancelled
    self.awaiting = awaiting
    self.awaitedTask = awaitedTask
    self.frames = frames
  }

  /// Its number and its name: `task 3 "upload"`.
  var title: String { name.map { "task \(id) \"\($0)\"" } ?? "task \(id)" }
}
