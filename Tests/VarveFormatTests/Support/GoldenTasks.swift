import VarveFormat
import VarveProbe

/// A trace with what came into format 1.4: tasks. Like the other golden traces it never changes.
struct GoldenTasks {
  var header = TraceHeader.sample(
    clock: .counter(perSecond: 1_000_000_000), anchor: ClockAnchor(ticks: 1_000, monotonic: 77))

  let definitions: [TraceDefinition] =
    [
      .scheduler(SchedulerDefinition(id: 0x8000_0001, name: "global executor")),
      .stack(StackDefinition(id: 5, frames: [0x1000, 0x2000].map(StackFrame.init(word:)))),
      .stack(
        StackDefinition(id: 70_000, frames: [StackFrame(address: 0x3000, isResumption: true)])),
    ]
    + TaskMaking.allCases.map { making in
      .taskTemplate(
        TaskTemplateDefinition(
          id: 1 + UInt32(making.rawValue), making: making.rawValue,
          priority: making == .before ? 0 : 21, name: making == .asyncLet ? "löschen" : "",
          stack: making == .before ? 0 : 5))
    }

  /// A task for each way to make one: created by the one before it, it runs, awaits one thing after
  /// the other, is cancelled, and ends.
  let records: RecordBytes = {
    var records = RecordBytes()
    var ticks: UInt64 = 2_000
    var hop: UInt64 = 0
    func add(
      _ kind: RecordKind, stream: UInt32 = 0, _ subscription: UInt64, back: UInt32 = 0,
      _ payload: RecordBytes.Payload
    ) {
      ticks += 10
      records.add(
        kind, stream: stream, ticks: ticks, back: back, subscription: subscription,
        payload: payload)
    }
    for making in TaskMaking.allCases {
      let task = UInt64(making.rawValue) + 1
      let made = TaskCreationPayload(template: UInt32(task), creator: task - 1)
      add(.taskCreated, task, .word(.made, made.word))
      for awaited in TaskAwait.allCases {
        let parent = hop
        hop += 1
        let scheduled = HopPayload(stack: 5, parent: parent)
        add(.hopScheduled, stream: 0x8000_0001, hop, .word(.cause, scheduled.word))
        let run = TaskRunPayload(task: task, priority: 21)
        add(.hopBegan, stream: 0x8000_0001, hop, back: 1, .word(.task, run.word))
        if awaited == .group {
          add(.taskCancelled, task, back: 1, .word(.cause, HopPayload(stack: 5, parent: hop).word))
        }
        let number: UInt64 =
          switch awaited {
          case .task: 1 << 39 | task
          case .executor: 0x8000_0001
          case .unknown, .continuation, .group, .nothing: 0
          }
        let end = TaskAwaitPayload(
          awaited: awaited.rawValue, number: number, stack: awaited == .nothing ? 0 : 70_000)
        add(.hopEnded, stream: 0x8000_0001, hop, back: 1, .word(.awaited, end.word))
      }
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
