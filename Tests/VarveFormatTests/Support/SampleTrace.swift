import VarveFormat
import VarveProbe

/// A small trace with a block of every kind: two rings, definitions, a loss, anchors, the index.
struct SampleTrace {
  /// The file's bytes.
  let bytes: [UInt8]
  /// Its events by block.
  let events: [EventColumns]

  /// - Parameter isFinished: whether the file has its index and trailer.
  init(in folder: TraceFolder, isFinished: Bool = true) throws {
    let writer = try TraceWriter(creating: folder.path("sample"), header: .sample())
    try writer.append(definitions: [DefinitionTests.all[0], DefinitionTests.all[2]])
    var events: [EventColumns] = []
    for block in 0..<3 as Range<UInt64> {
      let ring = UInt32(1 + block % 2)
      let records = Self.records(block)
      try writer.append(records, ring: ring)
      events.append(try records.columns(ring: ring))
      try writer.append(anchor: ClockAnchor(ticks: block * 1_000, monotonic: block * 1_001))
    }
    try writer.append(losses: [TraceLoss(ring: 2, count: 17, ticks: 100...200)])
    if isFinished { try writer.finish(ending: .clean) }
    bytes = try folder.read("sample")
    self.events = events
  }

  private static func records(_ block: UInt64) -> RecordBytes {
    var records = RecordBytes(firstSequence: 1 + block / 2 * 12)
    for index in 0..<12 as Range<UInt64> {
      let tick = block * 1_000 + index * 7 + index % 3
      switch index % 4 {
      case 0: records.add(stream: 1, ticks: tick, payload: .integer(Int64(index * index)))
      case 1: records.add(stream: 12, ticks: tick, back: 1, payload: .string("key \(index % 9)"))
      case 2:
        records.add(
          .hopBegan, stream: 9, ticks: tick, back: .max, subscription: index,
          far: [UInt64(1) << 40 | index])
      default: records.add(.completed, stream: 12, ticks: tick, back: 2, subscription: 3)
      }
    }
    return records
  }
}
