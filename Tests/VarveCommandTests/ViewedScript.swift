import VarveFormat
import VarveProbe
import VarveTraceScript

/// What the viewer's tests record.
enum ViewedScript {
  /// Keystrokes that are counted on another thread, with work between, and a line of a log.
  static func keystrokes(_ text: String = "k") -> TraceScript {
    var script = TraceScript()
    let queue = script.scheduler("queue")
    let worker = script.thread("worker", ring: 2)
    let keys = script.stream("keys", line: 3, traits: .hot)
    let length = script.stream(
      "keys.map(_:)", "map(_:)", from: [keys], type: "Swift.Int", derived: true, line: 4)
    _ = script.subscribe(keys, to: length, at: 0)
    script.value(keys, text, at: 1)
    script.record(.hopScheduled, of: queue, at: 1, subscription: 1, back: 1)
    script.record(.hopBegan, of: queue, at: 2, ring: worker, subscription: 1, causes: ["1.3"])
    script.record(.value, of: length, .integer(7), at: 2, ring: worker, back: 1)
    script.record(.log, of: 0, .string("said"), at: 3)
    return script
  }

  /// Two tasks: the first makes the second and waits for it, which fails to end.
  static func tasks() -> TraceScript {
    var script = TraceScript()
    let executor = script.scheduler("executor")
    let worker = script.thread("worker", ring: 2)
    script.taskTemplate(1)
    script.taskTemplate(2, .groupChild, name: "fetch")
    func record(
      _ kind: RecordKind, _ payload: ScriptedPayload? = nil, hop: UInt64, at time: Double,
      ring: UInt32 = 1
    ) {
      let stream = kind == .taskCreated ? 0 : executor
      script.record(
        kind, of: stream, payload ?? .cause(HopPayload(stack: 0, parent: 0)), at: time, ring: ring,
        subscription: hop)
    }
    func run(_ task: UInt64) -> ScriptedPayload { .task(TaskRunPayload(task: task, priority: 25)) }
    func wait(_ what: TaskAwait, _ number: UInt64 = 0) -> ScriptedPayload {
      .awaited(TaskAwaitPayload(awaited: what.rawValue, number: number))
    }
    record(.taskCreated, .made(TaskCreationPayload(template: 1, creator: 0)), hop: 1, at: 0)
    record(.hopScheduled, hop: 1, at: 0)
    record(.hopBegan, run(1), hop: 1, at: 1)
    record(.taskCreated, .made(TaskCreationPayload(template: 2, creator: 1)), hop: 2, at: 2)
    record(.hopScheduled, hop: 2, at: 2)
    record(.hopEnded, wait(.task, 2), hop: 1, at: 3)
    record(.hopBegan, run(2), hop: 2, at: 4, ring: worker)
    record(.hopEnded, wait(.continuation), hop: 2, at: 5, ring: worker)
    return script
  }
}
