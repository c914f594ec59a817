import VarveFormat
import VarveProbe

/// A trace with what came into format 1.5: tasks that fail, and samples of work. Like the other golden
/// traces it never changes.
struct GoldenSamples {
  var header = TraceHeader.sample(
    clock: .counter(perSecond: 1_000_000_000), anchor: ClockAnchor(ticks: 1_000, monotonic: 77))

  let definitions: [TraceDefinition] = [
    .scheduler(SchedulerDefinition(id: 0x8000_0001, name: "global executor")),
    .stack(StackDefinition(id: 5, frames: [0x1000, 0x2000].map(StackFrame.init(word:)))),
    .stack(
      StackDefinition(id: 70_000, frames: [StackFrame(address: 0x3000, isResumption: true)])),
    .taskTemplate(
      TaskTemplateDefinition(
        id: 1, making: TaskMaking.task.rawValue, priority: 21, name: "", stack: 5)
    ),
  ]

  /// Tasks each of which is sampled, once while it computes and once while it waits, and fails; somebody
  /// asks for the result of every other one.
  let records: RecordBytes = {
    var records = RecordBytes()
    var ticks: UInt64 = 2_000
    func add(
      _ kind: RecordKind, stream: UInt32 = 0, _ subscription: UInt64, back: UInt32 = 0,
      _ payload: RecordBytes.Payload
    ) {
      ticks += 10
      records.add(
        kind, stream: stream, ticks: ticks, back: back, subscription: subscription,
        payload: payload)
    }
    for task in 1...4 as ClosedRange<UInt64> {
      add(.taskCreated, task, .word(.made, TaskCreationPayload(template: 1, creator: 0).word))
      let run = TaskRunPayload(task: task, priority: 21)
      add(.hopBegan, stream: 0x8000_0001, task, .word(.task, run.word))
      add(.hopSampled, task, .word(.cause, HopPayload(stack: 70_000, parent: 0).word))
      add(.hopSampled, task, .word(.cause, HopPayload(stack: 5, parent: 1).word))
      let end = TaskAwaitPayload(awaited: TaskAwait.nothing.rawValue)
      add(.hopEnded, stream: 0x8000_0001, task, back: 3, .word(.awaited, end.word))
      add(.taskFailed, task, back: 1, .text(.typeOnly, Array("Überlauf".utf8), original: 9))
      guard task % 2 == 0 else { continue }
      add(.taskFailureRead, task, .word(.cause, HopPayload(stack: 5, parent: 0).word))
    }
    return records
  }()

  /// Writes the trace.
  func write(to path: String) throws {
    let writer = try TraceWriter(creating: path, header: header)
    try writer.append(definitions: definitions)
    try writer.append(records)
    try writer.finish(ending: .clean)
  }
}
