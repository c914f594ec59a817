import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// A script in which tasks come and go on threads of their own.
struct TaskScript {
  var script = TraceScript()
  private var hop: UInt64 = 0
  /// The ends of the last runs.
  private var ends: [UInt64: EventName] = [:]
  private var running: [UInt64: UInt64] = [:]
  /// The records that gave tasks their last runs, and of the beginnings of these.
  private var given: [UInt64: EventName] = [:]
  private var began: [UInt64: EventName] = [:]
  /// The executors and the threads of the last runs.
  private var executors: [UInt64: UInt32] = [:]
  private var rings: [UInt64: UInt32] = [:]
  let executor: UInt32
  /// How the program ended.
  var ending: TraceEnding = .clean

  init() {
    executor = script.scheduler("executor")
    script.taskTemplate(1)
    script.taskTemplate(2, .groupChild, name: "child", stack: 7)
    script.stack(7, [0x1000])
    script.stack(8, [0x2000])
  }

  mutating func create(
    _ task: UInt64, by creator: UInt64 = 0, template: UInt32 = 1, at time: Double,
    ring: UInt32 = 1, on executor: UInt32? = nil
  ) {
    let made = TaskCreationPayload(template: template, creator: creator)
    script.record(.taskCreated, of: 0, .made(made), at: time, ring: ring, subscription: task)
    schedule(task, at: time, ring: ring, on: executor)
  }

  mutating func schedule(
    _ task: UInt64, at time: Double, ring: UInt32 = 1, on chosen: UInt32? = nil, stack: UInt32 = 8,
    by cause: EventName? = nil
  ) {
    hop += 1
    running[task] = hop
    // The last one tells whose run it is.
    let causes = [cause, ends[task]].compactMap { $0 }
    let payload = ScriptedPayload.cause(HopPayload(stack: stack, parent: 0))
    executors[task] = chosen ?? executor
    given[task] = script.record(
      .hopScheduled, of: chosen ?? executor, payload, at: time, ring: ring, subscription: hop,
      causes: causes)
  }

  mutating func begin(_ task: UInt64, at time: Double, ring: UInt32 = 1, priority: UInt8 = 25) {
    let run = ScriptedPayload.task(TaskRunPayload(task: task, priority: priority))
    rings[task] = ring
    began[task] = script.record(
      .hopBegan, of: executors[task] ?? executor, run, at: time, ring: ring,
      subscription: running[task] ?? 0, causes: [given[task]].compactMap { $0 })
  }

  mutating func end(
    _ task: UInt64, _ awaited: TaskAwait, number: UInt64 = 0, at time: Double, stack: UInt32 = 8
  ) {
    let end = TaskAwaitPayload(awaited: awaited.rawValue, number: number, stack: stack)
    ends[task] = script.record(
      .hopEnded, of: executors[task] ?? executor, .awaited(end), at: time, ring: rings[task] ?? 1,
      subscription: running[task] ?? 0, causes: [began[task]].compactMap { $0 })
  }

  mutating func cancel(
    _ task: UInt64, at time: Double, ring: UInt32 = 1, stack: UInt32 = 8
  ) {
    let payload = ScriptedPayload.cause(HopPayload(stack: stack, parent: 0))
    script.record(.taskCancelled, of: 0, payload, at: time, ring: ring, subscription: task)
  }

  /// The error with which a task has ended, right after that.
  mutating func fail(_ task: UInt64, _ error: String, at time: Double, ring: UInt32 = 2) {
    script.record(
      .taskFailed, of: 0, .typeOnly(error), at: time, ring: ring, subscription: task, back: 1)
  }

  /// An error that a task throws; without a stack, if that is 0.
  mutating func throwError(
    _ error: String, in task: UInt64, at time: Double, ring: UInt32 = 1, stack: UInt32
  ) {
    let thrown = script.record(
      .errorThrown, of: 0, .typeOnly(error), at: time, ring: ring, subscription: task)
    guard stack != 0 else { return }
    script.record(
      .sent, of: 0, .cause(HopPayload(stack: stack, parent: 0)), at: time, ring: ring,
      causes: [thrown])
  }

  mutating func readFailure(of task: UInt64, at time: Double) {
    let payload = ScriptedPayload.cause(HopPayload(stack: 8, parent: 0))
    script.record(.taskFailureRead, of: 0, payload, at: time, subscription: task)
  }

  func with<Answer>(_ body: (TraceReader) throws -> Answer) throws -> Answer {
    let folder = TemporaryFolder()
    try script.write(to: folder.file("tasks.varve"), blockEvents: 4, ending: ending)
    return try body(TraceReader(path: folder.file("tasks.varve")))
  }

  func findings() throws -> [Finding] {
    try with { reader in
      Findings(try TraceHistory(reader), reader, lookup: EventLookup(reader)).all
    }
  }
}
