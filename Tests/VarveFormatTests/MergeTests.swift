import Testing
import VarveFormat
import VarveProbe

@Suite("Merging the traces of several processes")
struct MergeTests {
  private let folder: TraceFolder

  init() throws { folder = try TraceFolder() }

  /// A trace of a process whose clock counts `rate` ticks in a nanosecond, numerator and
  /// denominator. Its events come every 10 ns, from `begin` on the machine's monotonic clock.
  private func trace(
    _ name: String, pid: UInt32, begin: UInt64, rate: (UInt64, UInt64) = (1, 1),
    host: String = "host", calendar: UInt64 = 0, count: UInt64 = 30
  ) throws -> TraceReader {
    let isCounter = rate.0 != rate.1
    let process = ProcessDescription(
      program: "/usr/bin/\(name)", arguments: [name], pid: pid, host: host,
      started: 1_700_000_000_000_000_000 + begin + calendar)
    let first: UInt64 = isCounter ? 5_000 : begin
    let header = TraceHeader(
      id: .random(), process: process,
      clock: isCounter ? .counter(perSecond: 1_000_000_000 * rate.0 / rate.1) : .monotonic,
      anchor: ClockAnchor(ticks: first, monotonic: begin))
    let path = folder.path(name + ".varve")
    let writer = try TraceWriter(creating: path, header: header)
    try writer.append(definitions: [
      .stream(
        StreamDefinition(
          id: 3, name: "\(name).numbers", derivation: "pipe", operation: "pipe", parents: [],
          place: nil, valueType: "Int", born: first)),
      .stream(
        StreamDefinition(
          id: 4, name: "\(name).map", derivation: "map", operation: "map", parents: [3],
          place: nil, valueType: "Int", born: first)),
      .scheduler(SchedulerDefinition(id: 1, name: "\(name).queue")),
      .thread(ThreadDefinition(ring: 1, systemID: UInt64(pid), name: "")),
    ])
    var records = RecordBytes()
    records.add(
      .subscribed, stream: 3, ticks: first, subscription: 9, payload: .word(.stream, 4))
    for index in 1..<count {
      records.add(
        stream: 3, ticks: first + index * 10 * rate.0 / rate.1, back: 1, subscription: 9,
        payload: .integer(Int64(index)))
    }
    records.add(
      .hopScheduled, stream: 1, ticks: first + count * 10 * rate.0 / rate.1, back: .max,
      subscription: 5, far: [1 << 40 | 2])
    try writer.append(records)
    try writer.append(losses: [TraceLoss(ring: 1, count: 2, ticks: first...first + 10)])
    try writer.finish(ending: .clean)
    return try TraceReader(path: path)
  }

  private func times(_ reader: TraceReader, ring: UInt32) throws -> [Int64] {
    try reader.blocks.indices.filter { reader.blocks[$0].ring == ring }.flatMap {
      try reader.columns($0).ticks.map { reader.nanoseconds(sinceStart: $0) }
    }
  }

  @Test("processes of one machine lie over one another by its clock, to the nanosecond")
  func oneMachine() throws {
    let shop = try trace("shop", pid: 10, begin: 1_000_000)
    let till = try trace("till", pid: 20, begin: 1_000_105, rate: (13, 5))
    let out = folder.path("both.varve")
    let outcome = try TraceMerge.write([till, shop], to: out)
    let both = try TraceReader(path: out)
    #expect(!TraceMerge.isByCalendar([till, shop]))
    #expect(try both.verify() == [])
    #expect(outcome.events == 62)
    #expect(both.events == 62)
    #expect(both.ending == .clean)
    #expect(both.header.process.program == "/usr/bin/till + /usr/bin/shop")
    let tillTimes = try times(till, ring: 1).map { $0 + 105 }
    #expect(try times(both, ring: 1) == tillTimes)
    #expect(try times(both, ring: 2) == times(shop, ring: 1))
  }

  @Test("numbers that two processes share are told apart, and what refers to them follows")
  func numbers() throws {
    let shop = try trace("shop", pid: 10, begin: 1_000_000)
    let till = try trace("till", pid: 20, begin: 1_000_105)
    let out = folder.path("both.varve")
    try TraceMerge.write([shop, till], to: out)
    let both = try TraceReader(path: out)
    let names = both.definitions.streams.mapValues(\.name)
    #expect(Set(names.values) == ["shop.numbers", "shop.map", "till.numbers", "till.map"])
    #expect(names[3] == "shop.numbers")
    for stream in both.definitions.streams.values where stream.operation == "map" {
      let parent = try #require(stream.parents.first)
      #expect(names[parent]?.prefix(4) == stream.name.prefix(4))
    }
    #expect(both.definitions.threads[1]?.name == "shop[10] main")
    #expect(both.definitions.threads[2]?.name == "till[20] main")
    #expect(Set(both.definitions.schedulers.values.map(\.name)) == ["shop.queue", "till.queue"])
    #expect(Set(both.losses.map(\.ring)) == [1, 2])
    var edges: [Set<UInt64>] = [[], []]
    for columns in both.readableBlocks() {
      let owner = columns.ring == 1 ? "shop" : "till"
      #expect(names[columns.streams[1]] == "\(owner).numbers")
      #expect(names[UInt32(columns.words[0])] == "\(owner).map")
      #expect(columns.farCauses.map(\.cause) == [RecordReference(ring: columns.ring, sequence: 2)])
      let scheduler = columns.streams[columns.count - 1]
      #expect(both.definitions.schedulers[scheduler]?.name == "\(owner).queue")
      edges[Int(columns.ring) - 1].formUnion(columns.subscriptions)
    }
    #expect(edges[0] == [9, 5])
    #expect(edges[0].isDisjoint(with: edges[1]))
  }

  @Test("T4: records that lie less than a nanosecond apart keep their order")
  func dense() throws {
    let fast = try trace("fast", pid: 1, begin: 100, rate: (13, 5))
    var columns = try fast.columns(0)
    #expect(Set(columns.ticks).count == columns.count)
    let header = fast.header
    let path = folder.path("denser.varve")
    let writer = try TraceWriter(creating: path, header: header)
    var records = RecordBytes()
    for tick in 0..<1_000 as Range<UInt64> { records.add(ticks: 5_000 + tick) }
    try writer.append(records)
    try writer.finish(ending: .clean)
    try TraceMerge.write(
      [TraceReader(path: path), trace("slow", pid: 2, begin: 50)], to: folder.path("both.varve"))
    let both = try TraceReader(path: folder.path("both.varve"))
    let block = try #require(both.blocks.firstIndex { $0.count == 1_000 })
    columns = try both.columns(block)
    #expect(zip(columns.ticks, columns.ticks.dropFirst()).allSatisfy { $0 < $1 })
    let times = columns.ticks.map { both.nanoseconds(sinceStart: $0) }
    #expect(times == (0..<1_000).map { 50 + $0 * 5 / 13 })
  }

  @Test("processes of different machines lie over one another by the calendar, and that is told")
  func twoMachines() throws {
    let here = try trace("here", pid: 1, begin: 7_000)
    let there = try trace("there", pid: 1, begin: 900, host: "elsewhere", calendar: 7_100)
    #expect(TraceMerge.isByCalendar([here, there]))
    try TraceMerge.write([here, there], to: folder.path("both.varve"))
    let both = try TraceReader(path: folder.path("both.varve"))
    let starts = try [1, 2].map { try #require(try times(both, ring: $0).first) }
    #expect(starts == [0, 1_000])
  }

  @Test("F3: what is damaged in one of them is left out and told")
  func damaged() throws {
    let shop = try trace("shop", pid: 10, begin: 1_000)
    let till = try trace("till", pid: 20, begin: 1_105)
    var bytes = try folder.read("till.varve")
    let range = try #require(blockRanges(in: bytes).first { $0.kind == 2 }?.range)
    bytes[range.upperBound - 1] ^= 1
    _ = try folder.write(bytes, to: "till.varve")
    _ = till
    let outcome = try TraceMerge.write(
      [shop, TraceReader(path: folder.path("till.varve"))], to: folder.path("both.varve"))
    #expect(outcome.damage.map(\.offset) == [UInt64(range.lowerBound)])
    #expect(try TraceReader(path: folder.path("both.varve")).events == 31)
  }
}
