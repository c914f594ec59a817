import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Streams, work and logs of several threads, at random, in small blocks. One thread is slow, so that
/// its blocks overlap many of the others.
private struct RandomEvents {
  let folder = TemporaryFolder()
  let reader: TraceReader
  let lanes: TileLanes

  init(seed: UInt64, events: Int = 3_000, threads: UInt32 = 4, blockEvents: Int = 32) throws {
    var random = SystemIndependent(seed: seed)
    var script = TraceScript()
    let streams = (0..<9).map { script.stream("stream\($0)") }
    let schedulers = (0..<2).map { script.scheduler("queue\($0)") }
    let rings = [1] + (2...threads).map { script.thread("thread\($0)", ring: $0) }
    let kinds: [RecordKind] = [
      .value, .value, .value, .failed, .completed, .absorbed, .subscribed, .hopBegan, .log,
    ]
    for (number, ring) in rings.enumerated() {
      var time = Double(random.next(1_000)) / 1_000
      for _ in 0..<(number == 0 ? events / 50 : events) {
        // Bursts and pauses of very different lengths.
        let pause = random.next(100)
        time += Double(random.next(pause == 0 ? 100_000 : 50)) / (number == 0 ? 100 : 10_000)
        let kind = kinds[random.next(kinds.count)]
        let stream =
          kind == .hopBegan
          ? schedulers[random.next(2)] : kind == .log ? 0 : streams[random.next(9)]
        script.record(kind, of: stream, at: time, ring: ring)
      }
    }
    try script.write(to: folder.file("tiles.varve"), blockEvents: blockEvents)
    reader = try TraceReader(path: folder.file("tiles.varve"))
    lanes = TileLanes(
      streams.map { .stream($0) } + schedulers.map { .scheduler($0) } + rings.map { .thread($0) })
  }

  /// The same numbers on each machine.
  struct SystemIndependent {
    var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  /// Every event: its tick from the first one on, its lane, and its flag in a cell.
  func events() throws -> [(tick: UInt64, lane: Int, flag: UInt8)] {
    let first = try #require(reader.blocks.map(\.ticks.lowerBound).min())
    var all: [(tick: UInt64, lane: Int, flag: UInt8)] = []
    var query = try EventQuery(Selection(), in: reader, columns: .all)
    query.run { page in
      page.forEachEvent { event in
        let flag: UInt8 =
          switch event.kind {
          case .value: 0
          case .failed: 0x10
          case .completed, .interrupted, .ended: 0x20
          case .absorbed, .skipped: 0x40
          default: 0x80
          }
        if let lane = lanes.lane(of: event) { all.append((event.ticks - first, lane, flag)) }
      }
      return true
    }
    return all
  }
}

@Suite("The viewer's tiles")
struct TileTests {
  /// What cells of a level say, by counting the events.
  private func counted(
    _ events: [(tick: UInt64, lane: Int, flag: UInt8)], level: Int, first: UInt64, count: Int,
    lanes: [Int]
  ) -> [UInt8] {
    let width = count * TileGrid.buckets
    var numbers = [Int](repeating: 0, count: width * lanes.count)
    var flags = [UInt8](repeating: 0, count: width * lanes.count)
    for event in events {
      let bucket = event.tick >> UInt64(2 * level)
      guard let row = lanes.firstIndex(of: event.lane), bucket >= first * 256,
        bucket < (first + UInt64(count)) * 256
      else { continue }
      let cell = row * width + Int(bucket - first * 256)
      numbers[cell] += 1
      flags[cell] |= event.flag
    }
    return zip(numbers, flags).map { number, flag in
      number == 0 ? 0 : UInt8(min(15, Int.bitWidth - number.leadingZeroBitCount)) | flag
    }
  }

  private func exact(_ planned: TilePyramid, parts: Int) -> TilePyramid {
    let count = TileCount(planned, parts: parts)
    for part in 0..<count.parts { #expect(count.run(part: part)) }
    return count.finish()
  }

  @Test(
    "tiles equal a count over the events, cell by cell, at every level",
    arguments: [(1, 1, 20.0), (2, 2, 100.0), (3, 3, 700.0), (4, 2, 1e9)] as [(UInt64, Int, Double)])
  func cells(seed: UInt64, parts: Int, least: Double) throws {
    let trace = try RandomEvents(seed: seed)
    let events = try trace.events()
    let planned = try #require(
      TilePyramid(trace.reader, lanes: trace.lanes, leastEvents: least))
    let pyramid = exact(planned, parts: parts)
    #expect(pyramid.isExact && pyramid.damage.isEmpty)
    let all = Array(trace.lanes.all.indices)
    let last = pyramid.grid.last - pyramid.grid.first
    for level in stride(from: pyramid.grid.root, through: 0, by: -1) {
      // Some of the many tiles of the lower levels: those around events.
      let tiles = Set(
        events.enumerated().filter { $0.offset % (events.count / 12) == 0 }.map {
          $0.element.tick >> UInt64(8 + 2 * level)
        })
      for tile in tiles.sorted() {
        let first = tile > 0 ? tile - 1 : 0
        for lanes in [all, [3, 0, 10, 12]] {
          let answer = try #require(
            pyramid.answer(level: level, first: first, count: 3, lanes: lanes))
          #expect(!answer.isEstimate)
          #expect(
            answer.cells
              == counted(events, level: level, first: first, count: 3, lanes: lanes),
            "level \(level), tile \(first), last tick \(last)")
        }
      }
    }
  }

  @Test("before the pass, few events are counted and many are estimated from the headers")
  func estimates() throws {
    let trace = try RandomEvents(seed: 5)
    let planned = try #require(TilePyramid(trace.reader, lanes: trace.lanes))
    let lanes = Array(trace.lanes.all.indices)
    let root = planned.grid.root
    let events = try trace.events()
    let answer = try #require(planned.answer(level: root, first: 0, count: 1, lanes: lanes))
    #expect(
      answer.cells == counted(events, level: root, first: 0, count: 1, lanes: lanes)
        && !answer.isEstimate)
    #expect(planned.tallies == nil)
  }

  @Test("the pass says how many events of each kind a lane has, and which threads worked")
  func tallies() throws {
    let trace = try RandomEvents(seed: 6)
    let planned = try #require(
      TilePyramid(trace.reader, lanes: trace.lanes, leastEvents: 50))
    let tallies = try #require(exact(planned, parts: 2).tallies)
    let events = try trace.events()
    for lane in trace.lanes.all.indices {
      #expect(tallies.events(lane) == UInt64(events.count { $0.lane == lane }))
      #expect(
        tallies.count(lane, .failed) == UInt64(events.count { $0.lane == lane && $0.flag == 0x10 }))
      let ticks = events.filter { $0.lane == lane }.map { $0.tick + planned.grid.first }
      #expect(tallies.ticks(lane)?.lowerBound == ticks.min())
      #expect(tallies.ticks(lane)?.upperBound == ticks.max())
    }
    #expect(tallies.hasWorked(1) && !tallies.hasWorked(9))
  }

  @Test("a count can be stopped, and requests of any numbers are answered or refused")
  func limits() throws {
    let trace = try RandomEvents(seed: 7)
    let planned = try #require(TilePyramid(trace.reader, lanes: trace.lanes))
    let count = TileCount(planned, parts: 2)
    count.stop()
    #expect(!count.run(part: 0))
    let pyramid = exact(planned, parts: 1)
    #expect(pyramid.answer(level: 29, first: 0, count: 1, lanes: [0]) == nil)
    #expect(pyramid.answer(level: 0, first: .max, count: 1, lanes: [0]) == nil)
    #expect(pyramid.answer(level: 0, first: 0, count: 20_001, lanes: [0]) == nil)
    #expect(pyramid.answer(level: 0, first: 0, count: 1, lanes: [0, 0]) == nil)
    let beyond = pyramid.answer(level: 0, first: 1 << 40, count: 2, lanes: [0, 4_000])
    #expect(beyond?.cells.allSatisfy { $0 == 0 } == true)
    // One tile has everything at the root, and all above it.
    let root = try #require(
      pyramid.answer(level: pyramid.grid.root, first: 0, count: 1, lanes: [1]))
    let above = try #require(
      pyramid.answer(level: pyramid.grid.root + 1, first: 0, count: 1, lanes: [1]))
    #expect(root.cells.contains { $0 != 0 } && above.cells.contains { $0 != 0 })
    #expect(above.cells[64...].allSatisfy { $0 == 0 })
  }
}
