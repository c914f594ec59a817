import Testing
import VarveFormat
import VarveProbe

@Suite("Events through a file")
struct RoundTripTests {
  private let folder: TraceFolder

  init() throws { folder = try TraceFolder() }

  /// Writes records, reads them back and compares each column with what the ring says.
  private func expectSame(_ records: RecordBytes, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    try writer.append(records, ring: 7)
    try writer.finish(ending: .clean)
    let reader = try TraceReader(path: folder.path())
    let expected = try records.columns(ring: 7)
    var lines: [String] = []
    for block in reader.blocks.indices { lines += try reader.columns(block).lines }
    #expect(lines == expected.lines, sourceLocation: sourceLocation)
    #expect(reader.events == records.count, sourceLocation: sourceLocation)
    #expect(try reader.verify() == [], sourceLocation: sourceLocation)
  }

  @Test("every kind of record with every kind of payload comes back as it was")
  func everyKind() throws {
    var records = RecordBytes(firstSequence: 0xffff_fff0)
    var tick: UInt64 = 1 << 40
    for kind in RecordKind.allCases {
      for payload in PayloadKind.allCases {
        tick += 26
        records.add(
          kind, stream: UInt32(kind.rawValue) << 20 | 5, ticks: tick, back: UInt32(tick % 3),
          subscription: tick / 7, payload: Self.sample(payload, tick))
      }
    }
    try expectSame(records)
  }

  private static func sample(_ kind: PayloadKind, _ number: UInt64) -> RecordBytes.Payload {
    switch kind {
    case .absent, .unit, .null, .withheld: .none(kind)
    case .integer, .unsigned, .real, .boolean, .stream, .reason, .cause, .task, .awaited, .made:
      .word(kind, number &* 0x9e37)
    case .string, .bytes, .description, .typeOnly:
      .text(kind, Array("text \(number)".utf8), original: Int(number % 1_000) + 20)
    }
  }

  @Test("words at the ends of their range come back as they were")
  func extremeWords() throws {
    var records = RecordBytes()
    let words: [UInt64] = [
      0, 1, .max, 1 << 63, (1 << 63) - 1, UInt64(bitPattern: -1), Double.nan.bitPattern,
      (-Double.infinity).bitPattern, 0x0100, 0x01_0000,
    ]
    for (index, word) in (words + words.reversed() + words).enumerated() {
      records.add(
        stream: .max - UInt32(index % 2), ticks: word, back: .max - UInt32(index),
        subscription: ~word, payload: .word(.unsigned, word))
    }
    try expectSame(records)
  }

  @Test("causes in other rings come back in their order, with a near cause and without")
  func farCauses() throws {
    var records = RecordBytes()
    for index in 0..<200 as Range<UInt64> {
      let count = index % 9
      let far = (0..<count).map { (index + $0) << 40 | index &* 977 }
      records.add(
        .hopBegan, stream: 3, ticks: index, back: count > 0 ? .max : 0, subscription: index,
        payload: index % 2 == 0 ? .integer(5) : .string("five"), far: far)
      records.add(stream: 4, ticks: index, back: 1, payload: .none(.unit), far: far)
    }
    try expectSame(records)
    let reader = try TraceReader(path: folder.path())
    let columns = try reader.columns(0, .causes)
    #expect(columns.backs[2] == .max)
    #expect(
      columns.farCauses.filter { $0.index == 4 }.map(\.cause)
        == [EventName(ring: 2, sequence: 1_954), EventName(ring: 3, sequence: 1_954)])
  }

  @Test("long, empty, repeated and cut texts come back as they were")
  func texts() throws {
    var records = RecordBytes()
    let texts = ["", "a", "ä", String(repeating: "0123456789abcdef", count: 124), "a", "\u{0}"]
    for index in 0..<3_000 {
      let text = Array(texts[index % texts.count].utf8)
      records.add(
        stream: UInt32(index % 3), ticks: UInt64(index),
        payload: .text(index % 5 == 0 ? .bytes : .string, text, original: text.count + index % 7))
      records.add(.completed, stream: 9, ticks: UInt64(index))
    }
    try expectSame(records)
  }

  @Test("texts of each length that share each beginning with the one before come back as they were")
  func beginnings() throws {
    var records = RecordBytes()
    let whole = Array("abcdefghijklmnopqrstuvwxyz".utf8)
    for length in 0...whole.count {
      for shared in 0...length {
        let other = [UInt8](repeating: UInt8(0x80 + shared), count: length - shared)
        for text in [whole, whole[..<shared] + other] {
          records.add(ticks: UInt64(records.count), payload: .text(.bytes, text, original: length))
        }
      }
    }
    try expectSame(records)
  }

  @Test("texts of which nearly all are new come back as they were, also the repeated ones")
  func newTexts() throws {
    var records = RecordBytes()
    for index in 0..<6_000 {
      records.add(ticks: UInt64(index), payload: .string("row \(index % 5_900)"))
    }
    try expectSame(records)
  }

  @Test("thousands of streams in one block come back as they were")
  func manyShapes() throws {
    var records = RecordBytes()
    for index in 0..<12_000 as Range<UInt32> {
      records.add(stream: index &* 7_919, ticks: UInt64(index), payload: .integer(Int64(index)))
    }
    try expectSame(records)
  }

  @Test(
    "records in no order at all come back as they were", arguments: 1...20 as ClosedRange<UInt64>)
  func noise(seed: UInt64) throws {
    var random = Seeded(seed)
    var records = RecordBytes(firstSequence: random.next() % 1_000 + 1)
    var tick: UInt64 = 0
    for _ in 0..<Int.random(in: 1...700, using: &random) {
      tick += UInt64.random(
        in: 1...(1 << UInt64.random(in: 1...40, using: &random)), using: &random)
      records.add(
        RecordKind.allCases.randomElement(using: &random)!,
        stream: UInt32.random(in: 1...30, using: &random), ticks: tick,
        back: UInt32.random(in: 0...4, using: &random),
        subscription: UInt64.random(in: 0...50, using: &random),
        payload: Self.sample(
          PayloadKind.allCases.randomElement(using: &random)!, random.next() >> 4),
        far: random.next() % 8 == 0 ? [random.next()] : [])
    }
    try expectSame(records)
  }

  @Test("more records than a block holds are divided")
  func manyBlocks() throws {
    var records = RecordBytes(firstSequence: 10)
    for index in 0..<40_000 as Range<UInt64> {
      records.add(
        stream: 1 + UInt32(index % 20), ticks: 26 * index, payload: .integer(Int64(index)))
    }
    try expectSame(records)
    let reader = try TraceReader(path: folder.path())
    #expect(reader.blocks.map(\.count) == [16_384, 16_384, 7_232])
    #expect(reader.blocks.map(\.firstSequence) == [10, 16_394, 32_778])
    let lastTicks: [UInt64] = [26 * 16_383, 26 * 32_767, 26 * 39_999]
    #expect(reader.blocks.map(\.ticks.upperBound) == lastTicks)
  }

  @Test("a payload that counts up on each of twenty streams costs next to nothing")
  func regularEventsAreSmall() throws {
    var records = RecordBytes()
    for index in 0..<16_384 as Range<UInt64> {
      records.add(
        stream: 1 + UInt32(index % 20), ticks: 26 * index, back: 1, subscription: index % 20,
        payload: .integer(Int64(index)))
    }
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    try writer.append(records)
    let stored = try TraceReader(path: folder.path()).blocks[0].storedBytes
    #expect(stored < 16_384 / 32, "\(stored) bytes")
  }

  @Test("T13: the name of an event leads to its block")
  func names() throws {
    var records = [RecordBytes(firstSequence: 1), RecordBytes(firstSequence: 5)]
    for tick in 0..<10 as Range<UInt64> {
      records[0].add(ticks: tick)
      records[1].add(ticks: tick)
    }
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    try writer.append(records[0], ring: 3)
    try writer.append(records[1], ring: 2)
    let reader = try TraceReader(path: folder.path())
    func place(_ ring: UInt32, _ sequence: UInt64) -> [Int?] {
      let name = EventName(ring: ring, sequence: sequence)
      let block = reader.block(of: name)
      return [block, block.flatMap { reader.blocks[$0].index(of: name) }]
    }
    #expect(place(3, 1) == [0, 0])
    #expect(place(3, 10) == [0, 9])
    #expect(place(3, 11) == [nil, nil])
    #expect(place(2, 4) == [nil, nil])
    #expect(place(2, 14) == [1, 9])
    #expect(place(4, 1) == [nil, nil])
    #expect(place(3, 0) == [nil, nil])
  }
}
