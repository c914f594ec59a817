import Testing
import VarveFormat
import VarveProbe

@Suite("Damaged files")
struct DamageTests {
  private let folder: TraceFolder
  private let sample: SampleTrace

  init() throws {
    folder = try TraceFolder()
    sample = try SampleTrace(in: folder)
  }

  private func open(_ bytes: [UInt8]) throws(TraceFileError) -> TraceReader {
    guard let path = try? folder.write(bytes) else { throw TraceFileError(.unwritable, "no file") }
    return try TraceReader(path: path)
  }

  @Test("F2: every prefix of a trace shows its intact blocks or says what is wrong")
  func prefixes() throws {
    let blocks = blockRanges(in: sample.bytes)
    let header = blocks[0].range.lowerBound
    for length in 0..<sample.bytes.count {
      let prefix = Array(sample.bytes[..<length])
      guard length >= header else {
        let error = try #require(throws: TraceFileError.self) { try open(prefix) }
        #expect(error.code == .notATrace)
        #expect(error.message.contains(length == 0 ? "is empty" : "cut off"))
        continue
      }
      let reader = try open(prefix)
      let whole = blocks.filter { $0.range.upperBound <= length }
      let intact = whole.count { $0.kind == 2 }
      #expect(reader.readableBlocks() == Array(sample.events.prefix(intact)))
      #expect(reader.ending == .killed)
      let end = whole.last?.range.upperBound ?? header
      let expected = end == length ? [] : [UInt64(end)]
      #expect(reader.damage.map(\.offset) == expected, "cut at \(length)")
    }
  }

  @Test("F3: a flipped byte anywhere costs the block that it lies in alone, and is told")
  func flips() throws {
    let blocks = blockRanges(in: sample.bytes)
    for index in sample.bytes.indices {
      var flipped = sample.bytes
      flipped[index] ^= UInt8(truncatingIfNeeded: index &* 37) | 1
      let reader = try open(flipped)
      let hit = blocks.firstIndex { $0.range.contains(index) }
      let lost = hit.flatMap { hit in
        blocks[hit].kind == 2 ? blocks[..<hit].count { $0.kind == 2 } : nil
      }
      var expected = sample.events
      if let lost { expected.remove(at: lost) }
      #expect(reader.readableBlocks() == expected, "byte \(index)")
      let start = UInt64(hit.map { blocks[$0].range.lowerBound } ?? 0)
      #expect(try reader.verify().map(\.offset).contains(start), "byte \(index)")
      let isAboutDefinitions = hit.map { blocks[$0].kind == 3 } ?? false
      #expect(reader.definitions.streams.isEmpty == isAboutDefinitions, "byte \(index)")
    }
  }

  @Test(
    "F7: the events of a damaged block are a loss, also of what is repaired, scrubbed or merged",
    arguments: [(0, false), (1, false), (2, false), (1, true)], [true, false])
  func lost(damaged: (block: Int, isInHeader: Bool), isFinished: Bool) throws {
    let writer = try TraceWriter(creating: folder.path("whole.varve"), header: .sample())
    for block in 0..<3 as Range<UInt64> {
      var records = RecordBytes(firstSequence: 1 + block * 5)
      for index in 0..<5 as Range<UInt64> {
        records.add(stream: 1, ticks: block * 100 + index, payload: .integer(7))
      }
      try writer.append(records)
    }
    if isFinished { try writer.finish(ending: .clean) }
    var bytes = try folder.read("whole.varve")
    let block = blockRanges(in: bytes).filter { $0.kind == 2 }[damaged.block].range
    bytes[damaged.isInHeader ? block.lowerBound + 30 : block.upperBound - 5] ^= 4
    let path = try folder.write(bytes)
    let reader = try TraceReader(path: path)
    func expect(_ reader: TraceReader, _ what: Comment) {
      #expect(reader.events == 10, what)
      #expect(reader.losses.map(\.reason) == [.damaged], what)
      #expect(reader.losses.map(\.count) == [5], what)
    }
    expect(reader.leavingOut(try reader.checkBlocks()), "checked")
    try TraceRepair.write(reader, to: folder.path("repaired.varve"))
    expect(try TraceReader(path: folder.path("repaired.varve")), "repaired")
    try TraceScrub.write(reader, to: folder.path("scrubbed.varve"))
    expect(try TraceReader(path: folder.path("scrubbed.varve")), "scrubbed")
    try TraceMerge.write([reader], to: folder.path("merged.varve"))
    expect(try TraceReader(path: folder.path("merged.varve")), "merged")
  }

  @Test("F7: what was lost when it was recorded is not counted once more")
  func told() throws {
    let writer = try TraceWriter(creating: folder.path("gaps.varve"), header: .sample())
    for (first, tick) in [(1, 0), (11, 100), (21, 200)] as [(UInt64, UInt64)] {
      var records = RecordBytes(firstSequence: first)
      for index in 0..<5 as Range<UInt64> {
        records.add(stream: 1, ticks: tick + index, payload: .integer(7))
      }
      try writer.append(records)
    }
    // All of the first gap of five, in two runs, and two of the second; others are of another thread.
    try writer.append(losses: [
      TraceLoss(ring: 1, count: 2, ticks: 10...20), TraceLoss(ring: 1, count: 3, ticks: 30...90),
      TraceLoss(ring: 1, count: 2, ticks: 150...160, reason: .notKept),
      TraceLoss(ring: 2, count: 9, ticks: 150...160),
    ])
    try writer.finish(ending: .clean)
    let losses = try TraceReader(path: folder.path("gaps.varve")).losses
    let damaged = losses.filter { $0.reason == .damaged }
    #expect(losses.count == 5)
    #expect(damaged == [TraceLoss(ring: 1, count: 3, ticks: 104...200, reason: .damaged)])
  }

  @Test("F3: a damaged block is reported with its number and its place, and the others are read")
  func report() throws {
    let block = blockRanges(in: sample.bytes).filter { $0.kind == 2 }[1].range
    var bytes = sample.bytes
    bytes[block.upperBound - 5] ^= 4
    let reader = try open(bytes)
    #expect(reader.damage == [])
    var columns = EventColumns()
    let error = try #require(throws: TraceFileError.self) {
      try reader.decode(1, into: &columns, columns: .all)
    }
    #expect(error.code == .damaged)
    #expect(error.block == 1)
    #expect(error.offset == UInt64(block.lowerBound))
    #expect(try reader.verify().map(\.bytes) == [UInt64(block.count)])
    #expect(reader.readableBlocks().count == 2)
    #expect(reader.block(of: reader.blocks[2].name(11)) == 2)
  }

  @Test("F2: a file without its index and trailer gives the same events as with them")
  func withoutIndex() throws {
    let unfinished = try SampleTrace(in: folder, isFinished: false)
    let finished = try TraceReader(path: folder.write(sample.bytes, to: "finished"))
    let reader = try TraceReader(path: folder.write(unfinished.bytes, to: "unfinished"))
    #expect(reader.readableBlocks() == sample.events)
    #expect(finished.readableBlocks() == sample.events)
    #expect(reader.definitions.streams == finished.definitions.streams)
    #expect(reader.losses == finished.losses)
    #expect(reader.losses == [TraceLoss(ring: 2, count: 17, ticks: 100...200)])
    #expect(reader.time.anchors == finished.time.anchors)
    #expect(reader.damage == [])
    #expect(reader.ending == .killed)
    #expect(finished.ending == .clean)
  }

  @Test("F2: bytes that were lost or slipped in cost no block beside them")
  func slippedBytes() throws {
    let blocks = blockRanges(in: sample.bytes)
    for (index, block) in blocks.enumerated() where block.kind == 2 {
      var slipped = sample.bytes
      slipped.insert(contentsOf: [0xd6, 0x56, 0x42, 0x1a, 1, 2, 3], at: block.range.lowerBound)
      #expect(try open(slipped).readableBlocks() == sample.events)
      var lost = sample.bytes
      lost.removeSubrange(block.range.lowerBound + 40..<block.range.upperBound - 2)
      var expected = sample.events
      expected.remove(at: blocks[..<index].count { $0.kind == 2 })
      let reader = try open(lost)
      #expect(reader.readableBlocks() == expected)
      #expect(reader.damage.map(\.offset) == [UInt64(block.range.lowerBound)])
    }
  }

  @Test("F2: noise of any length is no trace, and noise behind a header costs no event")
  func noise() throws {
    var random = Seeded(5)
    for length in [1, 3, 7, 8, 9, 100, 70_000] {
      let noise = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let error = try #require(throws: TraceFileError.self) { try open(noise) }
      #expect(error.code == .notATrace)
      let reader = try open(sample.bytes + noise)
      #expect(reader.readableBlocks() == sample.events)
      #expect(reader.ending == .clean)
      #expect(reader.damage.map(\.bytes) == [UInt64(length)])
    }
  }

  @Test("F2: what is no file, or not there, or text, is told in words")
  func noFile() throws {
    let missing = try #require(throws: TraceFileError.self) {
      try TraceReader(path: folder.path("nothing"))
    }
    #expect(missing.code == .unreadable)
    #expect(missing.systemError == 2)
    let folderError = try #require(throws: TraceFileError.self) { try TraceReader(path: "/") }
    #expect(folderError.code == .unreadable)
    let text = try #require(throws: TraceFileError.self) { try open(Array("Hello\n".utf8)) }
    #expect(text.code == .notATrace)
    #expect(text.message.contains("is not a Varve trace"))
  }

  @Test("F3: blocks of another trace, which a program may have recorded as bytes, are not believed")
  func strangersBlocks() throws {
    var foreign = RecordBytes()
    for tick in 0..<20 as Range<UInt64> { foreign.add(stream: 66, ticks: tick) }
    let writer = try TraceWriter(
      creating: folder.path("foreign"), header: .sample(id: TraceID(low: 9, high: 9)))
    try writer.append(foreign)
    let block = Array(try folder.read("foreign")[blockRanges(in: folder.read("foreign"))[1].range])
    var records = RecordBytes()
    records.add(ticks: 1, payload: .text(.bytes, block, original: block.count))
    let second = try TraceWriter(creating: folder.path("second"), header: .sample())
    try second.append(records)
    // The text is too short to be packed, so the foreign block lies in the file as it is.
    var bytes = try folder.read("second")
    let own = blockRanges(in: bytes)[1].range
    #expect(bytes[own].count > block.count)
    bytes[own.lowerBound + 2] ^= 1
    #expect(try open(bytes).events == 0)
  }
}
