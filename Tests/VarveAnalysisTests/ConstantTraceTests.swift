import Testing
import VarveAnalysis
import VarveFormat
import VarveTraceScript

/// Small files that stand for millions of events, all of one time.
@Suite("Traces that unpack to far more than they are")
struct ConstantTraceTests {
  private let folder = TemporaryFolder()

  private func trace(blocks: Int, events: Int) throws -> TraceReader {
    try ConstantTrace.write(to: folder.file("run.varve"), blocks: blocks, events: events)
    let reader = try TraceReader(path: folder.file("run.varve"))
    #expect(reader.damage.isEmpty && reader.events == UInt64(blocks * events))
    return reader
  }

  @Test("F2: blocks that lie over each other are held in part, however many there are")
  func memory() throws {
    let reader = try trace(blocks: 40, events: 65_536)
    #expect(reader.bytes < 10_000)
    var selection = Selection()
    selection.head = 1_000
    var query = try EventQuery(selection, in: reader, columns: .all)
    query.run { _ in true }
    #expect(query.count == 1_000)
    #expect(query.heldBytes > 0)
    // Arrays take a few bytes more than they are asked for.
    #expect(query.heldBytes <= type(of: query).mostBytes + 64 * reader.blocks.count)
    #expect(reader.inflatedBlocks == 40)
  }

  @Test("F2: events of blocks that are held in part come in their order, and all of them")
  func order() throws {
    let reader = try trace(blocks: 250, events: 1_500)
    var query = try EventQuery(Selection(), in: reader, columns: .all)
    var last: (tick: UInt64, ring: UInt32) = (0, 0)
    var isSorted = true
    query.run { page in
      page.forEach { batch, index in
        let columns = batch.columns
        let event = (columns.ticks[index], columns.ring)
        isSorted = isSorted && last < event
        // The name still tells the event, where the batch is a part of its block.
        let offset = event.0 - ConstantTrace.firstTick
        isSorted =
          isSorted
          && columns.name(index) == EventName(ring: event.1, sequence: 1 + offset)
          && columns.kinds[index] == 4 && columns.streams[index] == 1
        last = event
      }
      return true
    }
    #expect(isSorted)
    #expect(query.count == reader.events)
    // Arrays take a few bytes more than they are asked for.
    #expect(query.heldBytes <= type(of: query).mostBytes + 64 * reader.blocks.count)
    // Some blocks had to be decoded more than once, but not many times.
    #expect(reader.inflatedBlocks > 250)
    #expect(reader.inflatedBlocks <= 3 * 250)
  }

  @Test("F2: no number of blocks that lie over each other keeps anybody busy for long")
  func repeats() throws {
    let reader = try trace(blocks: 120, events: 65_536)
    var query = try EventQuery(Selection(), in: reader, columns: .ticks)
    var last: UInt64 = 0
    var isSorted = true
    query.run { page in
      page.forEach { batch, index in
        isSorted = isSorted && last <= batch.columns.ticks[index]
        last = batch.columns.ticks[index]
      }
      return true
    }
    #expect(isSorted)
    // So many may be decoded twice, whatever the file says.
    let most = 1 << 24 + 1_024 * reader.bytes
    #expect(UInt64(reader.inflatedBlocks) * 65_536 <= reader.events + most)
    // Of each block there is a part, and what is passed over of others is told.
    #expect(query.count > UInt64(reader.blocks.count) && query.count < reader.events)
    #expect(query.damage.map(\.code) == Array(repeating: .damaged, count: query.damage.count))
    let told = query.damage.compactMap { UInt64($0.message.prefix { $0.isNumber }) }
    #expect(told.count == query.damage.count)
    #expect(query.count + told.reduce(0, +) == reader.events)
    #expect(Set(query.damage.map(\.block)).count == query.damage.count)
  }

  @Test("F5: whoever asks for the first event alone opens no block that comes later")
  func first() throws {
    let reader = try trace(blocks: 40, events: 65_536)
    var selection = Selection()
    selection.head = 1
    var query = try EventQuery(selection, in: reader, columns: .all)
    query.run { _ in true }
    #expect(query.count == 1)
    #expect(reader.inflatedBlocks == 1)
  }

  @Test("F2: looking events up keeps no more of their blocks than fits")
  func lookup() throws {
    let reader = try trace(blocks: 20, events: 65_536)
    let lookup = EventLookup(reader)
    for block in reader.blocks {
      #expect(lookup[block.name(7)]?.ticks == ConstantTrace.firstTick + 7)
      #expect(lookup.heldBytes < EventLookup.mostBytes + 4 << 20)
    }
  }
}
