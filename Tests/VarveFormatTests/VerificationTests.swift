import Testing
import VarveFormat
import VarveProbe

@Suite("Checking a whole trace")
struct VerificationTests {
  private let folder: TraceFolder

  init() throws { folder = try TraceFolder() }

  private func verify(_ blocks: [(ring: UInt32, records: RecordBytes)]) throws -> TraceVerification
  {
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    for (ring, records) in blocks { try writer.append(records, ring: ring) }
    try writer.finish(ending: .clean)
    return try TraceVerification(TraceReader(path: folder.path()))
  }

  private func records(_ ticks: [UInt64], from first: UInt64 = 1) -> RecordBytes {
    var records = RecordBytes(firstSequence: first)
    for tick in ticks { records.add(ticks: tick, payload: .integer(1)) }
    return records
  }

  @Test("F3: a sound trace is intact, and everything in it was read")
  func sound() throws {
    let sample = try SampleTrace(in: folder)
    let found = try TraceVerification(TraceReader(path: try folder.write(sample.bytes)))
    #expect(found.events == 36)
    #expect(found.blocks == 3)
    #expect(found.damage == [])
    #expect(found.disorder == [])
  }

  @Test("F3: a flipped byte anywhere is found, in blocks that hold no events, too")
  func flipped() throws {
    let sample = try SampleTrace(in: folder)
    for index in sample.bytes.indices {
      var bytes = sample.bytes
      bytes[index] ^= 0x40
      guard let reader = try? TraceReader(path: try folder.write(bytes)) else { continue }
      #expect(!(try TraceVerification(reader).damage.isEmpty), "byte \(index)")
    }
  }

  @Test("T4: time that runs backwards on a thread is disorder, within a block and between two")
  func backwards() throws {
    #expect(try verify([(1, records([5, 6, 6, 7]))]).disorder == [])
    let within = try verify([(1, records([5, 7, 6]))])
    #expect(within.damage == [])
    #expect(
      within.disorder.map(\.reason) == ["event #1.3 is earlier than the one before it on its thread"])
    let between = try verify([(1, records([5, 7])), (2, records([1])), (1, records([6], from: 3))])
    #expect(between.disorder.map(\.reason).first?.hasPrefix("event #1.3 is earlier") == true)
  }

  @Test("T4: an effect before its cause on another thread is disorder")
  func causes() throws {
    var effect = RecordBytes()
    effect.add(.hopBegan, stream: 1, ticks: 50, back: .max, far: [1 << 40 | 2])
    #expect(try verify([(1, records([10, 20])), (2, effect)]).disorder == [])
    let wrong = try verify([(1, records([10, 70])), (2, effect)])
    #expect(wrong.disorder.map(\.reason) == ["event #2.1 is earlier than its cause"])
    let later = try verify([(1, records([60, 70])), (2, effect)])
    #expect(later.disorder.map(\.reason) == ["event #2.1 is earlier than its cause"])
    // A cause that was lost is not held against its effect.
    #expect(try verify([(1, records([10])), (2, effect)]).disorder == [])
  }

  @Test("T13: a block whose records are there already is damage: a name has one event")
  func twice() throws {
    let found = try verify([(1, records([1, 2, 3])), (1, records([4, 5], from: 3))])
    #expect(found.damage.map(\.reason) == ["the block's header contradicts itself"])
    #expect(found.events == 3)
  }

  @Test("F3: a block's header that leaves something out is damage, which repair mends")
  func liars() throws {
    for (field, reason) in [(60, "kinds"), (70, "streams"), (52, "another time")] {
      _ = try verify([(1, records([100, 200]))])
      var bytes = try folder.read()
      let range = try #require(blockRanges(in: bytes).first { $0.kind == 2 }?.range)
      bytes.replaceSubrange(
        range.lowerBound + field..<range.lowerBound + field + 8,
        with: little(UInt64(field == 52 ? 250 : 1 << 9)))
      let header = Int(number(in: bytes, at: range.lowerBound + 6, bytes: 2))
      let id = TraceHeader.sample().id
      let seed = crc(little(id.low) + little(id.high))
      let end = range.lowerBound + header - 4
      let sum = crc(Array(bytes[range.lowerBound..<end]), from: seed)
      bytes.replaceSubrange(end..<end + 4, with: little(sum))
      let found = try TraceVerification(TraceReader(path: try folder.write(bytes)))
      #expect(found.damage.contains { $0.reason.contains(reason) }, "\(reason)")
      #expect(found.damage.contains { $0.reason.contains("the index tells something else") })
      let out = folder.path("mended.varve")
      let outcome = try TraceRepair.write(
        TraceReader(path: folder.path()), to: out, replacing: true)
      #expect(outcome.events == 2 && outcome.mended.contains { $0.reason.contains(reason) })
      #expect(outcome.damage == [])
      let mended = try TraceReader(path: out)
      #expect(try mended.verify() == [] && mended.events == 2)
      #expect(try mended.columns(0).ticks == [100, 200])
    }
  }

  /// A block of events in one ring, each of which names causes in the first records of eight others.
  private func block(ring: Int, of rings: Int, events: Int) -> CraftedBlock {
    var entries: [UInt64] = []
    var last = [UInt64](repeating: 0, count: 8)
    for index in 0..<events {
      for place in 0..<8 {
        let cause = UInt64((8 * index + place) % rings + 1) << 40 | 1
        let step = Int64(bitPattern: cause &- last[place])
        entries.append(UInt64(bitPattern: step << 1 ^ step >> 63))
        last[place] = cause
      }
    }
    var payload: [UInt8] = [1, 0, 0, 0, 1, 1, 1 << 2, 2, 1, 2 << 2, 3, 1, 4 << 2, 5, 1, 8 << 2]
    payload += [19, 8]
    for plane in 0..<8 {
      payload += varint(entries.count << 2 | 1)
      payload += entries.map { UInt8(truncatingIfNeeded: $0 >> UInt64(plane * 8)) }
    }
    let fields =
      little(UInt32(events)) + little(UInt32(ring)) + little(UInt64(1))
      + little(UInt64((ring - 1) * events + 1)) + little(UInt64(1_000))
      + little(UInt64(1_000 + events - 1)) + little(UInt64(1 << 4)) + little(UInt16(1))
      + little(UInt64(1 << 1))
    return CraftedBlock(
      kind: 2, codec: 2, fields: fields, payload: payload, rawBytes: UInt32(events * 96))
  }

  @Test("F2: causes that go round many blocks cost each block one decoding, not one for each cause")
  func round() throws {
    _ = try TraceWriter(creating: folder.path(), header: .sample())
    let blocks = (1...20).flatMap { block(ring: $0, of: 20, events: 100).bytes() }
    let reader = try TraceReader(path: folder.write(folder.read() + blocks))
    let found = try TraceVerification(reader)
    #expect(found.events == 2_000)
    #expect(found.damage == [])
    #expect(found.disorder == [])
    #expect(reader.inflatedBlocks <= 2 * 20)
  }

  @Test("F2: damaged blocks are told of once each, however many there are")
  func manyDamaged() throws {
    _ = try TraceWriter(creating: folder.path(), header: .sample())
    var bytes = try folder.read()
    for number in 1...2_000 {
      var block = block(ring: number, of: 1, events: 1).bytes()
      block[block.count - 1] ^= 1
      bytes += block
    }
    let found = try TraceVerification(TraceReader(path: folder.write(bytes)))
    #expect(found.blocks == 0)
    #expect(Set(found.damage.map(\.offset)).count == 2_000)
    #expect(found.damage.count == 2_000)
  }
}
