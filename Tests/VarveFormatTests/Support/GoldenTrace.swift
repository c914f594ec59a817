import VarveFormat
import VarveProbe

/// A trace with everything in it that format 1.0 knows. It never changes: the golden file holds it
/// as the first version wrote it. Its times follow the format's rules and not a recorder's: threads
/// go back in time, and events come before their causes, which `varve verify` tells as disorder.
struct GoldenTrace {
  let header = TraceHeader.sample(
    clock: .counter(perSecond: 2_600_000_000), anchor: ClockAnchor(ticks: 1_000, monotonic: 77))
  let definitions = DefinitionTests.all
  let losses = [
    TraceLoss(ring: 0, count: 3, ticks: 4_000...4_000),
    TraceLoss(ring: 5, count: 1 << 40, ticks: 9_000...10_000),
  ]
  let anchors = [
    ClockAnchor(ticks: 27_000, monotonic: 10_077), ClockAnchor(ticks: 53_000, monotonic: 20_078),
  ]
  let ending = TraceEnding.crashed(signal: 11, ring: 6, programCounter: 0x5555_dead_beef)
  /// Records by ring, in the order in which they are written.
  let records: [(ring: UInt32, records: RecordBytes)] = [
    (5, Self.everyKind()), (6, Self.regular()), (5, Self.texts()), (6, Self.mixed()),
  ]

  /// Writes the trace.
  func write(to path: String) throws {
    let writer = try TraceWriter(creating: path, header: header)
    try writer.append(definitions: definitions)
    for (ring, records) in records { try writer.append(records, ring: ring) }
    try writer.append(losses: losses)
    for anchor in anchors { try writer.append(anchor: anchor) }
    try writer.finish(ending: ending)
  }

  /// Each kind of record with each kind of payload, with causes of all sorts.
  private static func everyKind() -> RecordBytes {
    var records = RecordBytes()
    for kind in RecordKind.allCases where kind.rawValue <= 14 {
      for payload in PayloadKind.allCases where payload.rawValue <= 13 {
        let number = records.count
        let far = (0..<number % 9).map { (6 << 40 | number) + $0 }
        records.add(
          kind, stream: UInt32(kind.rawValue), ticks: 1_000 + number * 26,
          back: far.isEmpty ? UInt32(number % 3) : .max, subscription: number / 5,
          payload: Self.payload(payload, number), far: far)
      }
    }
    return records
  }

  private static func payload(_ kind: PayloadKind, _ number: UInt64) -> RecordBytes.Payload {
    switch PayloadLayout(kind.rawValue) {
    case .none: .none(kind)
    case .word: .word(kind, number &* 0x9e37_79b9)
    case .text: .text(kind, Array("text \(number / 3)".utf8), original: Int(number % 100) + 20)
    }
  }

  /// A counter on each of twenty streams; the clock's steps take few values.
  private static func regular() -> RecordBytes {
    var records = RecordBytes()
    var random = Seeded(7)
    var tick: UInt64 = 5_000
    for index in 0..<3_000 as Range<UInt64> {
      tick += [26, 26, 26, 52, 52, 78][Int(random.next() % 6)] + (index % 500 == 499 ? 70_000 : 0)
      records.add(
        stream: UInt32(index % 20) + 1, ticks: tick, back: 1, subscription: index % 20 + 3,
        payload: .integer(Int64(index)))
    }
    return records
  }

  /// Texts that repeat, that begin alike, that are long, empty, cut, and not UTF-8.
  private static func texts() -> RecordBytes {
    var records = RecordBytes(firstSequence: 197)
    for index in 0..<300 as Range<UInt64> {
      let text = Array("search \"\(index % 40)\": \(index / 7) results".utf8)
      records.add(
        stream: UInt32(index % 2) + 1, ticks: 10_000 + index,
        payload: .text(.string, text, original: text.count))
    }
    let long = [UInt8](repeating: 0xff, count: 1_900) + Array("end".utf8)
    records.add(ticks: 20_000, payload: .text(.bytes, long, original: 1 << 30))
    records.add(ticks: 20_001, payload: .string(""))
    return records
  }

  /// Numbers of all sizes in no order.
  private static func mixed() -> RecordBytes {
    var records = RecordBytes(firstSequence: 3_001)
    var random = Seeded(8)
    for index in 0..<700 as Range<UInt64> {
      let word = random.next() >> (random.next() % 60)
      let kind: PayloadKind = [.boolean, .real, .unsigned][Int(index % 3)]
      records.add(
        stream: UInt32(index % 3) << 20 | 1, ticks: 400_000 + index * index,
        subscription: random.next() % 4, payload: .word(kind, kind == .boolean ? word & 1 : word))
    }
    return records
  }
}
