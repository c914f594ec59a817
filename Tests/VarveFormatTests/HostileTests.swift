import Testing
import VarveFormat
import VarveProbe

/// Blocks that bear right checksums and lie.
@Suite("Hostile files")
struct HostileTests {
  private let folder: TraceFolder
  private let header: [UInt8]

  init() throws {
    folder = try TraceFolder()
    _ = try TraceWriter(creating: folder.path("header"), header: .sample())
    header = try folder.read("header")
  }

  private func open(_ blocks: CraftedBlock...) throws -> TraceReader {
    try TraceReader(path: folder.write(header + blocks.flatMap { $0.bytes() }))
  }

  /// The fields of an event block.
  private func eventFields(
    count: UInt32 = 1, sequence: UInt64 = 1, event: UInt64 = 1, ticks: ClosedRange<UInt64> = 0...0,
    streamWords: UInt16 = 0
  ) -> [UInt8] {
    little(count) + little(UInt32(1)) + little(sequence) + little(event)
      + little(ticks.lowerBound) + little(ticks.upperBound) + little(UInt64(0))
      + little(streamWords)
  }

  private func expectDamagedEvents(
    _ payload: [UInt8], count: UInt32 = 1, raw: UInt32? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let reader = try open(
      CraftedBlock(
        kind: 2, codec: 2, fields: eventFields(count: count), payload: payload,
        rawBytes: raw ?? count * 64))
    #expect(reader.blocks.count == 1, sourceLocation: sourceLocation)
    var columns = EventColumns()
    let error = #expect(throws: TraceFileError.self, sourceLocation: sourceLocation) {
      try reader.decode(0, into: &columns, columns: .all)
    }
    #expect(error?.code == .damaged, sourceLocation: sourceLocation)
  }

  /// The least payload: one shape, no texts, no bytes of text, the first tick.
  private static let prelude: [UInt8] = [1, 0, 0, 0]

  @Test("the payload that the others differ from is sound")
  func sound() throws {
    let reader = try open(
      CraftedBlock(
        kind: 2, codec: 2, fields: eventFields(count: 3),
        payload: Self.prelude + [3, 1, 4 << 2, 4, 1, 3 << 2, 13, 1, 3 << 2 | 1, 6, 7, 8],
        rawBytes: 120))
    let columns = try reader.columns(0)
    #expect(columns.kinds == [4, 4, 4])
    #expect(columns.payloadKinds == [3, 3, 3])
    #expect(columns.words == [6, 7, 8])
  }

  @Test("T6: more losses than a block has room for are all there")
  func manyLosses() throws {
    let path = folder.path("losses")
    let writer = try TraceWriter(creating: path, header: .sample())
    let losses = (1...270_000).map { TraceLoss(ring: 1, count: 1, ticks: $0...$0) }
    try writer.append(losses: losses)
    try writer.finish(ending: .clean)
    let reader = try TraceReader(path: path)
    #expect(reader.losses.count == losses.count && reader.damage.isEmpty)
  }

  @Test("F2: losses and anchors that are packed, so that few bytes tell of many, are refused")
  func packedFacts() throws {
    // A deflate stream of one stored block: its last, 32 bytes, and their complement.
    let packed: [UInt8] = [1, 32, 0, 223, 255] + [UInt8](repeating: 0, count: 32)
    for kind: UInt8 in [4, 5] {
      let reader = try open(
        CraftedBlock(kind: kind, codec: 1, fields: [], payload: packed, rawBytes: 32))
      #expect(reader.losses.isEmpty && reader.anchors.isEmpty)
      #expect(reader.damage.map(\.reason).contains { $0.contains("stored as they are") })
    }
    let sound = try open(
      CraftedBlock(kind: 4, codec: 0, fields: [], payload: Array(packed[5...]), rawBytes: 32))
    #expect(sound.losses.count == 1 && sound.damage.isEmpty)
  }

  @Test("F2: counts beyond the limits or the block make no block")
  func hostileHeaders() throws {
    let fields = [
      eventFields(count: 0), eventFields(count: 65_537), eventFields(count: .max),
      eventFields(sequence: 0), eventFields(sequence: .max), eventFields(streamWords: .max), [],
      [1, 2, 3],
    ]
    for fields in fields {
      let reader = try open(
        CraftedBlock(
          kind: 2, codec: 2, fields: fields, payload: Self.prelude, rawBytes: 8 << 20))
      #expect(reader.blocks.isEmpty)
      #expect(reader.damage.count == 1)
    }
    let tooFew = try open(
      CraftedBlock(
        kind: 2, codec: 2, fields: eventFields(count: 1_000), payload: Self.prelude,
        rawBytes: 31_999))
    #expect(tooFew.blocks.isEmpty)
  }

  @Test("F2: sizes beyond the limits make no block, and nothing of that size is made room for")
  func hostileSizes() throws {
    for stored in [9 << 20, UInt32.max] {
      let reader = try open(
        CraftedBlock(kind: 3, payload: [1, 2, 3], storedBytes: stored),
        CraftedBlock(kind: 5, payload: little(UInt64(5)) + little(UInt64(6))))
      #expect(reader.damage.count == 1)
      #expect(reader.time.anchors.count == 2)
    }
    for raw in [9 << 20, UInt32.max] {
      #expect(try open(CraftedBlock(kind: 3, codec: 1, rawBytes: raw)).damage.count == 1)
    }
    let ratio = try open(
      CraftedBlock(kind: 3, codec: 1, payload: [UInt8](repeating: 0, count: 10), rawBytes: 81))
    #expect(ratio.damage.map(\.reason).first?.contains("larger than it can be") == true)
  }

  @Test("F2: columns that contradict themselves are damage")
  func hostileColumns() throws {
    let payloads: [[UInt8]] = [
      [], [1], [1, 0, 0], [0, 0, 0, 0], [2, 0, 0, 0], [1, 2, 0, 0], [1, 0, 0x80, 0x80, 0x80, 8, 0],
      [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
      Self.prelude + [1], Self.prelude + [1, 0], Self.prelude + [1, 9],
      // A plane that is cut off, of an unknown form, of a wrong length.
      Self.prelude + [3, 1], Self.prelude + [3, 1, 9, 1],
      Self.prelude + [3, 1, 2 << 2 | 1, 4, 4], Self.prelude + [3, 1, 0x80, 0x80, 0x80],
      // A constant that is no byte, and more planes than the column's numbers have.
      Self.prelude + [3, 1, 0x80, 8], Self.prelude + [3, 2, 16, 16],
      // A column that is there twice.
      Self.prelude + [3, 1, 16, 3, 1, 16],
      // Deflate that is none, or of another length.
      Self.prelude + [3, 1, 2 << 2 | 2, 0xff, 0xff], Self.prelude + [3, 1, 1 << 2 | 2, 3],
      // A shape that is not in the table, nine far causes, an unknown form of words.
      Self.prelude + [10, 1, 1 << 2], Self.prelude + [5, 1, 9 << 2], Self.prelude + [8, 1, 2 << 2],
    ]
    for payload in payloads { try expectDamagedEvents(payload) }
  }

  @Test("F2: planes of codes that contradict themselves are damage")
  func hostileCodes() throws {
    func payload(_ content: [UInt8]) -> [UInt8] {
      Self.prelude + [4, 1, 3 << 2, 13, 1] + varint(content.count << 2 | 3) + content
    }
    // Ten words: codes 0, 1, 2 and one that stands for another value, twice and a half.
    let codes: [UInt8] = [4 * 3 | 1, 0b1110_0100, 0b1110_0100, 0b0000_0100]
    let others: [UInt8] = [2 << 2 | 1, 77, 78]
    let reader = try open(
      CraftedBlock(
        kind: 2, codec: 2, fields: eventFields(count: 10),
        payload: payload([2, 50, 60, 70] + codes + others), rawBytes: 400))
    #expect(try reader.columns(0).words == [50, 60, 70, 77, 50, 60, 70, 78, 50, 60])
    let lies: [[UInt8]] = [
      [], [2], [2, 1, 2], [0, 1, 2, 3] + codes + others, [3] + [UInt8](0...6) + codes + others,
      [8] + [UInt8](0...254) + codes + others, [2, 1, 2, 3] + codes, [2, 1, 2, 3] + others,
      [2, 1, 2, 3] + codes + [1 << 2 | 1, 7], [2, 1, 2, 3] + codes + [3 << 2 | 1, 7, 7, 7],
      [2, 1, 2, 3] + codes + others + [0], [2, 1, 2, 3, 4 << 2 | 3] + codes.dropFirst() + others,
      [2, 1, 2, 3, 4 << 2 | 1, 0, 0, 0, 0], [2, 1, 2, 3, 2 << 2 | 2, 0, 0] + others,
    ]
    for lie in lies { try expectDamagedEvents(payload(lie), count: 10) }
  }

  @Test("F2: texts that contradict themselves are damage")
  func hostileTexts() throws {
    let string: [UInt8] = [4, 1, 7 << 2]
    func payload(texts: UInt8, bytes: UInt8, _ columns: [UInt8]) -> [UInt8] {
      [1, texts, bytes, 0] + string + columns
    }
    let sound = payload(texts: 1, bytes: 2, [16, 1, 2 << 2, 18, 1, 2 << 2 | 1, 0x61, 0x62])
    let reader = try open(
      CraftedBlock(kind: 2, codec: 2, fields: eventFields(), payload: sound, rawBytes: 48))
    #expect(try reader.columns(0).heap == [0x61, 0x62])
    // No new text but an event with text; two new texts but one event; a text that comes later.
    try expectDamagedEvents(payload(texts: 0, bytes: 0, []))
    try expectDamagedEvents(payload(texts: 2, bytes: 0, []))
    try expectDamagedEvents(payload(texts: 1, bytes: 0, [14, 1, 2 << 2]), count: 2)
    // Longer than what is kept, shorter, with a prefix of nothing, a prefix longer than the text.
    try expectDamagedEvents(payload(texts: 1, bytes: 2, [16, 1, 3 << 2, 18, 1, 9, 1, 1]))
    try expectDamagedEvents(payload(texts: 1, bytes: 2, [16, 1, 1 << 2, 18, 1, 9, 1, 1]))
    try expectDamagedEvents(
      payload(texts: 1, bytes: 2, [16, 1, 3 << 2, 17, 1, 1 << 2, 18, 1, 9, 1, 1]))
    try expectDamagedEvents(payload(texts: 1, bytes: 0, [16, 1, 1 << 2, 17, 1, 2 << 2]))
    // A text that thousands of events repeat, beyond what their records can have held.
    let repeats: [UInt8] =
      [14, 1] + varint(2_000 << 2 | 1) + [0] + [UInt8](repeating: 1, count: 1_999)
    let lengths: [UInt8] = [16, 2] + varint(0xe8 << 2) + varint(3 << 2)
    let heap: [UInt8] = [18, 1] + varint(1_000 << 2 | 1) + [UInt8](repeating: 0x61, count: 1_000)
    let many = [1, 1] + varint(1_000) + [0] + string + repeats + lengths + heap
    try expectDamagedEvents(many, count: 2_000, raw: 1_999_999)
    let enough = try open(
      CraftedBlock(
        kind: 2, codec: 2, fields: eventFields(count: 2_000), payload: many, rawBytes: 2_000_000))
    #expect(try enough.columns(0).heap.count == 2_000_000)
  }

  @Test("F2: rings with records that lie are read up to the lie")
  func hostileRecords() throws {
    var good = RecordBytes()
    good.add(ticks: 1, payload: .string("abc"))
    let lies: [(Int, [UInt8])] = [
      (0, [0]), (0, [3]), (0, [255]), (3, [9]), (3, [1]), (16, [7]), (36, [4, 1]),
      (36, [0xff, 0xff, 0xff, 0xff]),
    ]
    for (offset, bytes) in lies {
      var lie = good.bytes
      lie[16] = 2
      lie.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      let records = good.bytes + lie
      let extent = records.withUnsafeBytes { RingRecords.check($0, firstSequence: 1) }
      #expect(extent.count == 1)
      #expect(extent.bytes == good.bytes.count)
      #expect(extent.flaw != nil)
      let writer = try TraceWriter(creating: folder.path("lie"), header: .sample())
      #expect(throws: TraceFileError.self) {
        try records.withUnsafeBytes { try writer.append(records: $0, ring: 1, firstSequence: 1) }
      }
      #expect(writer.events == 0)
      var columns = EventColumns()
      #expect(throws: TraceFileError.self) {
        try records.withUnsafeBytes {
          try RingRecords.decode($0, ring: 1, firstSequence: 1, into: &columns, columns: .all)
        }
      }
    }
  }

  @Test("T2: bytes that are too few for a record are none, at the beginning and behind others")
  func tooFewBytes() throws {
    var good = RecordBytes()
    good.add(ticks: 1, payload: .string("abc"))
    for whole in [[], good.bytes] {
      for rest in [1, 8, 16, 31] {
        let records = whole + good.bytes.prefix(rest)
        let writer = try TraceWriter(creating: folder.path("few"), header: .sample())
        #expect(throws: TraceFileError.self) {
          try records.withUnsafeBytes { try writer.append(records: $0, ring: 1, firstSequence: 1) }
        }
        #expect(writer.events == 0)
      }
    }
  }

  @Test("F2: records that are there already, and times that do, make no block")
  func backwards() throws {
    let first = CraftedBlock(
      kind: 2, codec: 2, fields: eventFields(count: 2, sequence: 5), payload: Self.prelude,
      rawBytes: 64)
    let second = CraftedBlock(
      kind: 2, codec: 2, fields: eventFields(count: 2, sequence: 6), payload: Self.prelude,
      rawBytes: 64)
    var third = second
    third.fields = eventFields(sequence: 7)
    third.fields.replaceSubrange(24..<32, with: little(UInt64(1)))
    let reader = try open(first, second, third)
    #expect(reader.blocks.map(\.firstSequence) == [5])
    #expect(reader.damage.count == 2)
  }

  @Test("F2: a trailer that points nowhere is passed over for the blocks themselves")
  func hostileTrailers() throws {
    for index in [1, UInt64(header.count), 1 << 40, .max] {
      let trailer = CraftedBlock(
        kind: 7, fields: little(index) + [UInt8](repeating: 1, count: 36))
      let events = CraftedBlock(
        kind: 2, codec: 2, fields: eventFields(), payload: Self.prelude, rawBytes: 64)
      let reader = try open(events, trailer)
      #expect(reader.events == 1)
      #expect(reader.ending == .clean)
    }
  }

  @Test("F2: an index that lists itself or what is not there is passed over")
  func hostileIndexes() throws {
    let start = UInt64(header.count)
    let events = CraftedBlock(
      kind: 2, codec: 2, fields: eventFields(), payload: Self.prelude, rawBytes: 64)
    let indexOffset = start + UInt64(events.bytes().count)
    for (previous, first, count) in [
      (indexOffset, start, 1), (0, start, 2), (0, 0, 1), (start, start, 1), (0, start, .max),
    ] as [(UInt64, UInt64, UInt32)] {
      let index = CraftedBlock(
        kind: 6, fields: little(previous) + little(first) + little(count),
        payload: Array(events.bytes().prefix(74)))
      let trailer = CraftedBlock(
        kind: 7, fields: little(indexOffset) + [UInt8](repeating: 1, count: 36))
      let reader = try open(events, index, trailer)
      #expect(reader.events == 1)
    }
  }
}
