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

  /// The first ring of a recording in a merge of several.
  private func ring(_ recording: UInt32) -> UInt32 { recording << 24 | 1 }

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
    #expect(try times(both, ring: ring(2)) == tillTimes)
    #expect(try times(both, ring: ring(1)) == times(shop, ring: 1))
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
    #expect(both.definitions.threads[ring(1)]?.name == "shop[10] main")
    #expect(both.definitions.threads[ring(2)]?.name == "till[20] main")
    #expect(Set(both.definitions.schedulers.values.map(\.name)) == ["shop.queue", "till.queue"])
    #expect(Set(both.losses.map(\.ring)) == [ring(1), ring(2)])
    var edges: [Set<UInt64>] = [[], []]
    for columns in both.readableBlocks() {
      let owner = columns.ring == ring(1) ? "shop" : "till"
      #expect(names[columns.streams[1]] == "\(owner).numbers")
      #expect(names[UInt32(columns.words[0])] == "\(owner).map")
      #expect(columns.farCauses.map(\.cause) == [EventName(ring: columns.ring, sequence: 2)])
      let scheduler = columns.streams[columns.count - 1]
      #expect(both.definitions.schedulers[scheduler]?.name == "\(owner).queue")
      edges[Int(EventName.recording(columns.ring)) - 1].formUnion(columns.subscriptions)
    }
    #expect(edges[0] == [9, 5])
    #expect(edges[0].isDisjoint(with: edges[1]))
  }

  @Test(
    "each process keeps its host and its start, also in a merge of merges; scrubbing takes hosts")
  func hosts() throws {
    let shop = try trace("shop", pid: 10, begin: 1_000_000)
    let till = try trace("till", pid: 20, begin: 1_000_105, host: "other")
    let third = try trace("third", pid: 30, begin: 999_000, host: "third host")
    let (both, all) = (folder.path("both.varve"), folder.path("all.varve"))
    try TraceMerge.write([shop, till], to: both)
    try TraceMerge.write([TraceReader(path: both), third], to: all)
    func processes(_ path: String) throws -> [String] {
      let definitions = try TraceReader(path: path).definitions
      return definitions.processes.values.sorted { $0.recording < $1.recording }.map { one in
        let start = one.process.started - 1_700_000_000_000_000_000
        return "\(one.process.program) \(one.process.pid) \(one.process.host) \(start)"
      }
    }
    let first = "/usr/bin/shop 10 host 1000000"
    let second = "/usr/bin/till 20 other 1000105"
    #expect(try processes(both) == [first, second])
    #expect(
      try Set(processes(all)) == [
        first, second, "/usr/bin/third 30 third host 999000",
      ])
    let safe = folder.path("safe.varve")
    try TraceScrub.write(TraceReader(path: both), to: safe)
    #expect(
      try processes(safe)
        == [first, second].map {
          $0.replacing(" host ", with: "  ").replacing(" other ", with: "  ")
        })
    // A trace of one process has that in its header.
    try TraceMerge.write([shop], to: folder.path("one.varve"))
    #expect(try processes(folder.path("one.varve")) == [])
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
    let expected = (0..<1_000).map { (tick: Int64) -> Int64 in 50 + tick * 5 / 13 }
    #expect(times == expected)
  }

  @Test("processes of different machines lie over one another by the calendar, and that is told")
  func twoMachines() throws {
    let here = try trace("here", pid: 1, begin: 7_000)
    let there = try trace("there", pid: 1, begin: 900, host: "elsewhere", calendar: 7_100)
    #expect(TraceMerge.isByCalendar([here, there]))
    try TraceMerge.write([here, there], to: folder.path("both.varve"))
    let both = try TraceReader(path: folder.path("both.varve"))
    let starts = try [1, 2].map { try #require(try times(both, ring: ring($0)).first) }
    #expect(starts == [0, 1_000])
  }

  @Test("machines that traces do not name are not taken for one")
  func unnamedMachines() throws {
    let here = try trace("here", pid: 1, begin: 7_000, host: "")
    let there = try trace("there", pid: 1, begin: 7_100, host: "")
    #expect(TraceMerge.isByCalendar([here, there]))
    #expect(!TraceMerge.isByCalendar([here, here]))
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

  // MARK: - The files of one recording

  /// One of the files of a recording, of two threads whose records go on from file to file.
  private func part(
    _ name: String, _ numbers: Range<UInt64>, clock: TraceClock = .monotonic,
    anchors: [ClockAnchor] = [], lacking lost: ClosedRange<UInt64>? = nil
  ) throws -> TraceReader {
    let path = folder.path(name)
    let start = ClockAnchor(ticks: 100, monotonic: 100)
    let writer = try TraceWriter(
      creating: path, header: .sample(clock: clock, anchor: start))
    for anchor in anchors { try writer.append(anchor: anchor) }
    for ring in 1...2 as ClosedRange<UInt32> {
      try writer.append(definitions: [
        .thread(ThreadDefinition(ring: ring, systemID: UInt64(ring), name: "thread \(ring)"))
      ])
      var records = RecordBytes(firstSequence: numbers.lowerBound)
      for number in numbers {
        records.add(
          ticks: 100 + number * 10 + UInt64(ring), back: number > 5 ? 5 : 0,
          payload: .integer(Int64(number)),
          far: ring == 2 && number > 7 ? [1 << 40 | (number - 7)] : [])
      }
      try writer.append(records, ring: ring)
      try writer.append(losses: [
        TraceLoss(ring: ring, count: 3, ticks: numbers.lowerBound * 10...numbers.lowerBound * 10)
      ])
      guard let lost else { continue }
      let begin = 100 + lost.lowerBound * 10 + UInt64(ring)
      let end = 100 + lost.upperBound * 10 + UInt64(ring)
      let count = UInt64(lost.count)
      try writer.append(losses: [
        TraceLoss(ring: ring, count: count, ticks: begin...end, reason: .notKept)
      ])
    }
    try writer.finish(ending: .clean)
    return try TraceReader(path: path)
  }

  @Test("T3: the files of one recording share their threads, and causes lead from one to the other")
  func parts() throws {
    let parts = [try part("run-1.varve", 1..<31), try part("run.varve", 31..<51)]
    let out = folder.path("both.varve")
    #expect(try TraceMerge.write(parts, to: out).events == 100)
    let both = try TraceReader(path: out)
    #expect(try both.verify() == [])
    #expect(both.definitions.threads.mapValues(\.name) == [1: "thread 1", 2: "thread 2"])
    #expect(both.losses.map(\.ring) == [1, 2, 1, 2])
    for columns in both.readableBlocks() where columns.firstSequence == 31 {
      for index in 0..<columns.count {
        let number = 31 + UInt64(index)
        let near = EventName(ring: columns.ring, sequence: number - 5)
        #expect(columns.backs[index] == 5 && both.block(of: near) != nil)
      }
      for (index, cause) in columns.farCauses {
        #expect(cause == EventName(ring: 1, sequence: 24 + UInt64(index)))
        #expect(both.block(of: cause) != nil)
      }
    }
  }

  @Test("an event that lies in several files of one recording is there once")
  func overlapping() throws {
    // A snapshot, the trace that it was taken from, and one of its files under two names.
    let parts = [
      try part("snapshot.varve", 11..<26), try part("run-1.varve", 1..<31),
      try part("run-1 again.varve", 1..<31), try part("run.varve", 31..<51),
    ]
    let out = folder.path("all.varve")
    #expect(try TraceMerge.write(parts, to: out).events == 100)
    let all = try TraceReader(path: out)
    for ring in 1...2 as ClosedRange<UInt32> {
      let words = try all.blocks.indices.filter { all.blocks[$0].ring == ring }
        .flatMap { try all.columns($0).words }
      #expect(words == Array(1...50))
    }
  }

  @Test("T6: what one file of a recording has not kept is not missing when another one holds it")
  func suppliedBySnapshot() throws {
    // Two snapshots, and the trace that has forgotten all of the first one's events and more since.
    let parts = [
      try part("run.varve", 61..<71, lacking: 1...60),
      try part("snapshot-1.varve", 11..<31, lacking: 1...10),
      try part("snapshot-2.varve", 41..<46, lacking: 1...40),
    ]
    let out = folder.path("all.varve")
    #expect(try TraceMerge.write(parts, to: out).events == 70)
    let all = try TraceReader(path: out)
    let missing = all.losses.filter { $0.reason == .notKept }
    #expect(missing.map(\.ring) == [1, 2] && missing.map(\.count) == [35, 35])
    #expect(all.losses.count { $0.reason == .noRoom } == 6)
  }

  @Test("T6: what another file of a recording held, and cannot be read any more, is missing")
  func suppliedDamaged() throws {
    let run = try part("run.varve", 61..<71, lacking: 1...60)
    let sound = try part("snapshot.varve", 11..<31, lacking: 1...10)
    // The last byte of the block of the first ring.
    let block = try #require(sound.blocks.first { $0.ring == 1 })
    var bytes = try folder.read("snapshot.varve")
    bytes[Int(try #require(block.offset) + block.storedBytes) - 1] ^= 1
    _ = try folder.write(bytes, to: "snapshot.varve")
    let out = folder.path("all.varve")
    let parts = [run, try TraceReader(path: folder.path("snapshot.varve"))]
    let outcome = try TraceMerge.write(parts, to: out)
    #expect(outcome.events == 40 && outcome.damage.count == 1)
    let all = try TraceReader(path: out)
    let missing = all.losses.filter { $0.reason == .notKept }
    #expect(missing.map(\.ring) == [1, 2] && missing.map(\.count) == [60, 40])
  }

  @Test("T4: what lies at the seam of two files keeps its order, whatever each knows of the clock")
  func seam() throws {
    let clock = TraceClock.counter(perSecond: 1_000_000_000)
    // The first one takes the clock to be fast at its end, the second one slow.
    let parts = [
      try part(
        "run-1.varve", 1..<31, clock: clock, anchors: [ClockAnchor(ticks: 420, monotonic: 900)]),
      try part(
        "run.varve", 31..<51, clock: clock, anchors: [ClockAnchor(ticks: 700, monotonic: 1_000)]),
    ]
    let out = folder.path("both.varve")
    try TraceMerge.write(parts, to: out)
    let both = try TraceReader(path: out)
    let ticks = try both.blocks.indices.filter { both.blocks[$0].ring == 1 }
      .flatMap { try both.columns($0).ticks }
    #expect(ticks.count == 50)
    #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0 < $1 })
  }
}
