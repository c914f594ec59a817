import VarveFormat
import VarveProbe

/// A trace that a crash has left, and its sidecar: what came into format 1.0 after its first library.
/// Stacks, modules and symbols are in it, what records name of them, and what lies in rings. Like the
/// first golden trace it never changes.
struct GoldenCrash {
  let header = TraceHeader.sample(
    clock: .counter(perSecond: 1_000_000_000), anchor: ClockAnchor(ticks: 1_000, monotonic: 77))
  /// In the file.
  let definitions = DefinitionTests.all + DefinitionTests.stacks
  /// In the sidecar's log.
  let latest: [TraceDefinition] = [
    .thread(ThreadDefinition(ring: 7, systemID: 107, name: "late")),
    .stack(
      StackDefinition(
        id: 70_001,
        frames: [
          StackFrame(address: 0x5555_5555_2001), StackFrame(address: 0x5555_5555_3001),
        ])),
    .stream(
      StreamDefinition(
        id: 14, name: "late", derivation: "pipe@B.swift:2", operation: "pipe", parents: [12, 13],
        place: Place(file: "App/B.swift", line: 2), valueType: "String", born: 70_000,
        absorbs: .repeated, stack: 70_001)),
  ]
  let losses = [
    TraceLoss(ring: 5, count: 9, ticks: 4_000...4_100, reason: .notKept),
    TraceLoss(ring: 6, count: 1, ticks: 4_200...4_200, reason: .noRoom),
  ]
  /// Told by a ring, not by the file.
  let gap = TraceLoss(ring: 6, count: 20, ticks: 61_000...62_000, reason: .notKept)
  let ending = TraceEnding.crashed(signal: 6, ring: 7, programCounter: 0x5555_5555_4004)
  let callers: [UInt64] = [0x5555_5555_5005, 0x5555_5555_6006]

  /// Records in the file, by ring.
  let written: [(ring: UInt32, records: RecordBytes)] = [
    (5, Self.everyKind()), (6, Self.origins(from: 1, count: 400, tick: 20_000)),
  ]
  /// Records in rings. Of the second one's, twenty were overwritten; it has begun from the front again.
  let waiting: [(ring: UInt32, records: RecordBytes)] = [
    (5, Self.texts(from: 226)), (6, Self.origins(from: 421, count: 40, tick: 63_000)),
    (7, Self.origins(from: 1, count: 3, tick: 70_000)),
  ]

  /// Writes the file, which has no trailer.
  func writeTrace(to path: String) throws {
    let writer = try TraceWriter(creating: path, header: header)
    try writer.append(definitions: definitions)
    for (ring, records) in written { try writer.append(records, ring: ring) }
    try writer.append(losses: losses)
    try writer.append(anchor: ClockAnchor(ticks: 27_000, monotonic: 10_077))
  }

  /// The sidecar's bytes.
  var sidecar: [UInt8] {
    var sidecar = SidecarBytes(process: .elsewhere, capacity: 8_192)
    sidecar.add(latest)
    sidecar.add(waiting[0].records, ring: 5, name: "worker")
    sidecar.add(
      waiting[1].records, ring: 6, passed: 23_000, drained: 400, gap: (until: 420, loss: gap))
    sidecar.add(waiting[2].records, ring: 7, name: "late ✓")
    sidecar.crash(
      signal: 6, ring: 7, programCounter: 0x5555_5555_4004, callers: callers, number: 2)
    return sidecar.bytes
  }

  /// Each kind of record with what kinds of payload the first golden trace has not.
  private static func everyKind() -> RecordBytes {
    var records = RecordBytes()
    for kind in RecordKind.allCases where kind.rawValue <= 15 {
      for payload in PayloadKind.allCases where payload.rawValue <= 14 {
        let number = records.count
        let origin = HopPayload(stack: number % 2 == 0 ? 70_000 : 1, parent: number * 3)
        let word: RecordBytes.Payload =
          switch PayloadLayout(payload.rawValue) {
          case .none: .none(payload)
          case .word: .word(payload, origin.word)
          case .text: .text(payload, Array("text \(number)".utf8), original: Int(number) + 20)
          }
        records.add(
          kind, stream: UInt32(kind.rawValue), ticks: 1_000 + number * 13,
          back: UInt32(number % 3), subscription: number / 4, payload: word)
      }
    }
    return records
  }

  /// Edges and hops, each with the stack that it comes from.
  private static func origins(from sequence: UInt64, count: UInt64, tick: UInt64) -> RecordBytes {
    var records = RecordBytes(firstSequence: sequence)
    for index in 0..<count {
      let ticks = tick + index * 31
      switch index % 4 {
      case 0:
        let edge = SubscriptionPayload(
          stream: UInt32(12 + index % 2), stack: index % 8 == 0 ? 70_000 : 0)
        records.add(
          .subscribed, stream: 13, ticks: ticks, subscription: index + 1,
          payload: .word(.stream, edge.word))
      case 1:
        let hop = HopPayload(stack: index % 8 == 1 ? 1 : 70_000, parent: index > 4 ? index - 4 : 0)
        records.add(
          .hopScheduled, stream: 9, ticks: ticks, back: 1, subscription: index,
          payload: .word(.cause, hop.word))
      case 2:
        records.add(
          .hopBegan, stream: 9, ticks: ticks, back: .max, subscription: index - 1,
          far: [6 << 40 | (sequence + index - 1)])
      default:
        records.add(
          .skipped, stream: 13, ticks: ticks, back: 1, payload: .word(.unsigned, index << 33))
      }
    }
    return records
  }

  /// Texts of all lengths, cut and whole.
  private static func texts(from sequence: UInt64) -> RecordBytes {
    var records = RecordBytes(firstSequence: sequence)
    for index in 0..<60 as Range<UInt64> {
      let text = Array("late \(String(repeating: "é", count: Int(index)))".utf8)
      records.add(
        stream: 14, ticks: 71_000 + index, subscription: index % 2,
        payload: .text(.string, text, original: text.count + Int(index % 3)))
    }
    return records
  }
}
