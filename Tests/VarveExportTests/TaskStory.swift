import VarveFormat
import VarveProbe
import VarveTraceScript

/// Writes the records of tasks.
struct TaskStory {
  var script = TraceScript()
  private var hops: [UInt64: UInt64] = [:]
  private var hop: UInt64 = 0
  private var ends: [UInt64: EventName] = [:]
  private let executor: UInt32

  init() {
    executor = script.scheduler("executor")
    _ = script.thread("worker", ring: 2)
    script.taskTemplate(1)
    script.taskTemplate(2, .groupChild, name: "fetch")
  }

  mutating func make(_ task: UInt64, by creator: UInt64 = 0, template: UInt32, at time: Double) {
    let made = TaskCreationPayload(template: template, creator: creator)
    script.record(.taskCreated, of: 0, .made(made), at: time, subscription: task)
    schedule(task, at: time)
  }

  mutating func schedule(_ task: UInt64, at time: Double, ring: UInt32 = 1) {
    hop += 1
    hops[task] = hop
    script.record(
      .hopScheduled, of: executor, .cause(HopPayload(stack: 0, parent: 0)), at: time, ring: ring,
      subscription: hop, causes: ends[task].map { [$0] } ?? [])
  }

  /// Runs a task until it awaits something.
  mutating func run(
    _ task: UInt64, _ times: (Double, Double), until awaited: TaskAwait, number: UInt64 = 0,
    ring: UInt32 = 1, meanwhile: (inout TaskStory) -> Void = { _ in }
  ) {
    let run = TaskRunPayload(task: task, priority: 25)
    let own = hops[task] ?? 0
    let beginning = script.record(
      .hopBegan, of: executor, .task(run), at: times.0, ring: ring, subscription: own)
    meanwhile(&self)
    let end = TaskAwaitPayload(awaited: awaited.rawValue, number: number)
    ends[task] = script.record(
      .hopEnded, of: executor, .awaited(end), at: times.1, ring: ring, subscription: own,
      causes: [beginning])
  }

  mutating func cancel(_ task: UInt64, at time: Double) {
    script.record(
      .taskCancelled, of: 0, .cause(HopPayload(stack: 0, parent: 0)), at: time,
      subscription: task)
  }

  /// A task makes a child and awaits it; the child waits until another task resumes it, and ends.
  /// A third one is cancelled, and waits for good.
  static var whole: TraceScript {
    var tasks = TaskStory()
    tasks.make(1, template: 1, at: 0)
    tasks.run(1, (100, 200), until: .task, number: 2) { $0.make(2, by: 1, template: 2, at: 150) }
    tasks.run(2, (250, 300), until: .continuation, ring: 2)
    tasks.make(3, template: 1, at: 400)
    tasks.run(3, (500, 600), until: .group) { $0.schedule(2, at: 550) }
    tasks.run(2, (650, 700), until: .nothing, ring: 2)
    tasks.schedule(1, at: 700, ring: 2)
    tasks.run(1, (800, 900), until: .nothing)
    tasks.cancel(3, at: 1_000)
    return tasks.script
  }
}
