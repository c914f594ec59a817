import Foundation
import Testing
import VarveFormat
import VarveProbe

@Suite("Writing")
struct WriterTests {
  private let folder: TraceFolder

  init() throws { folder = try TraceFolder() }

  private func records(_ sequence: UInt64, _ count: UInt64 = 10) -> RecordBytes {
    var records = RecordBytes(firstSequence: sequence)
    for index in 0..<count {
      records.add(ticks: sequence + index, payload: .string("text \(index)"))
    }
    return records
  }

  @Test(
    "every ending comes back from the trailer",
    arguments: [
      TraceEnding.clean, .killed, .crashed(signal: 6, ring: nil, programCounter: nil),
      .crashed(signal: 11, ring: 0, programCounter: nil),
      .crashed(signal: 4, ring: .max, programCounter: .max),
    ])
  func endings(ending: TraceEnding) throws {
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    try writer.append(records(1))
    try writer.finish(ending: ending)
    let reader = try TraceReader(path: folder.path())
    #expect(reader.ending == ending)
    #expect(reader.events == 10)
  }

  @Test(
    "every clock and the longest command lines come back from the header",
    arguments: [
      TraceClock.monotonic, .byHand, .counter(perSecond: 0), .counter(perSecond: 26 << 40),
    ])
  func headers(clock: TraceClock) throws {
    var header = TraceHeader.sample(
      clock: clock, anchor: ClockAnchor(ticks: .max - 1, monotonic: 1 << 60))
    #expect(header.id.description == "fedcba98765432100123456789abcdef")
    _ = try TraceWriter(creating: folder.path(), header: header)
    #expect(try TraceReader(path: folder.path()).header == header)
    header.process.arguments = (0..<5_000).map { String(repeating: "ö", count: $0) }
    _ = try TraceWriter(creating: folder.path("long"), header: header)
    let read = try TraceReader(path: folder.path("long")).header
    let arguments = read.process.arguments
    #expect(arguments.count > 100)
    #expect(zip(arguments, header.process.arguments).allSatisfy { $1.hasPrefix($0) })
  }

  @Test("thousands of blocks are found by the chain of index blocks as by their headers")
  func manyBlocks() throws {
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    for block in 0..<1_500 as Range<UInt64> {
      try writer.append(records(1 + block * 3, 3), ring: 1)
      if block % 500 == 7 {
        try writer.append(losses: [TraceLoss(ring: 1, count: 1, ticks: block...block)])
      }
    }
    let unfinished = try TraceReader(path: folder.path())
    try writer.finish(ending: .clean)
    let finished = try TraceReader(path: folder.path())
    #expect(finished.events == 4_500)
    #expect(finished.blocks.map(\.offset) == unfinished.blocks.map(\.offset))
    #expect(finished.blocks.map(\.ticks) == unfinished.blocks.map(\.ticks))
    #expect(finished.losses.count == 3)
    #expect(blockRanges(in: try folder.read()).count { $0.kind == 6 } == 3)
    #expect(try finished.verify() == [])
  }

  @Test("of a run of losses that is told twice the larger count is right")
  func losses() throws {
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    try writer.append(losses: [
      TraceLoss(ring: 1, count: 5, ticks: 100...110), TraceLoss(ring: 2, count: 1, ticks: 90...90),
    ])
    try writer.append(losses: [TraceLoss(ring: 1, count: 9, ticks: 100...150)])
    try writer.append(losses: [TraceLoss(ring: 1, count: 7, ticks: 100...120)])
    try writer.append(losses: [])
    #expect(
      try TraceReader(path: folder.path()).losses == [
        TraceLoss(ring: 2, count: 1, ticks: 90...90),
        TraceLoss(ring: 1, count: 9, ticks: 100...150),
      ])
  }

  @Test("an append that the full disk refuses leaves the file as it was, and may be tried again")
  func fullDisk() throws {
    let path = folder.path()
    let full = open("/dev/full", O_WRONLY)
    try #require(full >= 0)
    defer { close(full) }
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    let file = dup(descriptor)
    defer { close(file) }
    let writer = try TraceWriter(descriptor: descriptor, header: .sample())
    try writer.append(records(1))
    let bytes = writer.bytes
    // From here on the writer's descriptor leads to a disk that is always full.
    dup2(full, descriptor)
    for _ in 0..<3 {
      let error = try #require(throws: TraceFileError.self) { try writer.append(records(11)) }
      #expect(error.code == .unwritable)
      #expect(error.systemError == ENOSPC)
      #expect(error.message.contains("No space left"))
    }
    #expect(throws: TraceFileError.self) {
      try writer.append(losses: [TraceLoss(ring: 1, count: 1, ticks: 1...1)])
    }
    #expect(throws: TraceFileError.self) { try writer.finish(ending: .clean) }
    #expect(writer.events == 10)
    #expect(writer.bytes == bytes)
    #expect(try TraceReader(path: path).events == 10)
    dup2(file, descriptor)
    try writer.append(records(11))
    try writer.finish(ending: .clean)
    let reader = try TraceReader(path: path)
    #expect(reader.events == 20)
    #expect(reader.ending == .clean)
    #expect(try reader.verify() == [])
  }

  @Test("a path that cannot be created is told in words")
  func noPlace() throws {
    let error = try #require(throws: TraceFileError.self) {
      try TraceWriter(creating: folder.path("nowhere/run.varve"), header: .sample())
    }
    #expect(error.code == .unwritable)
    #expect(error.systemError == ENOENT)
  }

  @Test("a trace is for its owner's eyes")
  func permissions() throws {
    _ = try TraceWriter(creating: folder.path(), header: .sample())
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path())
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }
}
