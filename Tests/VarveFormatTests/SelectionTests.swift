import Testing
import VarveFormat
import VarveProbe

@Suite("Selecting blocks")
struct SelectionTests {
  private let reader: TraceReader

  /// Ten blocks; block `n` holds streams `n` and 500 in the ticks from 1000 n, and its last event
  /// is a failure in blocks 3 and 7.
  init() throws {
    let folder = try TraceFolder()
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    for block in 0..<10 as Range<UInt64> {
      var records = RecordBytes(firstSequence: 1 + block * 101)
      for index in 0..<100 as Range<UInt64> {
        records.add(
          stream: index % 2 == 0 ? UInt32(block) : 500, ticks: block * 1_000 + index * 5,
          payload: .integer(Int64(index)))
      }
      records.add(block % 4 == 3 ? .failed : .completed, stream: 500, ticks: block * 1_000 + 500)
      try writer.append(records)
    }
    try writer.finish(ending: .clean)
    reader = try TraceReader(path: folder.path())
  }

  private func set(_ streams: UInt32...) -> StreamSet {
    var set = StreamSet()
    for stream in streams { set.insert(stream) }
    return set
  }

  @Test("F5: filtering by stream unpacks only the blocks that hold it")
  func byStream() throws {
    let blocks = reader.blocks(holding: set(4, 8))
    #expect(blocks == [4, 8])
    #expect(reader.inflatedBlocks == 0)
    for block in blocks {
      #expect(try reader.columns(block, .streams).streams.contains(UInt32(block)))
    }
    #expect(reader.inflatedBlocks == 2)
    #expect(reader.blocks(holding: set(500)).count == 10)
    #expect(reader.blocks(holding: set(11)).isEmpty)
    #expect(reader.inflatedBlocks == 2)
  }

  @Test("F5: filtering by time unpacks only the blocks of that time")
  func byTime() throws {
    let blocks = reader.blocks(ticks: 2_400...4_000)
    #expect(blocks == [2, 3, 4])
    for block in blocks { _ = try reader.columns(block) }
    #expect(reader.inflatedBlocks == 3)
    #expect(reader.blocks(ticks: 501...999).isEmpty)
    #expect(reader.blocks(holding: set(4), ticks: 0...3_999).isEmpty)
  }

  @Test("F5: filtering by kind unpacks only the blocks that hold it")
  func byKind() throws {
    var failures = KindSet()
    failures.insert(RecordKind.failed.rawValue)
    #expect(reader.blocks(kinds: failures) == [3, 7])
    #expect(reader.inflatedBlocks == 0)
  }

  @Test("F5: asking for more columns of a block reads it only once")
  func columnByColumn() throws {
    var columns = EventColumns()
    try reader.decode(5, into: &columns, columns: .streams)
    #expect(columns.streams.count == 101)
    #expect(columns.ticks.isEmpty)
    #expect(columns.words.isEmpty)
    try reader.decode(5, into: &columns, columns: [.ticks, .payloads])
    try reader.decode(5, into: &columns, columns: [.kinds, .subscriptions, .causes])
    #expect(columns == (try reader.columns(5)))
    #expect(reader.inflatedBlocks == 1)
    _ = try reader.columns(6, .ticks)
    _ = try reader.columns(5, .ticks)
    #expect(reader.inflatedBlocks == 3)
  }

  @Test("F5: of payloads, the words can be asked for alone")
  func words() throws {
    let all = try reader.columns(5, [.payloads])
    let words = try reader.columns(5, [.words])
    #expect(words.words == all.words)
    #expect(words.payloadKinds == all.payloadKinds)
    #expect(words.textStarts.isEmpty)
  }

  @Test("F5: schedulers that hops are about are not taken for streams")
  func schedulers() throws {
    let folder = try TraceFolder()
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    var records = RecordBytes()
    for kind in [RecordKind.hopScheduled, .hopBegan, .hopEnded, .hopCancelled] {
      records.add(kind, stream: 7, ticks: UInt64(kind.rawValue))
    }
    records.add(stream: 9, ticks: 30)
    try writer.append(records)
    let reader = try TraceReader(path: folder.path())
    #expect(reader.blocks(holding: set(7)).isEmpty)
    #expect(reader.blocks(holding: set(9)) == [0])
  }
}
