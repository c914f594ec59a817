import Testing
import VarveFormat
import VarveProbe

@Suite("Files of other versions")
struct GrowthTests {
  private let folder: TraceFolder
  private let sample: SampleTrace

  init() throws {
    folder = try TraceFolder()
    sample = try SampleTrace(in: folder, isFinished: false)
  }

  private func open(_ bytes: [UInt8]) throws -> TraceReader {
    try TraceReader(path: folder.write(bytes))
  }

  /// The sample with its header's bytes changed and sealed again, and with the header's copy gone.
  private func withHeader(_ change: (inout [UInt8]) -> Void) throws -> [UInt8] {
    let blocks = blockRanges(in: sample.bytes)
    var header = Array(sample.bytes[..<(blocks[0].range.lowerBound - 4)])
    change(&header)
    header.replaceSubrange(12..<16, with: little(UInt32(header.count + 4)))
    return header + little(crc(header)) + sample.bytes[blocks[0].range.upperBound...]
  }

  @Test("F1: blocks of a kind that is not known are passed over")
  func unknownKinds() throws {
    let unknown = CraftedBlock(
      kind: 200, codec: 77, fields: [1, 2, 3], payload: [UInt8](0...255), rawBytes: 1_000)
    var bytes: [UInt8] = Array(sample.bytes[..<blockRanges(in: sample.bytes)[0].range.lowerBound])
    for block in blockRanges(in: sample.bytes) {
      bytes += sample.bytes[block.range] + unknown.bytes()
    }
    let reader = try open(bytes)
    #expect(reader.readableBlocks() == sample.events)
    #expect(reader.damage == [])
    #expect(try reader.verify() == [])
  }

  @Test("F1: a header that has grown at its end, and a newer minor version, are read")
  func newerMinor() throws {
    let reader = try open(
      withHeader { header in
        header[10] = 9
        header += [1, 2, 3, 4, 5]
      })
    #expect(reader.header.version == TraceVersion(major: 1, minor: 9))
    #expect(reader.header.process.arguments == ["search", "--verbose"])
    #expect(reader.readableBlocks() == sample.events)
  }

  @Test("F1: a newer major version is refused in words that say what to do")
  func newerMajor() throws {
    let error = try #require(throws: TraceFileError.self) {
      try open(withHeader { $0[8] = 2 })
    }
    #expect(error.code == .newerVersion)
    #expect(error.message.contains("format 2.\(TraceVersion.current.minor);"))
    #expect(error.message.contains("Update varve"))
  }

  @Test("F1: block headers that have grown are read")
  func grownBlockHeaders() throws {
    var fields = little(UInt32(1)) + little(UInt32(3)) + little(UInt64(9)) + little(UInt64(1))
    fields += little(UInt64(5)) + little(UInt64(5)) + little(UInt64(16)) + little(UInt16(2))
    fields += little(UInt64(1)) + [42, 43, 44]
    let events = CraftedBlock(
      kind: 2, codec: 2, fields: fields,
      payload: [1, 0, 0, 0, 2, 1] + varint(128 << 2) + [3, 1, 16], rawBytes: 32)
    let zeros = [UInt8](repeating: 0, count: 16)
    let trailer = CraftedBlock(kind: 7, fields: zeros + [1] + zeros + zeros + [9])
    let start = blockRanges(in: sample.bytes)[0].range.lowerBound
    let reader = try open(sample.bytes[..<start] + events.bytes() + trailer.bytes())
    #expect(reader.ending == .clean)
    #expect(try reader.columns(0).streams == [64])
    #expect(reader.blocks[0].streams.mayContain(64))
  }

  @Test("F1: columns that are not known are passed over")
  func unknownColumns() throws {
    let payload: [UInt8] = [1, 0, 0, 0, 3, 1, 16, 200, 2, 3 << 2 | 1, 9, 9, 9, 12, 4, 1, 12]
    let fields =
      little(UInt32(1)) + little(UInt32(3)) + little(UInt64(9)) + little(UInt64(1))
      + [UInt8](repeating: 0, count: 26)
    let events = CraftedBlock(kind: 2, codec: 2, fields: fields, payload: payload, rawBytes: 32)
    let start = blockRanges(in: sample.bytes)[0].range.lowerBound
    let columns = try open(sample.bytes[..<start] + events.bytes()).columns(0)
    #expect(columns.kinds == [4])
    #expect(columns.payloadKinds == [3])
  }

  @Test("F1: a block that is packed in an unknown way is told to be newer, and the others are read")
  func unknownCodec() throws {
    let fields =
      little(UInt32(1)) + little(UInt32(3)) + little(UInt64(9)) + little(UInt64(37))
      + [UInt8](repeating: 0, count: 26)
    let events = CraftedBlock(kind: 2, codec: 9, fields: fields, payload: [1], rawBytes: 32)
    let reader = try open(sample.bytes + events.bytes())
    var columns = EventColumns()
    let error = try #require(throws: TraceFileError.self) {
      try reader.decode(3, into: &columns, columns: .all)
    }
    #expect(error.code == .newerVersion)
    #expect(reader.readableBlocks() == sample.events)
  }

  @Test("F1: kinds of records and payloads that are not known keep their payloads")
  func unknownRecords() throws {
    var records = RecordBytes()
    records.add(rawKind: 99, stream: 5, ticks: 1, payload: .integer(77))
    records.add(rawKind: 15, stream: 5, ticks: 2, payload: .string("text"))
    var bytes = records.bytes
    bytes[2] = 100
    bytes[40 + 2] = 222
    let writer = try TraceWriter(creating: folder.path("unknown"), header: .sample())
    try bytes.withUnsafeBytes { try writer.append(records: $0, ring: 1, firstSequence: 1) }
    let columns = try TraceReader(path: folder.path("unknown")).columns(0)
    #expect(columns.kinds == [99, 15])
    #expect(columns.payloadKinds == [100, 222])
    #expect(columns.words == [77, 4])
    #expect(String(decoding: columns.heap, as: UTF8.self) == "text")
  }
}
