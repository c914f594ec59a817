import VarveFormat
import VarveProbe

/// A trace with what came into format 1.3: the code that sends, ends, waits and reads. Like the
/// other golden traces it never changes.
struct GoldenOrigins {
  var header = TraceHeader.sample(
    clock: .counter(perSecond: 1_000_000_000), anchor: ClockAnchor(ticks: 1_000, monotonic: 77))

  let definitions: [TraceDefinition] = [
    .stream(
      StreamDefinition(
        id: 1, name: "query", derivation: "query", operation: "property", parents: [],
        place: Place(file: "App/Search.swift", line: 3), valueType: "Int", born: 1_000,
        traits: .replays)),
    .stack(StackDefinition(id: 5, frames: [0x1000, 0x2000].map(StackFrame.init(word:)))),
    .stack(StackDefinition(id: 70_000, frames: [StackFrame(word: 0x3000)])),
  ]

  let records: RecordBytes = {
    var records = RecordBytes()
    var ticks: UInt64 = 2_000
    func add(
      _ kind: RecordKind, back: UInt32 = 0, far: [UInt64] = [], _ payload: RecordBytes.Payload
    ) {
      ticks += 10
      records.add(kind, stream: 1, ticks: ticks, back: back, payload: payload, far: far)
    }
    for index in 0..<20 as Range<UInt64> {
      add(.value, .integer(Int64(index)))
      let sent = HopPayload(stack: index % 2 == 0 ? 5 : 70_000, parent: index / 3)
      add(.sent, back: 1, .word(.cause, sent.word))
      add(.read, back: 2, .word(.cause, HopPayload(stack: 5, parent: 0).word))
    }
    for reason in WaitReason.allCases {
      add(.waitBegan, .word(.reason, ReasonPayload(reason: reason.rawValue, stack: 70_000).word))
      let began = UInt64(1) << 40 | (60 + 2 * UInt64(reason.rawValue) - 1)
      add(
        .waitEnded, back: .max, far: [began],
        .word(.reason, ReasonPayload(reason: reason.rawValue, stack: 0).word))
    }
    for reason in EndReason.allCases {
      let stack: UInt32 = reason == .disposed ? 70_000 : reason == .interrupted ? 5 : 0
      add(.ended, .word(.reason, ReasonPayload(reason: reason.rawValue, stack: stack).word))
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
