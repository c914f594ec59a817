import VarveFormat
import VarveProbe

/// A trace with what came into format 1.6: errors that code throws. Like the other golden traces it never
/// changes.
struct GoldenErrors {
  let header = TraceHeader.sample(
    clock: .counter(perSecond: 1_000_000_000), anchor: ClockAnchor(ticks: 1_000, monotonic: 77))

  let definitions: [TraceDefinition] = [
    .stack(StackDefinition(id: 5, frames: [0x1000, 0x2000].map(StackFrame.init(word:))))
  ]

  /// Errors in a task and outside, of which all but one have the stack of the code that threw them.
  let records: RecordBytes = {
    var records = RecordBytes()
    var ticks: UInt64 = 2_000
    func add(
      _ kind: RecordKind, _ subscription: UInt64, back: UInt32 = 0, _ payload: RecordBytes.Payload
    ) {
      ticks += 10
      records.add(
        kind, stream: 0, ticks: ticks, back: back, subscription: subscription, payload: payload)
    }
    for (task, name) in [(3, "Überlauf"), (0, "Refusal"), (4, "Refusal")] as [(UInt64, String)] {
      let bytes = Array(name.utf8)
      add(.errorThrown, task, .text(.typeOnly, bytes, original: bytes.count))
      guard task != 4 else { continue }
      add(.sent, 0, back: 1, .word(.cause, HopPayload(stack: 5, parent: task).word))
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
